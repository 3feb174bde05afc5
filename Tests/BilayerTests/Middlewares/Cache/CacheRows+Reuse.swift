import Bilayer
import Foundation

private let minute: HTTPHeaders = ["Cache-Control": "max-age=60"]
private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]
private let dated: HTTPHeaders = ["Cache-Control": "max-age=60", .lastModified: CacheRow.date(-1000)]

extension CacheRow {
    /// What a request says: its directives (§5.2.1, §5.4), its method, a range, its conditions.
    static let requests: [CacheRow] = [
        asks("5.2.1.1", "max-age of the request: young enough", "max-age=30", after: 30, .hit),
        asks("5.2.1.1", "max-age of the request: too old", "max-age=30", after: 31, .miss),
        asks("5.2.1.1", "max-age=0 asks the server", "max-age=0", after: 0, .miss),
        asks("5.2.1.1", "a malformed max-age asks the server", "max-age=soon", after: 1, .miss),
        asks("5.2", "a directive has no blanks around its sign", "max-age = 30", after: 1, .miss),
        asks("5.2.1.2", "max-stale accepts that staleness", "max-stale=10", after: 70, .stale),
        asks("5.2.1.2", "max-stale does not accept more", "max-stale=10", after: 71, .miss),
        asks("5.2.1.2", "max-stale without a number accepts any", "max-stale", after: 10_000, .stale),
        asks("5.2.1.2", "a malformed max-stale accepts none", "max-stale=much", after: 61, .miss),
        asks("5.2.1.2", "max-stale with blanks accepts none", "max-stale = 5", after: 61, .miss),
        asks("5.2.1.2", "an empty max-stale accepts none", "max-stale=\"\"", after: 61, .miss),
        asks("5.2.1.2", "max-stale with and without a number", "max-stale=5, max-stale", after: 61, .miss),
        asks("5.2.1.3", "min-fresh: fresh for long enough", "min-fresh=20", after: 40, .hit),
        asks("5.2.1.3", "min-fresh: not for long enough", "min-fresh=20", after: 41, .miss),
        asks("5.2.1.3", "a malformed min-fresh asks the server", "min-fresh=x", after: 1, .miss),
        asks("5.2.1.4", "no-cache asks the server", "no-cache", after: 1, .miss),
        asks("5.2.1.5", "no-store may be answered from the store", "no-store", after: 1, .hit),
        CacheRow(
            section: "5.2.1.7",
            rule: "only-if-cached without a response is 504",
            with: ["Cache-Control": "no-store"],
            thenAsking: ["Cache-Control": "only-if-cached"],
            expected: .response(.miss, 504)
        ),
        CacheRow(
            section: "5.2.1.7",
            rule: "only-if-cached with a fresh response",
            with: minute,
            after: 5,
            thenAsking: ["Cache-Control": "only-if-cached"],
            expected: .response(.hit)
        ),
        CacheRow(
            section: "5.2.1.7",
            rule: "only-if-cached with a stale response is 504",
            with: tagged,
            after: 61,
            thenAsking: ["Cache-Control": "only-if-cached"],
            expected: .response(.miss, 504)
        ),
        CacheRow(
            section: "5.4",
            rule: "Pragma: no-cache asks the server",
            with: minute,
            thenAsking: ["Pragma": "no-cache"],
            expected: .response(.miss)
        ),
        CacheRow(
            section: "5.4",
            rule: "Pragma is ignored beside Cache-Control",
            with: minute,
            after: 1,
            thenAsking: ["Pragma": "no-cache", "Cache-Control": "max-age=60"],
            expected: .response(.hit)
        ),
        CacheRow(
            section: "3",
            rule: "a HEAD is answered by the response to GET",
            with: minute,
            after: 5,
            method: .head,
            expected: .response(.hit),
            returns: ["Age": "5"]
        ),
        CacheRow(
            section: "3",
            rule: "a POST is never answered by a stored response",
            with: minute,
            method: .post,
            expected: .response(.bypass)
        ),
        CacheRow(
            section: "3.3",
            rule: "a range passes through",
            with: minute,
            thenAsking: ["Range": "bytes=0-1"],
            thenStatus: 206,
            expected: .response(.bypass, 206),
            sends: ["Range": "bytes=0-1"]
        ),
        CacheRow(
            section: "4.3.2",
            rule: "the caller's own condition passes through",
            with: tagged,
            thenAsking: [.ifNoneMatch: "\"9\""],
            thenStatus: 304,
            expected: .response(.bypass, 304),
            sends: [.ifNoneMatch: "\"9\""]
        ),
    ]

    /// §4.3: validation.
    static let validation: [CacheRow] = [
        CacheRow(
            section: "4.3.1",
            rule: "a stale response is validated by its entity tag",
            with: tagged,
            after: 61,
            thenStatus: 304,
            thenWith: [.eTag: "\"1\""],
            expected: .response(.revalidated),
            sends: [.ifNoneMatch: "\"1\"", .ifModifiedSince: ""]
        ),
        CacheRow(
            section: "4.3.1",
            rule: "a stale response is validated by its date",
            with: dated,
            after: 61,
            thenStatus: 304,
            expected: .response(.revalidated),
            sends: [.ifModifiedSince: date(-1000), .ifNoneMatch: ""]
        ),
        CacheRow(
            section: "4.3.1",
            rule: "both validators are sent",
            with: ["Cache-Control": "no-cache", .eTag: "W/\"1\"", .lastModified: date(-1000)],
            thenStatus: 304,
            thenWith: [.eTag: "W/\"1\""],
            expected: .response(.revalidated),
            sends: [.ifModifiedSince: date(-1000), .ifNoneMatch: "W/\"1\""]
        ),
        CacheRow(
            section: "4.3.1",
            rule: "a malformed entity tag is not sent",
            with: ["Cache-Control": "no-cache", .eTag: "1, \"2\""],
            expected: .response(.miss),
            sends: [.ifNoneMatch: ""]
        ),
        CacheRow(
            section: "4.3.1",
            rule: "without a validator the request has no condition",
            with: minute,
            after: 61,
            expected: .response(.miss),
            sends: [.ifNoneMatch: "", .ifModifiedSince: ""]
        ),
        CacheRow(
            section: "4.3.1",
            rule: "no-cache of the request validates",
            with: tagged,
            thenAsking: ["Cache-Control": "no-cache"],
            thenStatus: 304,
            thenWith: [.eTag: "\"1\""],
            expected: .response(.revalidated),
            sends: [.ifNoneMatch: "\"1\"", "Cache-Control": "no-cache"]
        ),
        CacheRow(
            section: "4.3.3",
            rule: "a whole response replaces the stored one",
            with: tagged,
            after: 61,
            thenWith: [.eTag: "\"2\""],
            expected: .response(.miss),
            returns: [.eTag: "\"2\""]
        ),
        CacheRow(
            section: "4.3.3",
            rule: "an error of the server is passed on",
            with: tagged,
            after: 61,
            thenStatus: 503,
            expected: .response(.miss, 503)
        ),
        CacheRow(
            section: "4.3.4",
            rule: "a 304 brings new fields",
            with: tagged,
            after: 61,
            thenStatus: 304,
            thenWith: [.eTag: "\"1\"", "X-New": "1"],
            expected: .response(.revalidated),
            returns: ["X-New": "1"]
        ),
        CacheRow(
            section: "4.3.4",
            rule: "a weak tag confirms a strong one",
            with: tagged,
            after: 61,
            thenStatus: 304,
            thenWith: [.eTag: "W/\"1\""],
            expected: .response(.revalidated)
        ),
        CacheRow(
            section: "4.3.4",
            rule: "a strong tag confirms a weak one",
            with: ["Cache-Control": "max-age=60", .eTag: "W/\"1\""],
            after: 61,
            thenStatus: 304,
            thenWith: [.eTag: "\"1\""],
            expected: .response(.revalidated)
        ),
        CacheRow(
            section: "4.3.4",
            rule: "a 304 without a validator confirms the only response",
            with: tagged,
            after: 61,
            thenStatus: 304,
            expected: .response(.revalidated)
        ),
        CacheRow(
            section: "3.2",
            rule: "a 304 does not change the fields of the body",
            with: ["Cache-Control": "max-age=60", .eTag: "\"1\"", .contentType: "text/a", .contentLength: "5"],
            after: 61,
            thenStatus: 304,
            thenWith: [.eTag: "\"1\"", .contentType: "text/b", .contentLength: "0"],
            expected: .response(.revalidated),
            returns: [.contentType: "text/a", .contentLength: "5"]
        ),
        CacheRow(
            section: "5.2.2.4",
            rule: "no-cache is validated although it is fresh",
            with: ["Cache-Control": "no-cache, max-age=60", .eTag: "\"1\""],
            after: 1,
            thenStatus: 304,
            thenWith: [.eTag: "\"1\""],
            expected: .response(.revalidated)
        ),
        CacheRow(
            section: "4.3.5",
            rule: "a HEAD with other validators removes the response",
            with: tagged,
            between: (.head, 200, [.eTag: "\"2\""]),
            after: 61,
            expected: .response(.miss),
            sends: [.ifNoneMatch: ""]
        ),
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
}
