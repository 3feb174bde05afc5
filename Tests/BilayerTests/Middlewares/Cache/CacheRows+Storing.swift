import Bilayer
import Foundation

extension CacheRow {
    static let all = storing + freshness + requests + validation + stale + variants + invalidation

    /// §3: what is stored. Each row sends the request again at once.
    static let storing: [CacheRow] = [
        row("3", "a GET with max-age is stored", ["Cache-Control": "max-age=60"], .hit),
        row("3", "public alone does not make a response fresh", ["Cache-Control": "public"], .miss),
        row("3", "private is stored by a private cache", ["Cache-Control": "private, max-age=60"], .hit),
        row("3", "private is not stored by a shared cache", ["Cache-Control": "private, max-age=60"], .miss, true),
        row("3", "no-store is not stored", ["Cache-Control": "no-store, max-age=60"], .miss),
        row("3", "no-store with an argument is not stored", ["Cache-Control": "no-store=1, max-age=60"], .miss),
        row(
            "3",
            "no-store in another line counts",
            ["Cache-Control": "max-age=60", "cache-control": "No-Store"],
            .miss
        ),
        row("3", "no-store behind a quote without end counts", ["Cache-Control": "max-age=60, a=\"b, no-store"], .miss),
        row("3", "no-store inside of quotes is text", ["Cache-Control": "max-age=60, a=\"b, no-store\""], .hit),
        row("3", "206 is not stored", ["Cache-Control": "max-age=60"], .miss, status: 206),
        row("3", "500 without a directive is not stored", [.lastModified: date(-10_000)], .miss, status: 500),
        row("3", "an unknown status with max-age is stored", ["Cache-Control": "max-age=60"], .hit, status: 299),
        row("3", "302 with max-age is stored", ["Cache-Control": "max-age=60"], .hit, status: 302),
        row("3", "302 without a directive is not stored", [.lastModified: date(-10_000)], .miss, status: 302),
        row("3", "404 with max-age is stored", ["Cache-Control": "max-age=60"], .hit, status: 404),
        row("3", "410 is stored heuristically", [.lastModified: date(-10_000)], .hit, status: 410),
        row("3", "204 with max-age is stored", ["Cache-Control": "max-age=60"], .hit, status: 204),
        row(
            "3.1",
            "the fields of the connection are not stored",
            [
                "Cache-Control": "max-age=60", "Connection": "X-Hop",
                "X-Hop": "1", "Keep-Alive": "5", "X-Kept": "1",
            ],
            .hit,
            returns: ["X-Hop": "", "Connection": "", "Keep-Alive": "", "X-Kept": "1"]
        ),
        row(
            "3.1",
            "a cookie belongs to the first response only",
            ["Cache-Control": "max-age=60", .setCookie: "a=b"],
            .hit,
            returns: [.setCookie: ""]
        ),
        row(
            "3.3",
            "a body shorter than its length is not stored",
            ["Cache-Control": "max-age=60", .contentLength: "9"],
            .miss
        ),
        row(
            "3.3",
            "a compressed body has another length",
            [
                "Cache-Control": "max-age=60", .contentLength: "9",
                .contentEncoding: "gzip",
            ],
            .hit
        ),
        row(
            "3.5",
            "a private cache stores responses to Authorization",
            ["Cache-Control": "max-age=60"],
            .hit,
            asking: [.authorization: "Bearer 1"]
        ),
        row(
            "3.5",
            "a shared cache does not",
            ["Cache-Control": "max-age=60"],
            .miss,
            true,
            asking: [.authorization: "Bearer 1"]
        ),
        row(
            "3.5",
            "a shared cache does with public",
            ["Cache-Control": "public, max-age=60"],
            .hit,
            true,
            asking: [.authorization: "Bearer 1"]
        ),
        row(
            "3.5",
            "a shared cache does with s-maxage",
            ["Cache-Control": "s-maxage=60"],
            .hit,
            true,
            asking: [.authorization: "Bearer 1"]
        ),
        row(
            "3.5",
            "a shared cache does with must-revalidate",
            ["Cache-Control": "must-revalidate, max-age=60"],
            .hit,
            true,
            asking: [.authorization: "Bearer 1"]
        ),
        row(
            "5.2.1.5",
            "no-store of the request prevents storing",
            ["Cache-Control": "max-age=60"],
            .miss,
            asking: ["Cache-Control": "no-store"]
        ),
        row(
            "5.2.2.3",
            "must-understand with a known status replaces no-store",
            ["Cache-Control": "must-understand, no-store, max-age=60"],
            .hit
        ),
        row(
            "5.2.2.3",
            "must-understand with an unknown status is not stored",
            ["Cache-Control": "must-understand, max-age=60"],
            .miss,
            status: 299
        ),
        row(
            "5.2.2.4",
            "fields of no-cache are not reused",
            [
                "Cache-Control": "max-age=60, no-cache=\"X-Once, X-Two\"",
                "X-Once": "1", "X-Two": "2",
            ],
            .hit,
            returns: ["X-Once": "", "X-Two": ""]
        ),
        row(
            "5.2.2.4",
            "no-cache with an empty list is one without",
            ["Cache-Control": "max-age=60, no-cache=\"\""],
            .miss
        ),
        row(
            "5.2.2.7",
            "fields of private are not reused by a shared cache",
            ["Cache-Control": "max-age=60, private=\"X-Own\"", "X-Own": "1"],
            .hit,
            true,
            returns: ["X-Own": ""]
        ),
        row(
            "5.2.2.7",
            "fields of private are reused by a private cache",
            ["Cache-Control": "max-age=60, private=\"X-Own\"", "X-Own": "1"],
            .hit,
            returns: ["X-Own": "1"]
        ),
    ]

    /// §4.2: how long a response is fresh.
    static let freshness: [CacheRow] = [
        row("4.2", "fresh until max-age", ["Cache-Control": "max-age=60"], .hit, after: 59, returns: ["Age": "59"]),
        row("4.2", "stale at max-age", ["Cache-Control": "max-age=60"], .miss, after: 60),
        row("4.2", "max-age=0 is stale at once", ["Cache-Control": "max-age=0"], .miss),
        row(
            "4.2.1",
            "max-age goes before Expires",
            ["Cache-Control": "max-age=60", "Expires": date(5)],
            .hit,
            after: 30
        ),
        row("4.2.1", "s-maxage is for shared caches", ["Cache-Control": "s-maxage=60"], .hit, true, after: 30),
        row(
            "4.2.1",
            "s-maxage goes before max-age",
            ["Cache-Control": "max-age=60, s-maxage=5"],
            .miss,
            true,
            after: 30
        ),
        row("4.2.1", "s-maxage is nothing for a private cache", ["Cache-Control": "s-maxage=60"], .miss, after: 30),
        row("4.2.1", "two equal max-age are one", ["Cache-Control": "max-age=60, max-age=60"], .hit, after: 30),
        row("4.2.1", "two different max-age are stale", ["Cache-Control": "max-age=60, max-age=90"], .miss),
        row(
            "4.2.1",
            "max-age that is no number is stale",
            ["Cache-Control": "max-age=60s", "Expires": date(60)],
            .miss
        ),
        row("4.2.1", "max-age with a slip in its name is stale", ["Cache-Control": "max-age;=60"], .miss),
        row("4.2.1", "so is another directive's beginning", ["Cache-Control": "max-age@x=60"], .miss),
        row("4.2.1", "an open quote is stale", ["Cache-Control": "max-age=\"60"], .miss),
        row("4.2.1", "a quote in a number is stale", ["Cache-Control": "max-age=\"6\"0\""], .miss),
        row("4.2.1", "a number in quotes counts", ["Cache-Control": "max-age=\"60\""], .hit, after: 30),
        row("4.2.1", "max-age without a number is stale", ["Cache-Control": "max-age"], .miss),
        row("4.2.1", "a negative max-age is stale", ["Cache-Control": "max-age=-1"], .miss),
        row("4.2.1", "max-age of a fraction is stale", ["Cache-Control": "max-age=1.5"], .miss),
        row("5.2", "max-age in quotes is read", ["Cache-Control": "max-age=\"60\""], .hit, after: 30),
        row("5.2", "directives are read without case", ["Cache-Control": "MAX-AGE=60"], .hit, after: 30),
        row("5.2", "empty elements are skipped", ["Cache-Control": ", ,max-age=60,,"], .hit, after: 30),
        row(
            "5.2.3",
            "unknown directives are ignored",
            ["Cache-Control": "community=\"UCI\", max-age=60"],
            .hit,
            after: 30
        ),
        row(
            "1.2.2",
            "a huge max-age is the largest one",
            ["Cache-Control": "max-age=99999999999999999999"],
            .hit,
            after: 1_000_000_000
        ),
        row("5.3", "Expires in the future is fresh", ["Expires": date(60)], .hit, after: 59),
        row("5.3", "Expires counts from Date", ["Expires": date(60), .date: date(-100)], .hit, after: 30),
        row("5.3", "Expires in the past is stale", ["Expires": date(-1)], .miss),
        row("5.3", "Expires: 0 is stale", ["Expires": "0"], .miss),
        row("5.3", "Expires twice is stale", ["Expires": date(60), "expires": date(90)], .miss),
        row(
            "5.3",
            "a malformed Expires is stale although the heuristic says more",
            ["Expires": "tomorrow", .lastModified: date(-10_000)],
            .miss
        ),
        row("4.2.2", "a tenth of the time since Last-Modified", [.lastModified: date(-1000)], .hit, after: 99),
        row("4.2.2", "stale after that tenth", [.lastModified: date(-1000)], .miss, after: 100, thenStatus: 200),
        row("4.2.2", "the heuristic is at most a day", [.lastModified: date(-100_000_000)], .miss, after: 86_400),
        row("4.2.2", "nothing is guessed without Last-Modified", [:], .miss),
        row("4.2.2", "Last-Modified in the future is stale", [.lastModified: date(1000)], .miss),
        row(
            "4.2.2",
            "public allows the heuristic",
            ["Cache-Control": "public", .lastModified: date(-1000)],
            .hit,
            status: 299,
            after: 50
        ),
        row("4.2.3", "Age of another cache counts", ["Cache-Control": "max-age=60", "Age": "50"], .miss, after: 10),
        row(
            "4.2.3",
            "Age is added to the time since then",
            ["Cache-Control": "max-age=60", "Age": "20"],
            .hit,
            after: 10,
            returns: ["Age": "30"]
        ),
        row("4.2.3", "an old Date is an age", ["Cache-Control": "max-age=60", .date: date(-60)], .miss),
        row(
            "4.2.3",
            "a Date in the future is no age",
            ["Cache-Control": "max-age=60", .date: date(600)],
            .hit,
            after: 30
        ),
        row(
            "4.2.3",
            "a missing Date is the time of arrival",
            ["Cache-Control": "max-age=60", .date: "-"],
            .hit,
            after: 30
        ),
        row("4.2.3", "the time of the response counts", ["Cache-Control": "max-age=60"], .miss, taking: 40, after: 20),
        row(
            "4.2.3",
            "the time of the response is in Age",
            ["Cache-Control": "max-age=60"],
            .hit,
            taking: 15,
            after: 20,
            returns: ["Age": "35"]
        ),
        row(
            "4.2.3",
            "a clock that was set back makes a response stale",
            ["Cache-Control": "max-age=60"],
            .miss,
            after: -5
        ),
        row(
            "5.1",
            "of two Age the first one counts",
            ["Cache-Control": "max-age=60", "Age": "20, 59"],
            .hit,
            after: 10
        ),
        row("5.1", "a malformed Age is ignored", ["Cache-Control": "max-age=60", "Age": "old"], .hit, after: 10),
        row("5.1", "a negative Age is ignored", ["Cache-Control": "max-age=60", "Age": "-50"], .hit, after: 59),
    ]

    static func row(
        _ section: String,
        _ rule: String,
        _ with: HTTPHeaders,
        _ expected: CacheStatus,
        _ isShared: Bool = false,
        status: HTTPStatus = 200,
        asking: HTTPHeaders = [:],
        taking: TimeInterval = 0,
        after: TimeInterval = 0,
        thenStatus: HTTPStatus? = 200,
        returns: [HTTPHeaders.Name: String] = [:]
    ) -> CacheRow {
        let isStored = [.hit, .stale, .revalidated].contains(expected)
        return CacheRow(
            section: section,
            rule: rule,
            isShared: isShared,
            asking: asking,
            status: status,
            with: with,
            taking: taking,
            after: after,
            thenStatus: thenStatus,
            expected: .response(expected, isStored ? status : thenStatus ?? 200),
            returns: returns
        )
    }
}
