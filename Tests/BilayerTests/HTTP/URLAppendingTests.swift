import Foundation
import Testing

@testable import Bilayer

@Suite("An address made by adding to the base address")
struct URLAppendingTests {
    private static let bases = [
        "https://api.example.com", "https://api.example.com/", "http://api.example.com:8080/v1", "https://h/v1/",
        "https://user:pass@h/a/b/c/", "https://[::1]:8080/v1", "https://h/caf%C3%A9", "https://xn--bcher-kva.example/x",
    ]

    private static let others = [
        "https://h/v1?key=1", "https://h/v1#part", "https://h//v1", "https://h/v1//", "https:///v1//x", "mailto:a@b",
    ]

    /// The address as `URLComponents` makes it.
    private func reference(_ base: URL, _ path: String, _ query: String?) throws -> URL {
        var components = try #require(URLComponents(url: base, resolvingAgainstBaseURL: true))
        let own = components.percentEncodedPath.split(separator: "/").joined(separator: "/")
        if !path.isEmpty || own.isEmpty {
            components.percentEncodedPath = "/" + [own, path].filter { !$0.isEmpty }.joined(separator: "/")
        }
        components.percentEncodedQuery = query
        return try #require(components.url)
    }

    @Test(arguments: bases, ["users", "users/7", "", "users/", "a%2Fb;v=1", "caf%C3%A9", "x:y@z"])
    func equalsWhatURLComponentsMake(base: String, path: String) throws {
        let base = try #require(URL(string: base))
        for query in [nil, "page=2", "q=a%20b&q=c/d?e"] {
            let url = try #require(base.appending(path, query))
            #expect(url == (try reference(base, path, query)))
            #expect(url.absoluteString == (try reference(base, path, query)).absoluteString)
        }
    }

    @Test(arguments: others) func isRefusedWhereItWouldBeMoreThanAnAddition(base: String) throws {
        #expect(try #require(URL(string: base)).appending("users", nil) == nil)
    }

    @Test func aRelativeBaseIsRefused() throws {
        let base = try #require(URL(string: "v1/", relativeTo: URL(string: "https://h/")))
        #expect(base.appending("users", nil) == nil)
        #expect(try Endpoint(.get, "users").url(relativeTo: base).absoluteString == "https://h/v1/users")
    }

    @Test(arguments: ["50%", "%4", "%zz", "a%2", "%%41"]) func anEscapeThatIsNoneIsRefused(text: String) {
        #expect(URL("https://h").appending(text, nil) == nil)
        #expect(URL("https://h").appending("x", text) == nil)
    }
}
