import Bilayer
import Foundation

private let minute: HTTPHeaders = ["Cache-Control": "max-age=60"]
private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]
private let dated: HTTPHeaders = ["Cache-Control": "max-age=60", .lastModified: CacheRow.date(-1000)]

extension CacheRow {
    /// §5.2.1 and §5.4: what a request asks for.
    static let requests: [CacheRow] = [
        asks("5.2.1.1", "max-age of the request: young enough", "max-age=30", after: 30, .hit),
        asks("5.2.1.1", "max-age of the request: too old", "max-age=30", after: 31, .miss),
        asks("5.2.1.1", "max-age=0 asks the server", "max-age=0", after: 0, .miss),
        asks("5.2.1.1", "a malformed max-age asks the server", "max-age=soon", after: 1, .miss),
        asks("5.2.1.2", "max-stale accepts that staleness", "max-stale=10", after: 70, .stale),
        asks("5.2.1.2", "max-stale does not accept more", "max-stale=10", after: 71, .miss),
        asks("5.2.1.2", "max-stale without a number accepts any", "max-stale", after: 10_000, .stale),
        asks("5.2.1.2", "a malformed max-stale accepts none", "max-stale=much", after: 61, .miss),
        asks("5.2.1.3", "min-fresh: fresh for long enough", "min-fresh=20", after: 40, .hit),
        asks("5.2.1.3", "min-fresh: not for long enough", "min-fresh=20", after: 41, .miss),
        asks("5.2.1.3", "a malformed min-fresh asks the server", "min-fresh=x", after: 1, .miss),
        asks("5.2.1.4", "no-cache asks the server", "no-cache", after: 1, .miss),
        asks("5.2.1.5", "no-store may be answered from the store", "no-store", after: 1, .hit),
        CacheRow(section: "5.2.1.7", rule: "only-if-cached without a response is 504", with: ["Cache-Control": "no-store"],
            thenAsking: ["Cache-Control": "only-if-cached"], expected: .response(.miss, 504)),
        CacheRow(section: "5.2.1.7", rule: "only-if-cached with a fresh response", with: minute, after: 5,
            thenAsking: ["Cache-Control": "only-if-cached"], expected: .response(.hit)),
        CacheRow(section: "5.2.1.7", rule: "only-if-cached with a stale response is 504", with: tagged, after: 61,
            thenAsking: ["Cache-Control": "only-if-cached"], expected: .response(.miss, 504)),
        CacheRow(section: "5.4", rule: "Pragma: no-cache asks the server", with: minute,
            thenAsking: ["Pragma": "no-cache"], expected: .response(.miss)),
        CacheRow(section: "5.4", rule: "Pragma is ignored beside Cache-Control", with: minute, after: 1,
            thenAsking: ["Pragma": "no-cache", "Cache-Control": "max-age=60"], expected: .response(.hit)),
        CacheRow(section: "3", rule: "a HEAD is answered by the response to GET", with: minute, after: 5, method: .head,
            expected: .response(.hit), returns: ["Age": "5"]),
        CacheRow(section: "3", rule: "a POST is never answered by a stored response", with: minute, method: .post,
            expected: .response(.bypass)),
        CacheRow(section: "3.3", rule: "a range passes through", with: minute, thenAsking: ["Range": "bytes=0-1"],
            thenStatus: 206, expected: .response(.bypass, 206), sends: ["Range": "bytes=0-1"]),
        CacheRow(section: "4.3.2", rule: "the caller's own condition passes through", with: tagged,
            thenAsking: [.ifNoneMatch: "\"9\""], thenStatus: 304, expected: .response(.bypass, 304),
            sends: [.ifNoneMatch: "\"9\""]),
    ]

    /// §4.3: validation.
    static let validation: [CacheRow] = [
        CacheRow(section: "4.3.1", rule: "a stale response is validated by its entity tag", with: tagged, after: 61,
            thenStatus: 304, thenWith: [.eTag: "\"1\""], expected: .response(.revalidated),
            sends: [.ifNoneMatch: "\"1\"", .ifModifiedSince: ""]),
        CacheRow(section: "4.3.1", rule: "a stale response is validated by its date", with: dated, after: 61,
            thenStatus: 304, expected: .response(.revalidated), sends: [.ifModifiedSince: date(-1000), .ifNoneMatch: ""]),
        CacheRow(section: "4.3.1", rule: "both validators are sent",
            with: ["Cache-Control": "no-cache", .eTag: "W/\"1\"", .lastModified: date(-1000)],
            thenStatus: 304, thenWith: [.eTag: "W/\"1\""], expected: .response(.revalidated),
            sends: [.ifModifiedSince: date(-1000), .ifNoneMatch: "W/\"1\""]),
        CacheRow(section: "4.3.1", rule: "a malformed entity tag is not sent",
            with: ["Cache-Control": "no-cache", .eTag: "1, \"2\""], expected: .response(.miss), sends: [.ifNoneMatch: ""]),
        CacheRow(section: "4.3.1", rule: "without a validator the request has no condition", with: minute, after: 61,
            expected: .response(.miss), sends: [.ifNoneMatch: "", .ifModifiedSince: ""]),
        CacheRow(section: "4.3.1", rule: "no-cache of the request validates", with: tagged,
            thenAsking: ["Cache-Control": "no-cache"], thenStatus: 304, thenWith: [.eTag: "\"1\""],
            expected: .response(.revalidated), sends: [.ifNoneMatch: "\"1\"", "Cache-Control": "no-cache"]),
        CacheRow(section: "4.3.3", rule: "a whole response replaces the stored one", with: tagged, after: 61,
            thenWith: [.eTag: "\"2\""], expected: .response(.miss), returns: [.eTag: "\"2\""]),
        CacheRow(section: "4.3.3", rule: "an error of the server is passed on", with: tagged, after: 61,
            thenStatus: 503, expected: .response(.miss, 503)),
        CacheRow(section: "4.3.4", rule: "a 304 brings new fields", with: tagged, after: 61, thenStatus: 304,
            thenWith: [.eTag: "\"1\"", "X-New": "1"], expected: .response(.revalidated), returns: ["X-New": "1"]),
        CacheRow(section: "4.3.4", rule: "a weak tag confirms a strong one", with: tagged, after: 61, thenStatus: 304,
            thenWith: [.eTag: "W/\"1\""], expected: .response(.revalidated)),
        CacheRow(section: "4.3.4", rule: "a 304 without a validator confirms the only response", with: tagged, after: 61,
            thenStatus: 304, expected: .response(.revalidated)),
        CacheRow(section: "3.2", rule: "a 304 does not change the fields of the body",
            with: ["Cache-Control": "max-age=60", .eTag: "\"1\"", .contentType: "text/a", .contentLength: "5"], after: 61,
            thenStatus: 304, thenWith: [.eTag: "\"1\"", .contentType: "text/b", .contentLength: "0"],
            expected: .response(.revalidated), returns: [.contentType: "text/a", .contentLength: "5"]),
        CacheRow(section: "5.2.2.4", rule: "no-cache is validated although it is fresh",
            with: ["Cache-Control": "no-cache, max-age=60", .eTag: "\"1\""], after: 1, thenStatus: 304,
            thenWith: [.eTag: "\"1\""], expected: .response(.revalidated)),
        CacheRow(section: "4.3.5", rule: "a HEAD with other validators removes the response", with: tagged,
            between: (.head, 200, [.eTag: "\"2\""]), after: 61, expected: .response(.miss), sends: [.ifNoneMatch: ""]),
    ]

    /// §4.2.4, RFC 5861: stale responses.
    static let stale: [CacheRow] = [
        CacheRow(section: "4.2.4", rule: "an error of the connection is passed on", with: tagged, after: 61,
            thenStatus: nil, expected: .failure),
        fails("5861 §4", "stale-if-error: within its time", "max-age=60, stale-if-error=10", after: 69, .response(.stale)),
        fails("5861 §4", "stale-if-error: after its time", "max-age=60, stale-if-error=10", after: 70, .failure),
        fails("5861 §4", "a malformed stale-if-error", "max-age=60, stale-if-error=x", after: 61, .failure),
        fails("5861 §4", "must-revalidate forbids it", "max-age=60, stale-if-error=10, must-revalidate", after: 61,
            .failure),
        fails("5861 §4", "no-cache forbids it", "no-cache, stale-if-error=10", after: 1, .failure),
        CacheRow(section: "5861 §4", rule: "a 503 is an error", with: ["Cache-Control": "max-age=60, stale-if-error=10"],
            after: 61, thenStatus: 503, expected: .response(.stale)),
        CacheRow(section: "5861 §4", rule: "a 404 is none", with: ["Cache-Control": "max-age=60, stale-if-error=10"],
            after: 61, thenStatus: 404, expected: .response(.miss, 404)),
        CacheRow(section: "5861 §4", rule: "the request may allow it", with: minute, after: 65,
            thenAsking: ["Cache-Control": "stale-if-error=10"], thenStatus: nil, expected: .response(.stale)),
        CacheRow(section: "5861 §4", rule: "a request for the server's response forbids it",
            with: ["Cache-Control": "max-age=60, stale-if-error=10"], after: 61,
            thenAsking: ["Cache-Control": "no-cache"], thenStatus: nil, expected: .failure),
        CacheRow(section: "5861 §3", rule: "stale-while-revalidate: within its time",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10"], after: 69, expected: .response(.stale)),
        CacheRow(section: "5861 §3", rule: "stale-while-revalidate: after its time",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10"], after: 70, expected: .response(.miss)),
        CacheRow(section: "5861 §3", rule: "must-revalidate forbids stale-while-revalidate",
            with: ["Cache-Control": "max-age=60, stale-while-revalidate=10, must-revalidate"], after: 61,
            expected: .response(.miss)),
        CacheRow(section: "5.2.2.2", rule: "must-revalidate forbids max-stale",
            with: ["Cache-Control": "max-age=60, must-revalidate"], after: 61,
            thenAsking: ["Cache-Control": "max-stale"], expected: .response(.miss)),
        CacheRow(section: "5.2.2.2", rule: "must-revalidate is fresh until then",
            with: ["Cache-Control": "max-age=60, must-revalidate"], after: 59, expected: .response(.hit)),
        CacheRow(section: "5.2.2.8", rule: "proxy-revalidate forbids it to a shared cache", isShared: true,
            with: ["Cache-Control": "max-age=60, proxy-revalidate"], after: 61,
            thenAsking: ["Cache-Control": "max-stale"], expected: .response(.miss)),
        CacheRow(section: "5.2.2.8", rule: "proxy-revalidate is nothing for a private cache",
            with: ["Cache-Control": "max-age=60, proxy-revalidate"], after: 61,
            thenAsking: ["Cache-Control": "max-stale"], expected: .response(.stale)),
        CacheRow(section: "5.2.2.10", rule: "s-maxage forbids stale responses to a shared cache", isShared: true,
            with: ["Cache-Control": "s-maxage=60"], after: 61, thenAsking: ["Cache-Control": "max-stale"],
            expected: .response(.miss)),
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

    private static func asks(
        _ section: String,
        _ rule: String,
        _ directives: String,
        after: TimeInterval,
        _ expected: CacheStatus
    ) -> CacheRow {
        CacheRow(
            section: section,
            rule: rule,
            with: minute,
            after: after,
            thenAsking: ["Cache-Control": directives],
            expected: .response(expected)
        )
    }

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
