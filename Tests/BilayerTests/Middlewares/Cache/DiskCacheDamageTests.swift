import Bilayer
import Foundation
import Testing

@testable import Bilayer

/// Files that were cut or changed where they are: a store reads what was written, or nothing.
@Suite("Disk cache store: damaged files")
struct DiskCacheDamageTests {
    private static let time = CacheRow.start
    private static let key = HTTPCacheKey(URL("https://api.example.com/users"))
    private static let entry = HTTPCacheEntry(
        response: HTTPResponse(status: 200, headers: [.eTag: "\"1\""], body: Data("[]".utf8)),
        requestTime: time,
        responseTime: time,
        variant: "v"
    )

    private static func inFolder(_ body: (URL, DiskCacheStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder, DiskCacheStore(at: folder, maximumBytes: 1 << 16))
    }

    /// Puts bytes where the store has its file, and reads the entries.
    private static func entries(
        of bytes: Data,
        at file: URL,
        by store: DiskCacheStore
    ) async throws -> [HTTPCacheEntry] {
        try bytes.write(to: file)
        return await store.entries(for: key, at: time)
    }

    @Test func everyCutIsAMissAndTheFileIsRemoved() async throws {
        try await Self.inFolder { folder, store in
            await store.replace([Self.entry], for: Self.key, at: Self.time)
            let file = CacheFolder(url: folder, report: { _ in }).file(of: Self.key)
            let whole = try Data(contentsOf: file)
            for count in 0..<whole.count {
                let found = try await Self.entries(of: whole.prefix(count), at: file, by: store)
                #expect(found.isEmpty && !FileManager.default.fileExists(atPath: file.path), "cut at \(count)")
            }
            #expect(try await Self.entries(of: whole, at: file, by: store) == [Self.entry])
        }
    }

    /// The changes are one bit, several bits, and a stretch of zeros as a disk leaves it after a loss of power.
    @Test(arguments: Seeds.some(1)) func everyChangeIsAMissOrTheWrittenEntry(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        try await Self.inFolder { folder, store in
            await store.replace([Self.entry], for: Self.key, at: Self.time)
            let file = CacheFolder(url: folder, report: { _ in }).file(of: Self.key)
            let whole = try Data(contentsOf: file)
            // Only every fifth byte, to save time: another test changes every bit of the bytes in memory.
            for place in stride(from: random.next(below: 5), to: whole.count, by: 5) {
                var damaged = [whole, whole, whole]
                damaged[0][place] ^= 1 << UInt8(random.next(below: 8))
                for _ in 0..<3 { damaged[1][random.next(below: whole.count)] ^= UInt8(random.next(below: 256)) }
                for offset in place..<whole.count { damaged[2][offset] = 0 }
                for bytes in damaged {
                    let found = try await Self.entries(of: bytes, at: file, by: store)
                    #expect(found == (bytes == whole ? [Self.entry] : []), "seed \(seed), byte \(place)")
                }
            }
            #expect(try await Self.entries(of: whole, at: file, by: store) == [Self.entry])
        }
    }

    /// The file of one address under the name of another one, as after a mistaken repair of the disk.
    @Test func theFileOfAnotherAddressIsAMiss() async throws {
        try await Self.inFolder { folder, store in
            let other = HTTPCacheKey(URL("https://api.example.com/other"))
            await store.replace([Self.entry], for: other, at: Self.time)
            let files = CacheFolder(url: folder, report: { _ in })
            let bytes = try Data(contentsOf: files.file(of: other))
            #expect(try await Self.entries(of: bytes, at: files.file(of: Self.key), by: store).isEmpty)
            #expect(await store.entries(for: other, at: Self.time) == [Self.entry])
        }
    }

    /// The unfinished files of killed writers count for the bound, are never served, and are removed to make room.
    @Test func unfinishedFilesAreBoundedToo() async throws {
        try await Self.inFolder { folder, _ in
            let bound = 40_000
            let files = CacheFolder(url: folder, report: { _ in })
            func byteCount() throws -> Int { try files.files(at: Self.time).reduce(0) { $0 + $1.byteCount } }
            for round in 0..<20 {
                let store = DiskCacheStore(at: folder, maximumBytes: bound)
                let body = Data(repeating: 7, count: 3_000)
                let large = HTTPCacheEntry(
                    response: HTTPResponse(status: 200, body: body),
                    requestTime: Self.time,
                    responseTime: Self.time,
                    variant: ""
                )
                let key = HTTPCacheKey(URL(string: "https://api.example.com/\(round)") ?? URL("https://none.example"))
                await store.replace([large], for: key, at: Self.time + TimeInterval(round))
                #expect(await store.entries(for: key, at: Self.time + TimeInterval(round)) == [large])
                #expect(try byteCount() <= bound)
                // Another process was killed while it wrote this much.
                let left = folder.appendingPathComponent(".writing-\(UUID().uuidString)")
                try CacheFile.bytes(of: [large], for: key).prefix(500 * round).write(to: left)
                let use = Self.time + TimeInterval(round)
                try FileManager.default.setAttributes([.modificationDate: use], ofItemAtPath: left.path)
            }
        }
    }
}
