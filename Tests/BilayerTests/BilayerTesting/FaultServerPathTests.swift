import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("FaultServer: path patterns", .timeLimit(.minutes(5)))
struct FaultServerPathTests {
    /// Requests a target, and returns the body of the reply, or its status if that is not 200.
    private func reply(_ server: FaultServer, to target: String) throws -> String {
        let client = try RawClient(server)
        try client.send(get(target, "Connection: close"))
        let text = client.readToEnd().text
        let status = text.dropFirst("HTTP/1.1 ".count).prefix(3)
        return status == "200" ? text.components(separatedBy: "\r\n\r\n").last ?? "" : String(status)
    }

    /// A script for exactly the target is used first, then one for its path, then the pattern with the fewest segments
    /// in braces.
    @Test(arguments: [
        ("/users/7", "seven"), ("/users/7?page=1", "seven"), ("/users/7?page=2", "page"), ("/users/8", "one"),
        ("/users/8?page=2", "one"), ("/users/a%2Fb", "one"), ("/users/{id}", "one"), ("/users/", "404"),
        ("/users", "404"), ("/users/8/", "404"), ("/users/8/photos", "photos"), ("/users/8/likes", "two"),
        ("/users/8/photos/9", "404"), ("/Users/8", "404"), ("/teams/8/photos", "photos of any"),
    ])
    func theMostExactScriptCounts(target: String, expected: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/{kind}/{id}/photos", .text("photos of any"))
        server.on(.get, "/users/{id}/{part}", .text("two"))
        server.on(.get, "/users/{id}/photos", .text("photos"))
        server.on(.get, "/users/{id}", .text("one"))
        server.on(.get, "/users/7", .text("seven"))
        server.on(.get, "/users/7?page=2", .text("page"))
        server.on(.post, "/{any}", .text("another method"))
        #expect(try reply(server, to: target) == expected)
    }

    @Test func aPatternHasOneScriptForAllItsPaths() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users/{id}", .text("first"), .text("second"))
        #expect(
            try ["/users/1", "/users/2", "/users/3"].map { try reply(server, to: $0) } == ["first", "second", "second"]
        )
    }
}
