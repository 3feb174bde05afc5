// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import Bilayer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A folder that has become read-only while a store uses it. Each test runs in a process without the rights of root,
/// for whom no folder is read-only.
@Suite("Disk cache store in a folder that is read-only", .timeLimit(.minutes(5)))
struct ReadOnlyFolderTests {
    @Test func whatWasRemovedIsNotServed() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                try bench.lock(bench.a, bench.b)
                await bench.store.replace([], for: bench.a, at: bench.time)
                // An old response must not outlive one that could not be written.
                await bench.store.replace([bench.entry("new")], for: bench.b, at: bench.time)
                try await bench.expect([(bench.a, nil), (bench.b, nil), (bench.c, "old")])
                try expectEqual(bench.failures, [.remove, .write, .remove])
                // A store that is made later has the same files.
                try await bench.expect([(bench.a, nil), (bench.b, nil), (bench.c, "old")], in: bench.another())
                try bench.unlock()
                try await bench.expect([(bench.a, nil), (bench.b, nil), (bench.c, "old")])
                try expectEqual(try bench.fileCount, 1)
                await bench.store.replace([bench.entry("new")], for: bench.a, at: bench.time)
                try await bench.expect([(bench.a, "new"), (bench.b, nil), (bench.c, "old")], in: bench.another())
            }
        }
    }

    @Test func nothingIsServedAfterARemovalOfAll() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                try bench.lock(bench.a, bench.b, bench.c)
                await bench.store.removeAll()
                try await bench.expect([(bench.a, nil), (bench.b, nil), (bench.c, nil)])
                try expectEqual(bench.failures, [.remove, .remove, .remove])
            }
        }
    }

    /// The store cannot list the files of the folder, but it can read them.
    @Test func nothingIsServedAfterARemovalOfAllThatFindsNoNames() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                try bench.lock(bench.a, bench.b, mode: 0o100)
                await bench.store.removeAll()
                try await bench.expect([(bench.a, nil), (bench.b, nil), (bench.c, nil)])
                try bench.unlock()
                await bench.store.replace([bench.entry("new")], for: bench.b, at: bench.time)
                try await bench.expect([(bench.a, nil), (bench.b, "new"), (bench.c, nil)])
                try expectEqual(bench.failures, [.remove])
            }
        }
    }

    /// The folder is read-only, but the file is not. It is emptied, so no later process finds its entries.
    @Test func aFileThatCanBeWrittenToIsEmptied() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                try bench.lock()
                await bench.store.replace([], for: bench.a, at: bench.time)
                try await bench.expect([(bench.a, nil), (bench.b, "old")])
                let file = bench.file(of: bench.a).path
                let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
                try expectEqual(size, 0)
                try expectEqual(bench.failures, [])
            }
        }
    }

    /// Nothing can be evicted, so nothing is added.
    @Test func theBoundHolds() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                try bench.lock(bench.a, bench.b, bench.c)
                let small = DiskCacheStore(at: bench.folder, maximumBytes: try bench.size * 5 / 4)
                await small.replace([bench.entry("new")], for: bench.d, at: bench.time)
                try await bench.expect([(bench.d, nil)], in: small)
            }
        }
    }

    /// A cache over the store requests again what an unsafe method has invalidated.
    @Test func aCacheAsksTheServerForWhatWasInvalidated() async {
        await #expect(processExitsWith: .success) {
            try await inProcess { bench in
                let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
                    HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
                }
                .wrapped(by: .cache(HTTPCache(bench.store)))
                let url = URL("https://api.example.com/users")
                _ = try await transport.process(HTTPRequest(url: url))
                try expectEqual(try await transport.process(HTTPRequest(url: url)).cacheStatus, .hit)
                try bench.lock(HTTPCacheKey(url))
                _ = try await transport.process(HTTPRequest(method: .post, url: url))
                for _ in 0..<2 {
                    try expectEqual(try await transport.process(HTTPRequest(url: url)).cacheStatus, .miss)
                }
            }
        }
    }
}

/// Runs a body as a user whom permissions bind, with three addresses stored.
private func inProcess(_ body: (DiskBench) async throws -> Void) async throws {
    if geteuid() == 0 {
        guard setegid(65_534) == 0, seteuid(65_534) == 0 else { throw Unexpected(text: "no other user") }
    }
    let bench = DiskBench()
    defer {
        try? bench.unlock()
        try? FileManager.default.removeItem(at: bench.folder)
    }
    for key in [bench.a, bench.b, bench.c] { await bench.store.replace([bench.entry("old")], for: key, at: bench.time) }
    try await bench.expect([(bench.a, "old"), (bench.b, "old"), (bench.c, "old")])
    do {
        try await body(bench)
    } catch {
        print(error)
        throw error
    }
}

private struct DiskBench {
    let folder = URL(fileURLWithPath: "/tmp/bilayer-read-only-\(UUID().uuidString)")
    let store: DiskCacheStore
    let time = CacheRow.start
    let a = HTTPCacheKey(URL("https://api.example.com/a"))
    let b = HTTPCacheKey(URL("https://api.example.com/b"))
    let c = HTTPCacheKey(URL("https://api.example.com/c"))
    let d = HTTPCacheKey(URL("https://api.example.com/d"))
    private let log = Locked<[DiskCacheError.Operation]>([])

    init() {
        store = DiskCacheStore(at: folder, maximumBytes: 1 << 20) { [log] failure in
            log.withLock { $0.append(failure.operation) }
        }
    }

    /// What the store has reported.
    var failures: [DiskCacheError.Operation] { log.withLock { $0 } }

    var fileCount: Int { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).count } }

    /// The size of all files.
    var size: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .reduce(0) { try $0 + Data(contentsOf: folder.appendingPathComponent($1)).count }
        }
    }

    func another() -> DiskCacheStore { DiskCacheStore(at: folder, maximumBytes: 1 << 20) }

    func entry(_ body: String) -> HTTPCacheEntry {
        let response = HTTPResponse(status: 200, body: Data(body.utf8))
        return HTTPCacheEntry(response: response, requestTime: time, responseTime: time, variant: "")
    }

    func file(of key: HTTPCacheKey) -> URL { folder.appendingPathComponent(key.name + ".entry") }

    /// Makes the folder and the files of these keys read-only.
    func lock(_ keys: HTTPCacheKey..., mode: Int = 0o500) throws {
        for key in keys { try set(0o400, of: file(of: key)) }
        try set(mode, of: folder)
    }

    func unlock() throws { try set(0o700, of: folder) }

    private func set(_ mode: Int, of place: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
    }

    func expect(_ bodies: [(HTTPCacheKey, String?)], in other: DiskCacheStore? = nil) async throws {
        for (index, (key, body)) in bodies.enumerated() {
            let entries = await (other ?? store).entries(for: key, at: time)
            let found = entries.map { String(decoding: $0.response.body, as: UTF8.self) }
            try expectEqual(found, [body].compactMap(\.self), "\(index)")
        }
    }
}

private struct Unexpected: Error { let text: String }

private func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String = "") throws {
    if found != expected { throw Unexpected(text: "\(what): found \(found), expected \(expected)") }
}
#endif
