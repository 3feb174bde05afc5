#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Glibc
import Testing

/// A set of the system (`fd_set`) has no place for descriptors of 1,024 and above. The descriptors of a process are
/// counted by other tests, so these have a process of their own.
@Suite("CurlTransport: a process with more than 1,024 descriptors", .timeLimit(.minutes(5)))
struct CurlManyDescriptorsTests {
    @Test(.enabled(if: sysconf(Int32(_SC_OPEN_MAX)) > 1_300, "the system allows too few descriptors"))
    func anUploadWithoutBytesEndsWhenTheServerCloses() async throws {
        guard BuiltInTransport.allCases.contains(.curl) else { return }
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
}

/// Opens 1,100 descriptors, and returns the last one.
private func openMany() -> Int32 { (0..<1_100).map { _ in unsafe open("/dev/null", O_RDONLY) }.last ?? -1 }

/// Sends five bytes, and then none.
private func upload(to url: URL) -> HTTPRequest {
    HTTPRequest(method: .post, url: url, body: .stream { AsyncStream<Data> { $0.yield(Data("first".utf8)) } })
}
#endif
