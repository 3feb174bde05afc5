#if os(Linux)
import Bilayer
import Foundation
import Testing

/// Bodies that are larger than the memory that their transfers may take. Each transfer runs in a process of its own,
/// with nginx as the peer. `BILAYER_TRANSFER_MB=2048 swift test --filter LargeTransfers` moves 2,048 MB.
@Suite(
    "Memory stays flat while large bodies are moved",
    .timeLimit(.minutes(30)),
    .serialized,
    .enabled(if: NginxServer.isExpected, "there is no nginx or no openssl")
)
struct LargeTransfersTests {
    @Test func downloadsOverCurl() async {
        await #expect(processExitsWith: .success) { try await Large.download(over: .curl) }
    }

    @Test func downloadsOverURLSession() async {
        await #expect(processExitsWith: .success) { try await Large.download(over: .urlSession) }
    }

    @Test func uploadsOfFilesOverCurl() async {
        await #expect(processExitsWith: .success) { try await Large.upload(over: .curl, asStream: false) }
    }

    @Test func uploadsOfStreamsOverCurl() async {
        await #expect(processExitsWith: .success) { try await Large.upload(over: .curl, asStream: true) }
    }

    @Test func linesAsModels() async {
        await #expect(processExitsWith: .success) { try await Large.lines() }
    }
}

/// A body of equal pieces.
private struct Pieces: AsyncSequence, AsyncIteratorProtocol {
    let piece: Data
    var left: Int

    mutating func next() async -> Data? {
        left -= 1
        return left >= 0 ? piece : nil
    }

    func makeAsyncIterator() -> Pieces { self }
}

/// The transfers, each in a process of its own.
private enum Large {
    private static let setting = ProcessInfo.processInfo.environment["BILAYER_TRANSFER_MB"].flatMap { Int($0) }
    private static let count = (setting ?? 192) << 20

    struct GrewTooMuch: Error {}
    struct IsIncomplete: Error {}

    static func download(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try makeFile(of: count, at: server.files.appending(path: "large.bin"))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let place = server.files.appending(path: "copy.bin")
        try await measuringMemory {
            try await client.download(.get("large.bin"), to: place).file()
        }
        guard size(of: place) == count else { throw IsIncomplete() }
    }

    static func upload(over choice: BuiltInTransport, asStream isStream: Bool) async throws {
        let server = try await NginxServer.start()
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let file = server.files.appending(path: "source.bin")
        try makeFile(of: count, at: file)
        let piece = Data(repeating: 65, count: 1 << 16)
        let body: HTTPBody =
            isStream ? .stream(length: count) { Pieces(piece: piece, left: count / piece.count) } : .file(at: file)
        try await measuringMemory {
            try await client.fetch(Route<Void>.put("upload/copy.bin", body: .content(body, mediaType: "text/plain")))
        }
        guard size(of: server.files.appending(path: "upload/copy.bin")) == count else { throw IsIncomplete() }
    }

    static func lines() async throws {
        let server = try await NginxServer.start()
        let line = Data((#"{"text":""# + String(repeating: "x", count: 65_524) + "\"}\n").utf8)
        let place = server.files.appending(path: "lines.json")
        try Data().write(to: place)
        let file = try FileHandle(forWritingTo: place)
        let total = count / line.count
        for _ in 0..<total { try file.write(contentsOf: line) }
        try file.close()
        let client = Client(baseURL: server.url)
        var found = 0
        try await measuringMemory {
            for try await _ in client.stream(Route<Json>.get("lines.json"), as: .lines) { found += 1 }
        }
        guard found == total else { throw IsIncomplete() }
    }

    /// Makes a sparse file, which has no blocks on the disk.
    private static func makeFile(of count: Int, at place: URL) throws {
        try Data().write(to: place)
        let file = try FileHandle(forWritingTo: place)
        try file.truncate(atOffset: UInt64(count))
        try file.close()
    }

    private static func size(of place: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: place.path)[.size] as? NSNumber)?.intValue
    }

    /// Fails if the process has held more than 128 MB beyond what it held before.
    private static func measuringMemory(_ work: () async throws -> Void) async throws {
        let before = ProcessResources.now
        try await work()
        if ProcessResources.now.peakKilobytes - before.kilobytes > 128 * 1024 { throw GrewTooMuch() }
    }
}
#endif
