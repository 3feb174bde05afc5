import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Each recipe, byte for byte, and how its connection ends.
@Suite(.timeLimit(.minutes(5))) struct FaultRecipeTests {
    struct Recipe: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reply: Reply
        let text: String
        var ending = RawClient.Ending.finished

        init(_ name: String, _ reply: Reply, _ text: String, _ ending: RawClient.Ending = .finished) {
            (testDescription, self.reply, self.text, self.ending) = (name, reply, text, ending)
        }
    }

    private static let json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    private static let chunked = json + "Transfer-Encoding: chunked\r\n\r\n"

    static let recipes: [Recipe] = [
        Recipe(
            "json",
            .json("{}", headers: ["Content-Type": "a/b", "X": "1"]),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: a/b\r\nX: 1\r\n\r\n{}"
        ),
        Recipe("status 500", .status(500), "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"),
        Recipe("status 304", .status(304), "HTTP/1.1 304 Not Modified\r\n\r\n"),
        Recipe("unknown status", .status(799), "HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n"),
        Recipe(
            "redirect",
            .redirect(to: "/b", status: 307),
            "HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: /b\r\n\r\n"
        ),
        Recipe(
            "basicChallenge",
            .basicChallenge(realm: "r", body: "{}"),
            "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                + "WWW-Authenticate: Basic realm=\"r\"\r\n\r\n{}"
        ),
        Recipe(
            "chunked",
            .chunked(["[1,", "2]"], every: .milliseconds(1)),
            chunked + "3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n"
        ),
        Recipe("delayed", .delayed(.milliseconds(1), then: .status(204)), "HTTP/1.1 204 No Content\r\n\r\n"),
        Recipe("raw", .raw("HTTP/1.1 200 OK\r\n\r\n"), "HTTP/1.1 200 OK\r\n\r\n"),
        Recipe(
            "closing",
            .status(200, headers: ["Connection": "close"]),
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        Recipe("resetBeforeAnswer", .resetBeforeAnswer, "", .reset),
        Recipe("closeBeforeAnswer", .closeBeforeAnswer, ""),
        Recipe("resetInBody", .resetInBody(after: 3), json + "Content-Length: 1003\r\n\r\n[  ", .reset),
        Recipe("resetInBody, nothing", .resetInBody(after: 0), json + "Content-Length: 1000\r\n\r\n", .reset),
        Recipe("truncatedBody", .truncatedBody(sent: 1, declared: 9), json + "Content-Length: 9\r\n\r\n["),
        Recipe("truncatedBody, nonsense", .truncatedBody(sent: -1, declared: -9), json + "Content-Length: -9\r\n\r\n"),
        Recipe("unfinishedChunks", .unfinishedChunks(), chunked + "3\r\n[1,\r\n"),
        Recipe("badChunk", .badChunk, chunked + "zz\r\n[]\r\n0\r\n\r\n"),
        Recipe("badGzip", .badGzip, json + "Content-Length: 16\r\nContent-Encoding: gzip\r\n\r\nthis is not gzip"),
        Recipe("notHTTP", .notHTTP, "220 mail.example.com ESMTP\r\n"),
        Recipe(
            "by hand",
            Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .body("["), .pause(.zero), .reset),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[",
            .reset
        ),
    ]

    @Test(arguments: recipes)
    func sendsExactlyThis(recipe: Recipe) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", recipe.reply)
        let client = try RawClient(server)
        try client.send(get("/", "Connection: close"))
        let answer = client.readToEnd()
        #expect(answer.text == recipe.text)
        #expect(answer.ending == recipe.ending)
    }

    @Test(arguments: [
        (Reply.stallInHead, "HTTP/1.1 200 OK\r\nContent-Ty"),
        (Reply.stallInBody(after: 1), json + "Content-Length: 1001\r\n\r\n["), (Reply.hold, ""),
    ])
    func holdsUntilReleased(reply: Reply, text: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", reply)
        let client = try RawClient(server)
        try client.send(get("/"))
        #expect(try client.read(upTo: text) == text)
        try await server.waitForRequests(count: 1)
        server.release()
        let rest = client.readToEnd()
        #expect(rest.text.isEmpty)
        #expect(rest.ending == .finished)
    }
}
