import BilayerTesting
import Foundation

@testable import Bilayer

extension Samples {
    static let cache = [
        Sample("HTTPCache") { [await filled(.memory(maximumBytes: 1 << 20)).cache] },
        Sample("HTTPCacheKey") { [HTTPCacheKey(url)] },
        Sample("HTTPCacheEntry") { [entry] },
        Sample("MemoryCacheStore") {
            let store = MemoryCacheStore(maximumBytes: 1 << 20)
            await store.replace([entry], for: HTTPCacheKey(url), at: Date(timeIntervalSince1970: 0))
            return [store]
        },
        Sample("DiskCacheStore") {
            [DiskCacheStore(at: URL(fileURLWithPath: "/tmp/\(secret)"), maximumBytes: 1 << 20)]
        },
        Sample("DiskCacheError") {
            [
                DiskCacheError(
                    operation: .remove,
                    underlyingError: CocoaError(
                        .fileWriteNoPermission,
                        userInfo: [
                            NSFilePathErrorKey: "/tmp/\(secret)"
                        ]
                    )
                )
            ]
        },
        Sample("ValueCache") {
            let cache = ValueCache<String, String, String> { $0 }
            _ = try? await AnyNode<String, String> { text, _ in text }.wrapped(by: cache).process(secret)
            return [cache]
        },
        Sample("CachedValues") { [cachedValues] },
        Sample("CachedValues.AsyncIterator") { [cachedValues.makeAsyncIterator()] },
        Sample("CacheMissError") { [CacheMissError()] },
    ]

    private static let entry = HTTPCacheEntry(
        response: response,
        requestTime: Date(timeIntervalSince1970: 0),
        responseTime: Date(timeIntervalSince1970: 0),
        variant: secret
    )

    private static var cachedValues: CachedValues<Json> {
        let route = Route<Json>.get("users/{id}", ["id": secret], query: ["token": secret], headers: headers)
        return Client(baseURL: url).values(of: route, cache: .cacheThenNetwork)
    }

    private static func filled(_ store: some HTTPCacheStore) async -> (cache: HTTPCache, response: HTTPResponse?) {
        let cache = HTTPCache(store)
        var request = request
        request.method = .get
        request.body = nil
        let transport = StubTransport(.response(response)).wrapped(by: .cache(cache))
        return (cache, try? await transport.process(request))
    }
}
