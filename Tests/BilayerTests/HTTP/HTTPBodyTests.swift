import Bilayer
import Foundation
import Testing

@Suite("HTTPBody: bytes, a file, or a stream")
struct HTTPBodyTests {
    private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func bytesInMemoryAreOneChunk() async throws {
        let body = HTTPBody.data(Self.bytes)
        #expect(body.data == Self.bytes)
        #expect(body.length == 200_000)
        #expect(body.isReplayable)
        #expect(try await chunks(of: body) == [Self.bytes])
    }

    @Test func aFileIsReadInChunksAndMoreThanOnce() async throws {
        try await withFile(Self.bytes) { file in
            let body = HTTPBody.file(at: file)
            #expect(body.data == nil)
            #expect(body.file == file)
            #expect(body.length == 200_000)
            #expect(body.isReplayable)
            for _ in 1...2 {
                let chunks = try await chunks(of: body)
                #expect(chunks.count == 4)
                #expect(Data(chunks.joined()) == Self.bytes)
            }
        }
    }

    @Test func aFileThatIsMissingIsAnErrorWhenItIsRead() async {
        let body = HTTPBody.file(at: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        #expect(body.length == nil)
        let error = await #expect(throws: TransportError.self) { try await body.collected() }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.detail == "found a file that cannot be read, expected a readable one")
    }

    @Test func aStreamIsOpenedWhenItIsReadAndReadOnce() async throws {
        let body = HTTPBody.stream { stream("ab", "", "c") }
        #expect(body.length == nil)
        #expect(!body.isReplayable)
        #expect(try await chunks(of: body) == [Data("ab".utf8), Data("c".utf8)])
        let error = await #expect(throws: TransportError.self) { try await body.collected() }
        #expect(error?.detail == "found a second read, expected one: the body can be read once")
    }

    @Test func aReplayableStreamIsOpenedForEachReading() async throws {
        let body = HTTPBody.stream(length: 3, isReplayable: true) { stream("abc") }
        for _ in 1...3 { #expect(try await body.collected() == Data("abc".utf8)) }
    }

    @Test(arguments: [(2, "found more bytes, expected 2 as announced"), (4, "found 3 bytes, expected 4 as announced")])
    func anotherLengthThanAnnouncedIsAnError(length: Int, text: String) async {
        let body = HTTPBody.stream(length: length) { stream("ab", "c") }
        let error = await #expect(throws: TransportError.self) { try await body.collected() }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.detail == text)
    }

    @Test func moreBytesThanWantedAreNotCollected() async {
        let body = HTTPBody.stream { stream("ab", "c") }
        let error = await #expect(throws: TransportError.self) { try await body.collected(maximumBytes: 2) }
        #expect(error?.kind == .responseTooLarge)
    }

    @Test func bodiesAreEqualByBytesPlaceOrIdentity() {
        let file = URL(fileURLWithPath: "/a")
        let one = HTTPBody.stream { stream("a") }
        #expect(HTTPBody.data(Data("a".utf8)) == .data(Data("a".utf8)))
        #expect(HTTPBody.file(at: file) == .file(at: file))
        #expect(one == one)
        #expect(one != HTTPBody.stream { stream("a") })
        #expect(one != .data(Data("a".utf8)))
        #expect(Set([one, one, .file(at: file)]).count == 2)
    }

    @Test func aDescriptionHasTheSizeOnly() async throws {
        #expect(HTTPBody.data(Data("secret".utf8)).description == "6 B")
        #expect(HTTPBody.stream(length: 2_000) { stream("secret") }.description == "stream of 2.0 kB")
        #expect(HTTPBody.stream { stream("secret") }.description == "stream")
        try await withFile(Self.bytes) { #expect(HTTPBody.file(at: $0).description == "file of 200.0 kB") }
    }

    private func chunks(of body: HTTPBody) async throws -> [Data] {
        var chunks: [Data] = []
        for try await chunk in body { chunks.append(chunk) }
        return chunks
    }
}

private func stream(_ texts: String...) -> AsyncStream<Data> {
    AsyncStream { stream in
        for text in texts { stream.yield(Data(text.utf8)) }
        stream.finish()
    }
}

/// Calls with a file of these bytes, which is removed afterwards.
private func withFile(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-body-\(UUID().uuidString)")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file)
}
