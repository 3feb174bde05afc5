import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Calls, removals and invalidations at once, by several caches over one store. A served response is never older than
/// the last removal that had returned when the call began.
@Suite("HTTP cache: removals race with calls", .timeLimit(.minutes(5)))
struct CacheRemovalRaceTests {
    private let urls = [URL("https://api.example.com/0"), URL("https://api.example.com/1")]

    @Test func inMemory() async throws {
        for round in 0..<40 {
            let store = MemoryCacheStore(maximumBytes: 1 << 20)
            try await race(seed: .random(in: 0 ... .max), [HTTPCache(store), HTTPCache(store)], "round \(round)")
        }
    }

    @Test func onDisk() async throws {
        for round in 0..<8 {
            try await withFolder { folder in
                let caches = (0..<2).map { _ in HTTPCache(DiskCacheStore(at: folder, maximumBytes: 1 << 20)) }
                try await race(seed: .random(in: 0 ... .max), caches, "round \(round)")
            }
        }
    }

    private func race(seed: UInt64, _ caches: [HTTPCache], _ round: String) async throws {
        let server = VersionedServer(seed: seed)
        let transports = caches.map { server.transport.wrapped(by: .cache($0)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(worker))
                    for _ in 0..<25 {
                        let number = random.next(below: caches.count)
                        let url = urls[random.next(below: urls.count)]
                        let path = url.path()
                        switch random.next(below: 8) {
                        case 0:
                            let version = server.raiseAll()
                            await caches[number].removeAll()
                            server.noteRemoval(upTo: version)
                        case 1:
                            let request = HTTPRequest(method: .post, url: url)
                            let response = try await transports[number].process(request)
                            server.noteRemoval(upTo: response.version, of: path)
                        default:
                            let least = server.least(of: path)
                            let policies: [CachePolicy] = [.standard, .standard, .cacheElseNetwork, .networkElseCache]
                            var options = CallOptions()
                            options[CachePolicy.self] = policies[random.next(below: policies.count)]
                            let context = CallContext(options: options)
                            let response = try await transports[number].process(HTTPRequest(url: url), in: context)
                            #expect(response.version >= least, "seed \(seed), \(round)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for cache in caches { await cache.settle() }
        #expect(caches.allSatisfy { $0.engine.keeper.inProgress.count == 0 }, "seed \(seed), \(round)")
    }
}

extension HTTPResponse {
    fileprivate var version: Int { Int(String(decoding: body, as: UTF8.self)) ?? -1 }
}

/// Resources with a version each. A response has the version of the time at which the request came, and leaves later.
private final class VersionedServer: Sendable {
    private struct State {
        var random: SplitMix64
        var versions = ["/0": 0, "/1": 0]
        var least = ["/0": 0, "/1": 0]
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SplitMix64(seed: seed))) }

    /// Raises all versions, as if another user had changed the resources.
    func raiseAll() -> [String: Int] {
        state.withLock { state in
            state.versions = state.versions.mapValues { $0 + 1 }
            return state.versions
        }
    }

    func noteRemoval(upTo versions: [String: Int]) {
        for (path, version) in versions { noteRemoval(upTo: version, of: path) }
    }

    func noteRemoval(upTo version: Int, of path: String) {
        state.withLock { $0.least[path] = max($0.least[path] ?? 0, version) }
    }

    func least(of path: String) -> Int { state.withLock { $0.least[path] ?? 0 } }

    var transport: AnyNode<HTTPRequest, HTTPResponse> {
        AnyNode { [self] request, _ in
            let path = request.url.path()
            let (version, waits, control) = state.withLock { state in
                if request.method == .post { state.versions[path, default: 0] += 1 }
                let controls = ["max-age=60", "max-age=0", "max-age=0, stale-while-revalidate=60", "no-cache"]
                let control = controls[state.random.next(below: controls.count)]
                return (state.versions[path] ?? 0, state.random.next(below: 12), control)
            }
            for _ in 0..<waits { await Task.yield() }
            let headers: HTTPHeaders = [.eTag: "\"\(version)\"", "Cache-Control": control]
            let isKnown = request.method == .get && request.headers[.ifNoneMatch] == "\"\(version)\""
            let body = isKnown ? Data() : Data("\(version)".utf8)
            return HTTPResponse(status: isKnown ? 304 : 200, headers: headers, body: body)
        }
    }
}
