import Bilayer
import Foundation
import Testing

@testable import Bilayer

@Suite("Disk cache store", .timeLimit(.minutes(5)))
struct DiskCacheStoreTests {
    private static let time = CacheRow.start
    private static let key = HTTPCacheKey(URL("https://api.example.com/users?token=1"))

    private static func entry(_ body: String = "[]", count: Int = 1) -> HTTPCacheEntry {
        let body = Data(String(repeating: body, count: count).utf8)
        let headers: HTTPHeaders = [.eTag: "\"1\"", "Cache-Control": "max-age=60", "X-Tag": "a", "x-tag": "b"]
        return HTTPCacheEntry(
            response: HTTPResponse(status: 200, headers: headers, body: body),
            requestTime: time,
            responseTime: time + 0.25,
            variant: "v"
        )
    }

    private static func inFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func entriesAreThereAfterANewStart() async throws {
        try await Self.inFolder { folder in
            let entries = [Self.entry(), Self.entry("other")]
            await DiskCacheStore(at: folder, maximumBytes: 1 << 20).replace(entries, for: Self.key, at: Self.time)
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            #expect(await store.entries(for: Self.key, at: Self.time) == entries)
            #expect(await store.entries(for: HTTPCacheKey(URL("https://api.example.com/")), at: Self.time).isEmpty)
            await store.replace([], for: Self.key, at: Self.time)
            #expect(Self.names(in: folder).isEmpty)
        }
    }

    @Test func filesAreNamedByDigestsAndReadableByTheUserAlone() async throws {
        try await Self.inFolder { folder in
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            let keys = ["https://h/../../etc/passwd", "https://h/%2e%2e%2f", "https://h/a?b=/"].compactMap(URL.init)
            for url in keys { await store.replace([Self.entry()], for: HTTPCacheKey(url), at: Self.time) }
            #expect(Self.names(in: folder).count == 3)
            for name in Self.names(in: folder) {
                #expect(name.count == 70)
                let path = folder.appendingPathComponent(name).path
                let values = try FileManager.default.attributesOfItem(atPath: path)
                #expect((values[.posixPermissions] as? NSNumber)?.intValue == 0o600)
                let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
                #expect(!String(decoding: bytes, as: UTF8.self).contains("passwd"))
            }
            let values = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect((values[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }

    @Test func aFileThatWasCutAnywhereIsNoEntry() {
        let file = CacheFile.bytes(of: [Self.entry(), Self.entry("other")], for: Self.key)
        #expect(CacheFile.entries(in: file, for: Self.key)?.count == 2)
        for count in 0..<file.count { #expect(CacheFile.entries(in: file.prefix(count), for: Self.key) == nil) }
        #expect(CacheFile.entries(in: file + [0], for: Self.key) == nil)
    }

    @Test func aFileWithAnyChangedBitIsNoEntry() {
        let file = CacheFile.bytes(of: [Self.entry()], for: Self.key)
        for place in 0..<file.count * 8 {
            var damaged = file
            damaged[place / 8] ^= 1 << UInt8(place % 8)
            #expect(CacheFile.entries(in: damaged, for: Self.key) == nil)
        }
    }

    /// The store checks the lengths inside of the payload, too: a digest can be made for any bytes.
    @Test func aFileWithAnInvalidPayloadIsNoEntry() {
        let whole = CacheFile.bytes(of: [Self.entry()], for: Self.key).dropFirst(48)
        var random = SplitMix64(seed: 1)
        for count in 0..<whole.count {
            #expect(CacheFile.entries(in: sealed(Data(whole.prefix(count))), for: Self.key) == nil)
        }
        var readable = 0
        for _ in 0..<2_000 {
            var payload = Data(whole)
            payload[random.next(below: payload.count)] = UInt8(random.next(below: 256))
            // A changed byte can make another valid payload. Then the bytes are exactly what a store would write for
            // it.
            guard let entries = CacheFile.entries(in: sealed(payload), for: Self.key) else { continue }
            readable += 1
            #expect(CacheFile.bytes(of: entries, for: Self.key) == sealed(payload))
        }
        #expect(readable > 0)
        #expect(CacheFile.entries(in: sealed(Data(whole)), for: Self.key)?.count == 1)
    }

    private func sealed(_ payload: Data) -> Data {
        let length = (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        return Data("BLCACHE1".utf8) + length + SHA256.bytes(of: payload) + payload
    }

    @Test func aFileOfAnotherAddressIsNoEntry() {
        let file = CacheFile.bytes(of: [Self.entry()], for: HTTPCacheKey(URL("https://api.example.com/other")))
        #expect(CacheFile.entries(in: file, for: Self.key) == nil)
    }

    @Test func aDamagedFileIsAMissAndRemoved() async throws {
        try await Self.inFolder { folder in
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            let name = try #require(Self.names(in: folder).first)
            try Data("cut".utf8).write(to: folder.appendingPathComponent(name))
            #expect(await store.entries(for: Self.key, at: Self.time).isEmpty)
            #expect(Self.names(in: folder).isEmpty)
        }
    }

    @Test func theBoundHoldsAndTheLeastRecentlyUsedAreRemoved() async throws {
        try await Self.inFolder { folder in
            let bound = 40_000
            let store = DiskCacheStore(at: folder, maximumBytes: bound)
            let keys = (0..<60).compactMap { URL(string: "https://api.example.com/\($0)") }.map { HTTPCacheKey($0) }
            for (place, key) in keys.enumerated() {
                let time = Self.time + TimeInterval(place * 10)
                await store.replace([Self.entry("x", count: 2_000)], for: key, at: time)
                _ = await store.entries(for: keys[0], at: time + 1)
                #expect(Self.size(of: folder) <= bound)
            }
            #expect(await store.entries(for: keys[0], at: Self.time + 1_000).count == 1)
            #expect(await store.entries(for: keys[1], at: Self.time + 1_000).isEmpty)
            #expect(await store.entries(for: keys[59], at: Self.time + 1_000).count == 1)
            await store.replace([Self.entry("x", count: bound / 4)], for: keys[0], at: Self.time + 1_000)
            #expect(await store.entries(for: keys[0], at: Self.time + 1_000).isEmpty)
        }
    }

    private static func size(of folder: URL) -> Int {
        names(in: folder)
            .reduce(0) { sum, name in
                let path = folder.appendingPathComponent(name).path
                let values = try? FileManager.default.attributesOfItem(atPath: path)
                return sum + ((values?[.size] as? NSNumber)?.intValue ?? 0)
            }
    }

    @Test func twoStoresOnOneFolderReadWholeEntriesOnly() async throws {
        try await Self.inFolder { folder in
            let stores = [
                DiskCacheStore(at: folder, maximumBytes: 10_000), DiskCacheStore(at: folder, maximumBytes: 10_000),
            ]
            let keys = (0..<6).compactMap { URL(string: "https://api.example.com/\($0)") }.map { HTTPCacheKey($0) }
            await withTaskGroup { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        var random = SplitMix64(seed: UInt64(number))
                        for round in 0..<150 {
                            let key = keys[random.next(below: keys.count)]
                            let body = "\(number)-\(round);"
                            await store.replace([Self.entry(body, count: 300)], for: key, at: Self.time)
                            let other = keys[random.next(below: keys.count)]
                            for entry in await store.entries(for: other, at: Self.time) {
                                let parts = String(decoding: entry.response.body, as: UTF8.self).split(separator: ";")
                                #expect(parts.count == 300 && Set(parts).count == 1)
                            }
                            if random.next(below: 20) == 0 { await store.replace([], for: other, at: Self.time) }
                        }
                    }
                }
            }
            #expect(Self.names(in: folder).allSatisfy { $0.hasSuffix(".entry") }, "nothing is left unfinished")
            #expect(Self.size(of: folder) <= 10_000 + 10_000 / 4)
            #expect(!Self.names(in: folder).isEmpty)
        }
    }

    /// In a folder that others can write to, anybody can make up a response with the right digest.
    @Test(.enabled(if: geteuid() == 0)) func aFileOfAnotherUserIsAMiss() async throws {
        try await Self.inFolder { folder in
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            let place = folder.appendingPathComponent(try #require(Self.names(in: folder).first))
            // The string is a pointer for the time of the call.
            #expect(unsafe chown(place.path, 12_345, 12_345) == 0)
            #expect(await store.entries(for: Self.key, at: Self.time).isEmpty)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            #expect(await store.entries(for: Self.key, at: Self.time).count == 1)
        }
    }

    @Test func onlyFilesOfTheStoreAreRemoved() async throws {
        try await Self.inFolder { folder in
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            try Data("mine".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try Data("half".utf8).write(to: folder.appendingPathComponent(".writing-1"))
            await store.removeAll()
            #expect(Self.names(in: folder).contains("notes.txt"))
            #expect(!Self.names(in: folder).contains { $0.hasSuffix(".entry") })
        }
    }

    @Test func anUnfinishedFileIsRemovedLater() async throws {
        try await Self.inFolder { folder in
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            let left = folder.appendingPathComponent(".writing-1")
            try Data("half".utf8).write(to: left)
            try FileManager.default.setAttributes([.modificationDate: Self.time], ofItemAtPath: left.path)
            let other = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await other.replace([Self.entry()], for: Self.key, at: Self.time + 60)
            #expect(Self.names(in: folder).contains(".writing-1"))
            let third = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await third.replace([Self.entry()], for: Self.key, at: Self.time + 4_000)
            #expect(!Self.names(in: folder).contains(".writing-1"))
        }
    }

    @Test func aFolderThatCannotBeMadeStoresNothing() async throws {
        try await Self.inFolder { folder in
            try Data().write(to: folder)
            let store = DiskCacheStore(at: folder, maximumBytes: 1 << 20)
            await store.replace([Self.entry()], for: Self.key, at: Self.time)
            #expect(await store.entries(for: Self.key, at: Self.time).isEmpty)
        }
    }
}
