#if os(Linux)
import Bilayer
import Foundation
import Testing

@testable import Bilayer

/// What each process does with the folder, and what holds for everything that it reads.
private enum Usage {
    static let bound = 80_000
    static let keys = (0..<8).compactMap { URL(string: "https://api.example.com/\($0)") }.map { HTTPCacheKey($0) }
    static let time = Date(timeIntervalSince1970: 1_790_000_000)

    /// The environment variable with the folder, for a process that a test has started.
    static let variable = "BILAYER_CACHE_FOLDER"
    static var folder: URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// A response that states its writer and its address, and that shows whether it is whole.
    static func entry(_ writer: String, _ round: Int, _ key: HTTPCacheKey, parts: Int) -> HTTPCacheEntry {
        let body = String(repeating: "\(writer)-\(round)-\(key.name);", count: parts)
        return HTTPCacheEntry(
            response: HTTPResponse(status: 200, headers: ["X-Parts": "\(parts)"], body: Data(body.utf8)),
            requestTime: time,
            responseTime: time,
            variant: ""
        )
    }

    static func isWhole(_ entry: HTTPCacheEntry, of key: HTTPCacheKey) -> Bool {
        let parts = String(decoding: entry.response.body, as: UTF8.self).split(separator: ";")
        return entry.response.headers["X-Parts"] == "\(parts.count)" && Set(parts).count == 1
            && parts.allSatisfy { $0.hasSuffix("-\(key.name)") }
    }

    /// Writes, reads and removes once.
    /// - Returns: Whether what it read was whole.
    static func use(_ store: DiskCacheStore, as writer: String, _ round: Int, _ random: inout SplitMix64) async -> Bool
    {
        let (key, other) = (keys[random.next(below: keys.count)], keys[random.next(below: keys.count)])
        await store.replace([entry(writer, round, key, parts: 1 + random.next(below: 140))], for: key, at: time)
        if random.next(below: 20) == 0 { await store.replace([], for: other, at: time) }
        return await store.entries(for: other, at: time).allSatisfy { isWhole($0, of: other) }
    }
}

/// Not a test: one of the other processes of the suite below, until it is killed.
@Suite("Disk cache store: the other process") struct DiskCacheOtherProcess {
    @Test(.enabled(if: Usage.folder != nil)) func writesAndReads() async throws {
        let folder = try #require(Usage.folder)
        let store = DiskCacheStore(at: folder, maximumBytes: Usage.bound)
        var random = SystemRandomNumberGenerator()
        var choices = SplitMix64(seed: random.next())
        let writer = "\(ProcessInfo.processInfo.processIdentifier)"
        for round in 0..<1_000_000 {
            let isWhole = await Usage.use(store, as: writer, round, &choices)
            if !isWhole { try Data().write(to: folder.appendingPathComponent("broken-\(writer)")) }
            // Leaves the processors to the tests that run meanwhile.
            try await Task.sleep(for: .milliseconds(5))
            if round == 5 { try Data().write(to: folder.appendingPathComponent("ready-\(writer)")) }
        }
    }
}

@Suite("Disk cache store: several processes", .serialized, .timeLimit(.minutes(5)))
struct DiskCacheProcessTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-\(UUID().uuidString)")

    private func names(_ prefix: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasPrefix(prefix) }
    }

    private var byteCount: Int {
        names("")
            .reduce(0) { sum, name in
                let path = folder.appendingPathComponent(name).path
                let values = try? FileManager.default.attributesOfItem(atPath: path)
                return sum + ((values?[.size] as? NSNumber)?.intValue ?? 0)
            }
    }

    private func startOther() throws -> ChildProcess {
        // The argument may be a path relative to the folder of this process.
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).path
        return try ChildProcess(
            [
                "/usr/bin/env", "\(Usage.variable)=\(folder.path)", tests, "--testing-library", "swift-testing",
                "--filter", "DiskCacheOtherProcess",
            ],
            in: FileManager.default.temporaryDirectory,
            output: URL(fileURLWithPath: "/dev/null")
        )
    }

    /// Two other processes and this one use a folder, and the others are killed at any moment.
    @Test(.disabled(if: Usage.folder != nil)) func nothingDamagedIsServedAndTheBoundHolds() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let store = DiskCacheStore(at: folder, maximumBytes: Usage.bound)
        // Each other process may exceed the bound by a quarter.
        let bound = Usage.bound + 2 * (Usage.bound / 4)
        var steps = 0
        func useFolder() async {
            let isWhole = await Usage.use(store, as: "own", steps, &random)
            #expect(isWhole, "seed \(seed), step \(steps)")
            #expect(byteCount <= bound, "seed \(seed), step \(steps)")
            steps += 1
        }

        var others: [ChildProcess] = [try startOther(), try startOther()]
        for round in 1...2 {
            while names("ready-").count < 2, !others.contains(where: { $0.hasEnded }) { await useFolder() }
            let haveEnded = others.contains { $0.hasEnded }
            #expect(!haveEnded, "the other process has ended by itself")
            for _ in 0..<(20 + random.next(below: 20)) { await useFolder() }
            if round == 1 { others.removeFirst().kill() }
        }
        for other in others { other.kill() }
        #expect(names("broken-") == [])
        // The entries that the killed processes have left are read, and their files count for the bound.
        for key in Usage.keys {
            for entry in await store.entries(for: key, at: Usage.time) { #expect(Usage.isWhole(entry, of: key)) }
        }
        let fresh = DiskCacheStore(at: folder, maximumBytes: Usage.bound)
        await fresh.replace([Usage.entry("fresh", 0, Usage.keys[0], parts: 1)], for: Usage.keys[0], at: Usage.time)
        #expect(byteCount <= Usage.bound)
        #expect(await fresh.entries(for: Usage.keys[0], at: Usage.time).count == 1)
    }
}
#endif
