import Foundation
import Testing

@testable import Bilayer

/// `URLComponents` ends the process when one of its percent-encoded parts is set to a text that is not percent-encoded.
/// Whatever text a route has, the outcome is an address with the same text, or a ``RouteError``.
@Suite("Endpoint: texts from outside")
struct EndpointSafetyTests {
    private let base = URL(string: "https://api.example.com/v1?key=1") ?? URL(fileURLWithPath: "/")

    private func components(_ endpoint: Endpoint, base: URL? = nil) throws -> URLComponents {
        let url = try endpoint.url(relativeTo: base ?? self.base)
        return try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
    }

    @Test(arguments: ["%", "50%", "a%2", "%zz", "%4", "%%41", "a%é", "x?cursor=50%", "x?a=%G0", "x?%", "x?a=1&b=%"])
    func aPercentSignWithoutTwoDigitsIsRefused(path: String) {
        let error = #expect(throws: RouteError.self) { try Endpoint(.get, path).url(relativeTo: base) }
        #expect(error?.reason == "found a % without two hexadecimal digits, expected %25 or an escape")
    }

    @Test func theErrorShowsNoValueOfTheQuery() throws {
        let error = #expect(throws: RouteError.self) {
            try Endpoint(.get, "items?cursor=s3cr3t%").url(relativeTo: base)
        }
        #expect(error?.description.hasPrefix("GET items?cursor=…: ") == true)
    }

    @Test(arguments: (UInt32(0)...0x17F).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{FFFD}", "\u{10FFFF}", "😀"])
    func everyCharacterGoesThroughOrIsRefused(scalar: Unicode.Scalar) throws {
        let text = "x\(Character(scalar))y"
        if !["%", "{", "?", "/"].contains(scalar) {
            #expect(try components(Endpoint(.get, text)).path == "/v1/" + text)
        }
        if !["%", "{"].contains(scalar) {
            #expect(try components(Endpoint(.get, "a?b=\(text)")).query == "key=1&b=" + text)
        }
        #expect(try components(Endpoint(.get, "{a}", arguments: ["a": text])).path == "/v1/" + text)
        let items = try components(Endpoint(.get, "a", query: [text: text])).queryItems
        #expect(items?.last == URLQueryItem(name: text, value: text))
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func randomTextsGiveTheSameTextBackOrAnError(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var addresses = 0
        for round in 0..<2_000 {
            let path = text(using: &generator)
            let argument = text(using: &generator)
            let query: QueryItems = [text(using: &generator): text(using: &generator)]
            let endpoint = Endpoint(.get, path + "/{id}", arguments: ["id": argument], query: query)
            do {
                let found = try components(endpoint)
                addresses += 1
                let template = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
                if template.count < 2 {
                    let own = String((path + "/").unicodeScalars.drop { $0 == "/" })
                    #expect(
                        found.percentEncodedPath.removingPercentEncoding
                            == "/v1/\(own.removingPercentEncoding ?? own)\(argument)",
                        "seed \(seed), round \(round)"
                    )
                }
                #expect(found.queryItems?.last?.value == query.items.last?.value, "seed \(seed), round \(round)")
            } catch is RouteError {
                // The text was refused before Foundation saw it.
            }
        }
        #expect(addresses > 200 && addresses < 2_000, "seed \(seed): \(addresses)")
    }

    @Test(arguments: [
        "http://h/50%", "http://h/a?b=50%", "http://h/[x]", "http://h/a b", "http://h/é?ü=[", "http://h/a|b",
        "http://h/%00",
    ])
    func basesOfEveryKindAreContinued(text: String) throws {
        let base = try #require(URL(string: text))
        #expect(try components(Endpoint(.get, "users"), base: base).percentEncodedPath.hasSuffix("/users"))
    }

    @Test(arguments: [
        ("mailto:a@b", "mailto:/a@b/users"), ("data:,x", "data:/,x/users"), ("file:///a", "file:///a/users"),
        ("/relative", "/relative/users"), ("x:y", "x:/y/users"),
    ])
    func basesWithoutAHostAreContinuedToo(text: String, address: String) throws {
        let base = try #require(URL(string: text))
        #expect(try Endpoint(.get, "users").url(relativeTo: base).absoluteString == address)
    }

    @Test(arguments: [
        "..", ".", "../admin", "users/..", "users/../admin", "users/./x", "/../x", "%2e%2e/admin", ".%2E/admin", "%2e",
        "users/%2E%2e%2fadmin", "..\\admin", "users\\..\\admin", "..%5cadmin", "users/..;v=1/x", "..%3bx/y",
    ])
    func aTemplateWithARelativeSegmentIsRefused(path: String) {
        let error = #expect(throws: RouteError.self) { try Endpoint(.get, path).url(relativeTo: base) }
        #expect(error?.reason == "found a relative segment (. or ..) in the path, expected none")
    }

    @Test(arguments: [".", "..", "../x", "a/../b", "..\\x", "a\\..", "./x", "..;v=1"])
    func anArgumentWithARelativeSegmentIsRefused(argument: String) {
        let error = #expect(throws: RouteError.self) {
            try Endpoint(.get, "users/{id}", arguments: ["id": argument]).url(relativeTo: base)
        }
        #expect(error?.reason == "found a relative segment (. or ..) in the argument id, expected none")
    }

    @Test(arguments: [("users/{a}{b}", ".", "."), ("users/.{a}/{b}", ".", "x")])
    func argumentsDoNotBecomeARelativeSegmentTogether(path: String, first: String, second: String) {
        #expect(throws: RouteError.self) {
            try Endpoint(.get, path, arguments: ["a": first, "b": second]).url(relativeTo: base)
        }
    }

    @Test(arguments: [".well-known/x", "a..b", "...", "a/...", "v1.2/x", "%2e%2e%2e", "x.", ".x", "a;..", "?next=../x"])
    func otherDotsStay(path: String) throws {
        let url = try Endpoint(.get, path).url(relativeTo: base).absoluteString
        #expect(url.hasPrefix("https://api.example.com/v1"))
        #expect(url.contains(path.split(separator: "?").last ?? ""))
    }

    /// Characters that have a meaning in addresses, some with escapes that are whole or cut.
    private func text(using generator: inout SplitMix64) -> String {
        let parts = [
            "%", "%2", "%41", "%2e", "/", "//", ".", "..", "?", "#", "[", "]", "@", ":", "&", "=", "+", " ", "\"", "\\",
            "é",
            "😀", "\u{0}", "\u{301}", "a", "1", "{", "}", "<", "|",
        ]
        return (0..<Int.random(in: 0...6, using: &generator))
            .map { _ in parts[Int.random(in: parts.indices, using: &generator)] }
            .joined()
    }
}
