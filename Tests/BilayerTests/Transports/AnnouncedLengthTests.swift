import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// If a body has more bytes than announced, the server must not receive a whole body, and the call must fail.
@Suite("Bodies with more bytes than announced", .timeLimit(.minutes(5)))
struct AnnouncedLengthTests {
    @Test("a stream that goes on is an error", arguments: BuiltInTransport.allCases, ["ab cd ef", "abcd e", "abcdef"])
    func aStreamThatGoesOn(under choice: BuiltInTransport, parts: String) async throws {
        let chunks = parts.split(separator: " ").map { Data($0.utf8) }
        let body = HTTPBody.stream(length: 4) {
            AsyncStream<Data> { stream in
                for chunk in chunks { stream.yield(chunk) }
                stream.finish()
            }
        }
        try await expectError(of: body, under: choice)
    }

    /// The last byte comes late: the transport may have sent all announced bytes by then.
    @Test("so is one whose next byte is late", arguments: BuiltInTransport.allCases)
    func aLateByte(under choice: BuiltInTransport) async throws {
        try await expectError(of: .stream(length: 4) { AskedChunks(["abcd", "e"]) }, under: choice)
    }

    #if os(Linux)
    /// The file `/proc/self/stat` has the length 0, but reading it brings bytes, as with a file that grows meanwhile.
    @Test("so is a file that is longer than its length", arguments: BuiltInTransport.allCases)
    func aFileThatIsLonger(under choice: BuiltInTransport) async throws {
        try await expectError(of: .file(at: URL(fileURLWithPath: "/proc/self/stat")), under: choice, expecting: 0)
    }
    #endif

    @Test("the last bytes wait for the end of the stream", arguments: BuiltInTransport.allCases)
    func theEnd(under choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/", .text("ok"))
        let body = HTTPBody.stream(length: 4) { AskedChunks(["ab", "", "cd"]) }
        let request = HTTPRequest(method: .put, url: server.url, body: body)
        #expect(try await choice.transport().process(request).status == 200)
        #expect(server.requests.map(\.body) == [Data("abcd".utf8)])
    }

    private func expectError(of body: HTTPBody, under choice: BuiltInTransport, expecting count: Int = 4) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/", .text("ok"))
        let request = HTTPRequest(method: .put, url: server.url, body: body)
        let error = await #expect(throws: TransportError.self) { try await choice.transport().process(request) }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.detail == "found more bytes, expected \(count) as announced")
        #expect(server.requests.isEmpty)
    }
}

/// Chunks that come only after their reader has begun to wait. Another task delivers each of them.
private struct AskedChunks: AsyncSequence, AsyncIteratorProtocol {
    private var parts: [String]

    init(_ parts: [String]) { self.parts = parts }

    func makeAsyncIterator() -> AskedChunks { self }

    mutating func next() async throws -> Data? {
        let part = parts.isEmpty ? nil : Data(parts.removeFirst().utf8)
        return await withCheckedContinuation { reader in
            Task { reader.resume(returning: part) }
        }
    }
}
