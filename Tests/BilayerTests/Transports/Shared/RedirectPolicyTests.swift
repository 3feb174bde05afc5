import Bilayer
import Foundation
import Testing

@Suite("RedirectPolicy: which redirects are followed")
struct RedirectPolicyTests {
    private static let first = HTTPRequest(url: URL("https://api.example.com/a"))
    private static let near = HTTPRequest(url: URL("https://API.example.com:443/b"))
    private static let far = HTTPRequest(url: URL("https://cdn.example.com/b"))

    @Test(arguments: [
        (RedirectPolicy.follow(), true, true), (.follow(limit: 1), true, true), (.sameOrigin(), true, false),
        (.never, false, false), (.follow(limit: -1), false, false),
    ]) func theFirstRedirect(policy: RedirectPolicy, near: Bool, far: Bool) throws {
        #expect(try policy.follows(from: Self.first, to: Self.near, after: 0) == near)
        #expect(try policy.follows(from: Self.first, to: Self.far, after: 0) == far)
    }

    @Test func oneMoreThanTheLimitIsAnError() throws {
        #expect(try RedirectPolicy.follow(limit: 2).follows(from: Self.first, to: Self.near, after: 1))
        let error = #expect(throws: TransportError.self) {
            try RedirectPolicy.follow(limit: 2).follows(from: Self.first, to: Self.near, after: 2)
        }
        #expect(error?.kind == .tooManyRedirects)
        #expect(error?.detail == "found redirect 3, expected at most 2")
    }
}
