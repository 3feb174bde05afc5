import Bilayer
import Foundation

private let minute: HTTPHeaders = ["Cache-Control": "max-age=60"]
private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

extension CacheRow {
    /// §4.2.4, RFC 5861: stale responses.
    static let stale: [CacheRow] = [
        CacheRow(
            section: "4.2.4",
            rule: "an error of the connection is passed on",
            with: tagged,
            after: 61,
            thenStatus: nil,
            expected: .failure
        ),
        fails(
            "5861 §4",
            "stale-if-error: within its time",
            "max-age=60, stale-if-error=10",
            after: 69,
            .response(.stale)
        ),
        fails("5861 §4", "stale-if-error: after its time", "max-age=60, stale-if-error=10", after: 70, .failure),
        fails("5861 §4", "a malformed stale-if-error", "max-age=60, stale-if-error=x", after: 61, .failure),
        fails(
            "5861 §4",
            "must-revalidate forbids it",
            "max-age=60, stale-if-error=10, must-revalidate",
            after: 61,
            .failure
        ),
        fails("5861 §4", "no-cache forbids it", "no-cache, stale-if-error=10", after: 1, .failure),
        CacheRow(
            section: "5861 §4",
            rule: "a 503 is an error",
            with: ["Cache-Control": "max-age=60, stale-if-error=10"],
            after: 61,
            thenStatus: 503,
            expected: .response(.stale)
        ),
        CacheRow(
            section: "5861 §4",
            rule: "a 404 is none",
            with: ["Cache-Control": "max-age=60, stale-if-error=10"],
            after: 61,
            thenStatus: 404,
            expected: .response(.miss, 404)
        ),
        CacheRow(
            section: "5861 §4",
            rule: "the request may allow it",
            with: minute,
            after: 65,
            thenAsking: ["Cache-Control": "stale-if-error=10"],
            thenStatus: nil,
            expected: .response(.stale)
        ),
        CacheRow(
            section: "5861 §4",
            rule: "a request for the server's response forbids it",
            with: ["Cache-Control": "max-age=60, stale-if-error=10"],
            after: 61,
            thenAsking: ["Cache-Control": "no-cache"],
            thenStatus: nil,
            expected: .failure
        ),
        CacheRow(
            section: "5861 §3",
            rule: "stale-while-revalidate: within its time",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10"],
            after: 69,
            expected: .response(.stale)
        ),
        CacheRow(
            section: "5861 §3",
            rule: "stale-while-revalidate: after its time",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10"],
            after: 70,
            expected: .response(.miss)
        ),
        CacheRow(
            section: "5861 §3",
            rule: "must-revalidate forbids stale-while-revalidate",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10, must-revalidate"],
            after: 61,
            expected: .response(.miss)
        ),
        CacheRow(
            section: "5.2.2.2",
            rule: "must-revalidate forbids max-stale",
            with: ["Cache-Control": "max-age=60, must-revalidate"],
            after: 61,
            thenAsking: ["Cache-Control": "max-stale"],
            expected: .response(.miss)
        ),
        CacheRow(
            section: "5.2.2.2",
            rule: "must-revalidate is fresh until then",
            with: ["Cache-Control": "max-age=60, must-revalidate"],
            after: 59,
            expected: .response(.hit)
        ),
        CacheRow(
            section: "5.2.2.8",
            rule: "proxy-revalidate forbids it to a shared cache",
            isShared: true,
            with: ["Cache-Control": "max-age=60, proxy-revalidate"],
            after: 61,
            thenAsking: ["Cache-Control": "max-stale"],
            expected: .response(.miss)
        ),
        CacheRow(
            section: "5.2.2.8",
            rule: "proxy-revalidate is nothing for a private cache",
            with: ["Cache-Control": "max-age=60, proxy-revalidate"],
            after: 61,
            thenAsking: ["Cache-Control": "max-stale"],
            expected: .response(.stale)
        ),
        CacheRow(
            section: "5.2.2.10",
            rule: "s-maxage forbids stale responses to a shared cache",
            isShared: true,
            with: ["Cache-Control": "s-maxage=60"],
            after: 61,
            thenAsking: ["Cache-Control": "max-stale"],
            expected: .response(.miss)
        ),
    ]

    /// §4.1: Vary.
    static let variants: [CacheRow] = [
        varies("Accept-Language", first: ["Accept-Language": "de"], second: ["Accept-Language": "de"], .hit),
        varies("accept-language", first: ["Accept-Language": "de"], second: ["Accept-Language": "en"], .miss),
        varies("Accept", first: [:], second: [:], .hit),
        varies("Accept", first: ["Accept": "a/b"], second: [:], .miss),
        varies("Accept ", first: [:], second: ["Accept": "a/b"], .miss),
        varies("ACCEPT", first: ["Accept": "a/b,c/d"], second: ["Accept": "a/b ,  c/d"], .hit),
        varies("Accept,", first: ["Accept": "a/b"], second: ["Accept": "A/B"], .miss),
        varies("*", first: [:], second: [:], .miss),
        varies("Accept, *", first: [:], second: [:], .miss),
        varies("Authorization", first: [.authorization: "Bearer 1"], second: [.authorization: "Bearer 2"], .miss),
        varies("X-Search", first: ["X-Search": "a,,b"], second: ["X-Search": "a,b"], .miss),
        varies("X-Search", first: ["X-Search": "a, b"], second: ["X-Search": "a,b"], .miss),
        varies("X-Search", first: ["X-Search": "\"a"], second: ["X-Search": "\"a"], .hit),
        varies("Accept-Language", first: ["Accept-Language": "de,,en"], second: ["Accept-Language": "de, en"], .hit),
        varies("X-A, X-B", first: ["X-A": "1", "X-B": "2"], second: ["X-B": "2", "X-A": "1"], .hit),
        varies("X-A,X-B", first: ["X-A": "1", "X-B": "2"], second: ["X-A": "2", "X-B": "1"], .miss),
    ]

    /// §4.4: invalidation.
    static let invalidation: [CacheRow] = [
        changes("a successful POST invalidates", .post, 201, .miss),
        changes("a successful PUT invalidates", .put, 204, .miss),
        changes("a successful DELETE invalidates", .delete, 200, .miss),
        changes("a successful PATCH invalidates", .patch, 200, .miss),
        changes("an unknown method invalidates", "PURGE", 200, .miss),
        changes("a redirected POST invalidates", .post, 303, .miss),
        changes("a failed POST invalidates nothing", .post, 422, .hit),
        changes("a POST that the server could not do invalidates nothing", .post, 500, .hit),
        changes("OPTIONS invalidates nothing", .options, 200, .hit),
    ]

    private static func fails(
        _ section: String,
        _ rule: String,
        _ directives: String,
        after: TimeInterval,
        _ expected: Outcome
    ) -> CacheRow {
        CacheRow(
            section: section,
            rule: rule,
            with: ["Cache-Control": directives, .eTag: "\"1\""],
            after: after,
            thenStatus: nil,
            expected: expected
        )
    }

    private static func varies(
        _ names: String,
        first: HTTPHeaders,
        second: HTTPHeaders,
        _ expected: CacheStatus
    ) -> CacheRow {
        CacheRow(
            section: "4.1",
            rule: "Vary: \(names), \(first.map(\.value)) then \(second.map(\.value))",
            asking: first,
            with: ["Cache-Control": "max-age=60", "Vary": names],
            after: 1,
            thenAsking: second,
            expected: .response(expected)
        )
    }

    private static func changes(
        _ rule: String,
        _ method: HTTPMethod,
        _ status: HTTPStatus,
        _ expected: CacheStatus
    ) -> CacheRow {
        CacheRow(
            section: "4.4",
            rule: rule,
            with: minute,
            between: (method, status, [:]),
            after: 1,
            expected: .response(expected)
        )
    }
}
