import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// The ids that a loader has received.
private actor LoaderCalls {
    private(set) var batches: [[Int]] = []
    private(set) var cancelled = 0

    func add(_ ids: [Int]) { batches.append(ids.sorted()) }
    func cancel() { cancelled += 1 }
}

@Suite("Batches: calls for single ids become one call for many", .timeLimit(.minutes(5)))
struct BatchLoaderTests {
    private let clock = TestClock()
    private let calls = LoaderCalls()

    private func loader(atMost most: Int = 100) -> BatchLoader<Int, String> {
        BatchLoader(window: .seconds(1), atMost: most, clock: clock) { [calls] ids in
            await calls.add(ids)
            return Dictionary(uniqueKeysWithValues: ids.filter { $0 >= 0 }.map { ($0, "v\($0)") })
        }
    }

    @Test("a full batch is loaded at once, and every caller has its own value")
    func full() async throws {
        let loader = loader(atMost: 10)
        let values = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for id in 0..<50 { group.addTask { (id, try await loader.value(for: id)) } }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(values == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, "v\($0)") }))
        #expect(await calls.batches.map(\.count) == [10, 10, 10, 10, 10])
        #expect(await calls.batches.joined().sorted() == Array(0..<50))
    }

    @Test("the window ends a batch that is not full")
    func window() async throws {
        let loader = loader()
        let value = Task { try await loader.value(for: 1) }
        try await clock.waitForSleepers(count: 1)
        #expect(await calls.batches.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(try await value.value == "v1")
        #expect(await calls.batches == [[1]])
    }

    @Test("an id without a value is an error of its caller alone")
    func misses() async throws {
        let loader = loader(atMost: 2)
        let missing = Task { try await loader.value(for: -1) }
        let other = Task { try await loader.value(for: 2) }
        #expect(try await other.value == "v2")
        await #expect(throws: BatchMissError.self) { try await missing.value }
    }

    @Test("values fail one by one, or all together")
    func failures() async throws {
        let single = BatchLoader<Int, String>(
            atMost: 2,
            clock: clock,
            results: { _ in [1: .failure(TransportError(.timedOut)), 2: .success("v2")] }
        )
        let bad = Task { try await single.value(for: 1) }
        let good = Task { try await single.value(for: 2) }
        #expect(try await good.value == "v2")
        await #expect(throws: TransportError.self) { try await bad.value }

        let all = BatchLoader<Int, String>(atMost: 1, clock: clock) { (_: [Int]) -> [Int: String] in
            throw TransportError(.timedOut)
        }
        await #expect(throws: TransportError.self) { try await all.value(for: 1) }
    }

    @Test("a cancelled caller leaves; the others stay, and its id is not loaded")
    func cancel() async throws {
        let loader = loader()
        let first = Task { try await loader.value(for: 1) }
        try await clock.waitForSleepers(count: 1)
        let second = Task { try await loader.value(for: 2) }
        while loader.state.withLock({ $0.batches.values.map(\.ids) }) != [[1, 2]] { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        clock.advance(by: .seconds(1))
        #expect(try await second.value == "v2")
        #expect(await calls.batches == [[2]])
    }

    @Test("if the last caller is cancelled, the call is cancelled, and the next batch is a new one")
    func cancelAll() async throws {
        let loader = BatchLoader<Int, String>(atMost: 1, clock: clock) { [calls, clock] ids in
            await calls.add(ids)
            if ids == [1] {
                do {
                    try await clock.sleep(for: .seconds(1_000))
                } catch {
                    await calls.cancel()
                    throw error
                }
            }
            return Dictionary(uniqueKeysWithValues: ids.map { ($0, "v\($0)") })
        }
        let only = Task { try await loader.value(for: 1) }
        while await calls.batches.isEmpty { await Task.yield() }
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        while await calls.cancelled == 0 { await Task.yield() }
        #expect(try await loader.value(for: 2) == "v2")
    }
}
