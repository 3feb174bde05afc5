import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Value cache")
struct ValueCacheTests {
    private actor Count {
        private(set) var value = 0
        func add() { value += 1 }
    }

    @Test func anEqualResponseIsMappedOnceAlthoughItsFieldsDiffer() async throws {
        let stub = StubTransport()
        stub.on(
            .get,
            "/users",
            .json("[1]", headers: [.date: "a"]),
            .json("[1]", headers: [.date: "b"]),
            .json("[2]"),
            .json("[", status: 200),
            .json("[1]", status: 500)
        )
        let client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        let mapped = Count()
        let pipeline = client.pipeline(for: Route<[Int]>.get("users"))
        let counting = AnyNode<HTTPResponse, [Int]> { response, context in
            await mapped.add()
            return try await pipeline.rawMapping.process(response, in: context)
        }
        let remembering = pipeline.replacing(rawMapping: counting.wrapped(by: ValueCache { $0.content }))
        #expect(try await remembering.process() == [1])
        #expect(try await remembering.process() == [1])
        #expect(await mapped.value == 1)
        #expect(try await remembering.process() == [2])
        for _ in 0..<2 { await #expect(throws: CallError.self) { try await remembering.process() } }
        #expect(await mapped.value == 4)
    }

    @Test func theLeastRecentlyUsedIsForgotten() async throws {
        let mapped = Count()
        let node = AnyNode<Int, String> { number, _ in
            await mapped.add()
            return "\(number)"
        }
        let cache = ValueCache<Int, Int, String>(capacity: 2) { $0 }
        let remembering = node.wrapped(by: cache)
        for (number, count) in [(1, 1), (2, 2), (1, 2), (3, 3), (1, 3), (2, 4)] {
            #expect(try await remembering.process(number) == "\(number)")
            #expect(await mapped.value == count)
        }
        cache.removeAll()
        #expect(try await remembering.process(2) == "2")
        #expect(await mapped.value == 5)
    }
}
