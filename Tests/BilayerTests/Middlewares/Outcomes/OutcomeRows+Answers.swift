import Bilayer
import BilayerTesting
import Foundation

// Complete answers that request something of the client, and redirects.
extension OutcomeRow {
    static let answers: [Self] = [
        .answers("none", .json("[]")),
        .answers("404", .text("no", status: 404), status: 404, body: "no"),
        .answers("500", .text("defect", status: 500), status: 500, body: "defect"),
        .answers("503", .text("busy", status: 503), status: 503, body: "busy", isRetried: true),
        .answers("401 Basic", .basicChallenge(), status: 401, body: refused),
        .answers("401 Bearer", .bearerChallenge(), status: 401, body: refused),
        .answers("401 Digest", .digestChallenge(), status: 401, body: refused),
        .answers("407", .proxyChallenge(), status: 407, body: refused),
        .answers("429, Retry-After: 0", .retryAfter("0", status: 429), status: 429, body: later, isRetried: true),
        .answers("503, Retry-After: rubbish", .retryAfter("soon"), status: 503, body: later, isRetried: true),
        .answers("429, Retry-After: blank", .retryAfter("", status: 429), status: 429, body: later, isRetried: true),
        // A retry does not wait for so long: the call ends with this answer.
        .answers("429, Retry-After: 31 years", .retryAfter("999999999", status: 429), status: 429, body: later),
        .answers("503, Retry-After: over 64 bits", .retryAfter("99999999999999999999"), status: 503, body: later),
        .answers("503, Retry-After: the year 9999", yearFarAway, status: 503, body: later),
        // Without a `Date` field, a date in `Retry-After` says no wait.
        .answers(
            "503, Retry-After: a date alone",
            .retryAfter("Fri, 31 Dec 9999 23:59:59 GMT"),
            status: 503,
            body: later,
            isRetried: true
        ),
    ]

    static let redirects: [Self] = [
        .fails("redirect with a body that is cut", cutRedirect, .brokenBody, status: 302, body: "[", isRetried: true) {
            $0.session = Outcome(kind: .brokenBody)
        },
        .fails("redirect to itself", .redirect(to: "/a"), .tooManyRedirects) { $0.requests = 21 },
        .fails("redirects in a circle", .redirect(to: "/b"), .tooManyRedirects) {
            $0.requests = 21
            $0.further = { server, _ in server.on(.get, "/b", .redirect(to: "/a")) }
        },
        .answers("redirect to another host", .redirect(to: "/replaced"), body: "elsewhere") {
            $0.further = { server, other in
                let address = other.url.absoluteString.replacing("127.0.0.1", with: "localhost")
                server.on(.get, "/a", .redirect(to: "\(address)/b"))
                other.on(.get, "/b", .text("elsewhere"))
            }
        },
        .answers("303 of a POST", .redirect(to: "/b", status: 303), body: "GET ") { post(&$0, next: .get) },
        .answers("307 of a POST", .redirect(to: "/b", status: 307), body: "POST body") { post(&$0, next: .post) },
        .answers("308 of a POST", .redirect(to: "/b", status: 308), body: "POST body") { post(&$0, next: .post) },
        .answers("redirect without an address", .text("where", status: 302), status: 302, body: "where") {
            // `URLSession` on Linux loses the body of this response.
            $0.session = Outcome(status: 302)
        },
    ]

    private static let refused = #"{"error":"unauthorized"}"#
    private static let later = #"{"error":"later"}"#

    private static let yearFarAway = Reply.json(
        later,
        status: 503,
        headers: [.retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT", .date: "Wed, 01 Jul 2026 00:00:00 GMT"]
    )

    private static let cutRedirect = Reply(
        .head("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n"),
        .body("["),
        .close
    )

    /// The address that the redirect names answers with the method and the body that it received.
    private static func post(_ row: inout Self, next: HTTPMethod) {
        (row.method, row.requestBody, row.requests) = (.post, Data("body".utf8), 2)
        row.further = { server, _ in server.on(next, "/b") { .text("\($0.method) \($0.bodyText)") } }
    }
}
