import Foundation
import Testing

@testable import Bilayer

@Suite("HTTPRequest: redirected")
struct HTTPRequestRedirectTests {
    @Test(arguments: [
        ("http://h/a/b?q", "c", "http://h/a/c"),
        ("http://h/a/b", "../c?x=1", "http://h/c?x=1"),
        ("http://h/a", "?x=1", "http://h/a?x=1"),
        ("http://h/a", "//other/b", "http://other/b"),
        ("https://h/a", "//other/b", "https://other/b"),
        ("http://h/a", "https://h/a", "https://h/a"),
        ("https://h/a", "http://h/a", nil),
        ("http://h/a", "javascript:alert(1)", nil),
        ("http://h/a", "http:///b", nil),
        ("http://h/a#f", "b", "http://h/b#f"),
        ("http://h/a#f", "b#g", "http://h/b#g"),
        ("http://h/a", "/g?page[number]=2&filter=a%20b", "http://h/g?page%5Bnumber%5D=2&filter=a%20b"),
        ("http://h/a", "/g?q=a b&c=%2B", "http://h/g?q=a%20b&c=%2B"),
        ("http://h/a", "/\u{e9}/%C3%A9?q=\u{e9}#\u{e9}%20", "http://h/%C3%A9/%C3%A9?q=%C3%A9#%C3%A9%20"),
        ("http://h/a", "http://[::1]:8080/[a]?b=//c|d%7C", "http://[::1]:8080/%5Ba%5D?b=//c%7Cd%7C"),
        ("http://h/a", "b//c?d=[1]", "http://h/b//c?d=%5B1%5D"),
        ("http://h/a", "/s?q=%C3%A9&d=50%", "http://h/s?q=%C3%A9&d=50%25"),
        ("http://h/a", "/caf%C3%A9?d=100%&n=a%20b", "http://h/caf%C3%A9?d=100%25&n=a%20b"),
        ("http://h/a", "/%4?%%41=%zz#%20%", "http://h/%254?%25%41=%25zz#%20%25"),
        ("http://h/a", "http://h/%C3%A9/50%", "http://h/%C3%A9/50%25"),
    ])
    func resolvesTheTarget(from: String, location: String, target: String?) throws {
        let request = HTTPRequest(url: try #require(URL(string: from)))
        let next = request.redirected(by: HTTPResponse(status: 302, headers: [.location: location]))
        #expect(next?.url.absoluteString == target)
    }

    @Test(arguments: [("http://h/b", true), ("http://other/b", false)])
    func aHostOfTheAppsOwnIsForItsOrigin(to: String, isKept: Bool) throws {
        let request = HTTPRequest(url: URL("http://h/a"), headers: ["Host": "tenant.example"])
        let next = try #require(request.redirected(by: HTTPResponse(status: 307, headers: [.location: to])))
        #expect((next.headers["Host"] != nil) == isKept)
    }

    @Test(arguments: [
        ("http://h/a", "http://H:80/b", true), ("https://h/a", "https://h:443/b", true),
        ("http://h/a", "http://h:8080/b", false),
        ("http://h/a", "https://h/b", false), ("http://h/a", "http://h.evil/b", false),
        ("http://a.h/", "http://b.h/", false),
    ])
    func comparesTheOrigin(from: String, to: String, keepsCredentials: Bool) throws {
        let request = HTTPRequest(url: try #require(URL(string: from)), headers: [.authorization: "Bearer t"])
        let next = try #require(request.redirected(by: HTTPResponse(status: 307, headers: [.location: to])))
        #expect((next.headers[.authorization] != nil) == keepsCredentials)
    }
}

/// A `Location` is text from outside: whatever it is, there is a target or none.
@Suite("HTTPRequest: redirected by any text")
struct HTTPRequestRedirectTextTests {
    @Test(arguments: [UInt64(1), 2])
    func aTargetIsAnAddressOfHTTP(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let request = HTTPRequest(url: try #require(URL(string: "http://h/a/b?q#f")))
        let parts =
            [
                "http://", "https:", "//", "/", "..", "?", "#", "[", "]", "[::1]", "@", "u:p@", ":", ":80",
                ":99999999999999",
            ]
            + ["%", "%2", "%zz", "%00", "%FF", "é", "😀", "\u{0}", "\u{301}", " ", "h", "xn--", "\\", "\"", "{"]
        var targets = 0
        for round in 0..<3_000 {
            let location = (0..<Int.random(in: 0...7, using: &generator))
                .map { _ in parts[Int.random(in: parts.indices, using: &generator)] }
                .joined()
            guard let next = request.redirected(by: HTTPResponse(status: 302, headers: [.location: location])) else {
                continue
            }
            targets += 1
            #expect(throws: Never.self, "seed \(seed), round \(round)") { try next.validate() }
            #expect(!next.description.isEmpty)
        }
        #expect((300..<2_700).contains(targets), "seed \(seed)")
    }
}
