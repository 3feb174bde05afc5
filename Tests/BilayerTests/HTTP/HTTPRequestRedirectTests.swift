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
    ])
    func resolvesTheTarget(from: String, location: String, target: String?) throws {
        let request = HTTPRequest(url: try #require(URL(string: from)))
        let next = request.redirected(by: HTTPResponse(status: 302, headers: [.location: location]))
        #expect(next?.url.absoluteString == target)
    }

    @Test(arguments: [
        ("http://h/a", "http://H:80/b", true), ("https://h/a", "https://h:443/b", true),
        ("http://h/a", "http://h:8080/b", false),
        ("http://h/a", "https://h/b", false), ("http://h/a", "http://h.evil/b", false),
        ("http://a.h/", "http://b.h/", false),
    ])
    func knowsTheOrigin(from: String, to: String, keepsCredentials: Bool) throws {
        let request = HTTPRequest(url: try #require(URL(string: from)), headers: [.authorization: "Bearer t"])
        let next = try #require(request.redirected(by: HTTPResponse(status: 307, headers: [.location: to])))
        #expect((next.headers[.authorization] != nil) == keepsCredentials)
    }
}
