import Bilayer
import Foundation
import Testing

@testable import Bilayer

@Suite("Memory cache store")
struct MemoryCacheStoreTests {
    private static func key(_ number: Int) -> HTTPCacheKey {
        HTTPCacheKey(URL(string: "https://api.example.com/\(number)") ?? URL("https://api.example.com"))
    }

    private static func entry(_ count: Int) -> HTTPCacheEntry {
        HTTPCacheEntry(
            response: HTTPResponse(status: 200, body: Data(repeating: 0, count: count)),
            requestTime: CacheRow.start,
            responseTime: CacheRow.start,
            variant: ""
        )
    }

    @Test func theBoundHoldsAndTheLeastRecentlyUsedAreRemoved() async {
        let store = MemoryCacheStore(maximumBytes: 10_000)
        for number in 0..<50 {
            await store.replace([Self.entry(744)], for: Self.key(number), at: CacheRow.start)
            #expect(await !store.entries(for: Self.key(0), at: CacheRow.start).isEmpty)
            #expect(store.byteCount <= 10_000)
        }
        #expect(await store.entries(for: Self.key(1), at: CacheRow.start).isEmpty)
        #expect(await store.entries(for: Self.key(49), at: CacheRow.start).count == 1)
        #expect(store.byteCount > 5_000)
    }

    @Test func entriesLargerThanAQuarterAreNotKept() async {
        let store = MemoryCacheStore(maximumBytes: 10_000)
        await store.replace([Self.entry(100)], for: Self.key(0), at: CacheRow.start)
        await store.replace([Self.entry(2_400)], for: Self.key(0), at: CacheRow.start)
        #expect(await store.entries(for: Self.key(0), at: CacheRow.start).isEmpty)
        #expect(store.byteCount == 0)
    }

    @Test func replacingAndRemovingCount() async {
        let store = MemoryCacheStore(maximumBytes: 10_000)
        await store.replace([Self.entry(100), Self.entry(200)], for: Self.key(0), at: CacheRow.start)
        #expect(store.byteCount == 812)
        await store.replace([Self.entry(100)], for: Self.key(0), at: CacheRow.start)
        #expect(store.byteCount == 356)
        await store.replace([], for: Self.key(0), at: CacheRow.start)
        #expect(store.byteCount == 0)
        await store.replace([Self.entry(100)], for: Self.key(1), at: CacheRow.start)
        await store.removeAll()
        #expect(store.byteCount == 0)
    }
}
