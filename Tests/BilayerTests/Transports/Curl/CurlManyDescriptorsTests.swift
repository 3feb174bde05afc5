#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Glibc
import Testing

/// A set of the system (`fd_set`) has no place for descriptors of 1,024 and above. These tests have a process of their
/// own, because other tests count the descriptors of their process.
@Suite("CurlTransport: a process with more than 1,024 descriptors", .timeLimit(.minutes(5)))
struct CurlManyDescriptorsTests {
    @Test(.enabled(if: canOpenMany, "without libcurl, or the system allows too few descriptors"))
    func anUploadWithoutBytesEndsWhenTheServerCloses() async throws {
        await #expect(processExitsWith: .success) {
            try #require(openMany() >= 1_024)
            let server = try await FaultServer.start()
            server.onUpload(.post, "/rows", after: 4, Reply(.close))
            server.onUpload(.post, "/lists", after: 4, Reply(.head("HTTP/1.1 200 OK\r\n\r\n"), .body("done"), .close))
            let transport = try CurlTransport()
            let lost = await transport.failure(of: upload(to: server.url.appending(path: "rows")))
            #expect(lost?.kind == .connectionLost)
            let response = try await transport.process(upload(to: server.url.appending(path: "lists")))
            #expect(response.body == Data("done".utf8))
        }
    }

    @Test(.enabled(if: canOpenMany, "without libcurl, or the system allows too few descriptors"))
    func aCompleteResponseEndsAnUploadWithoutBytes() async throws {
        await #expect(processExitsWith: .success) {
            try #require(openMany() >= 1_024)
            try await receiveChunks(isEncrypted: false, closes: false)
            try await receiveChunks(isEncrypted: false, closes: true)
        }
    }

    @Test(.enabled(if: canOpenMany, "without libcurl, or the system allows too few descriptors"))
    func aCompleteEncryptedResponseEndsAnUploadWithoutBytes() async throws {
        await #expect(processExitsWith: .success) {
            try #require(openMany() >= 1_024)
            try await receiveChunks(isEncrypted: true, closes: false)
            try await receiveChunks(isEncrypted: true, closes: true)
        }
    }
}

private var canOpenMany: Bool { BuiltInTransport.allCases.contains(.curl) && descriptorLimits.rlim_max > 1_300 }

/// The maximum number of open descriptors: the limit in force, and the limit up to which a process may raise it.
private var descriptorLimits: rlimit {
    var limits = rlimit()
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return limits
}

/// Opens 1,100 descriptors, and returns the last one. Raises the limit in force first, because that is often 1,024.
private func openMany() -> Int32 {
    var limits = descriptorLimits
    limits.rlim_cur = min(limits.rlim_max, 4_096)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return (0..<1_100).map { _ in unsafe open("/dev/null", O_RDONLY) }.last ?? -1
}

/// Sends five bytes, and then none.
private func upload(to url: URL) -> HTTPRequest {
    HTTPRequest(method: .post, url: url, body: .stream { AsyncStream<Data> { $0.yield(Data("first".utf8)) } })
}

/// Receives complete responses in chunks while the source of the request's body has no bytes.
/// - Parameters:
///   - isEncrypted: Whether the connection has TLS.
///   - closes: Whether the server closes the connection after the last chunk, and says so in the head.
/// - Throws: The error of the call, or of the start of the server or the transport.
private func receiveChunks(isEncrypted: Bool, closes: Bool) async throws {
    let server = try await FaultServer.start(certificate: isEncrypted ? ServerCertificate() : nil)
    let fields = "Transfer-Encoding: chunked\r\n" + (closes ? "Connection: close\r\n" : "")
    let head = Reply.Action.head("HTTP/1.1 200 OK\r\n\(fields)\r\n")
    let chunks = Reply.Action.body("4\r\ndone\r\n0\r\n\r\n")
    server.onUpload(.post, "/rows", after: 4, Reply(head, chunks, closes ? .close : .hold))
    var settings = CurlSettings()
    settings.tls.authorityFile = server.authorityFile
    let transport = try CurlTransport(settings)
    for streamsResponse in [false, true] {
        var request = upload(to: server.url.appending(path: "rows"))
        request.streamsResponse = streamsResponse
        let response = try await transport.process(request)
        let body = try await response.stream?.collected() ?? response.body
        #expect(body == Data("done".utf8))
    }
}
#endif
