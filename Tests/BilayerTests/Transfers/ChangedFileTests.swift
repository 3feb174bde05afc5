import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

private let sameDay = "Date: Thu, 26 Nov 2026 02:00:00 GMT\r\nLast-Modified: Mon, 23 Nov 2026 02:00:00 GMT\r\n"
private let nextDay = "Date: Thu, 26 Nov 2026 02:00:00 GMT\r\nLast-Modified: Tue, 24 Nov 2026 02:00:00 GMT\r\n"

/// The server ignores `If-Range`, or the date in `If-Range` is that of both versions of the file.
@Suite("Download: a range of another version of the file", .timeLimit(.minutes(5)))
struct ChangedFileTests {
    /// The fields of the first response, of which 40 bytes come, and those of the second one.
    static let changes = [
        ("ETag: v1\r\n", "ETag: v2\r\n"),
        (sameDay + "ETag: v1\r\n", sameDay + "ETag: v2\r\n"),
        (sameDay + "ETag: W/\"v1\"\r\n", sameDay + "ETag: W/\"v2\"\r\n"),
        (sameDay + "ETag: W/\"v1\"\r\n", sameDay + "ETag: \"v1\"\r\n"),
        (sameDay + "ETag: \"v1\"\r\n", nextDay),
        (sameDay + "ETag: \"v1\"\r\n", nextDay + "ETag: \"v1\"\r\n"),
        ("ETag: \"v1\"\r\n", sameDay),
        (sameDay, "ETag: \"v1\"\r\n"),
        ("ETag: \"v1\"\r\n", ""),
        (sameDay, ""),
    ]

    /// Serves 100 bytes: first those of one version, cut after 40, then those of the other one.
    private func serve(_ first: String, _ second: String, isChanged: Bool) async throws -> FaultServer {
        let server = try await FaultServer.start()
        server.on(.get, "/film.mp4") { request in
            let isFirst = request.number == 0
            let whole = Data(repeating: isFirst || !isChanged ? 65 : 66, count: 100)
            let fields = isFirst ? first : second
            guard let start = request.headers["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\(fields)\r\n"
                if isFirst { return Reply(.head(head), .body(whole.prefix(40)), .close) }
                return Reply(.head(head), .body(whole))
            }
            let range = "Content-Range: bytes \(start)-99/100\r\nContent-Length: \(100 - start)\r\n"
            return Reply(.head("HTTP/1.1 206 Part\r\n\(range)\(fields)\r\n"), .body(whole.dropFirst(start)))
        }
        return server
    }

    /// Downloads the file, in one run or in two.
    private func download(from server: FaultServer, inTwoRuns: Bool) async throws -> Data {
        let client = Client(baseURL: server.url)
        var file = Data()
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = inTwoRuns ? Reconnection.never : .afterLoss(attempts: 2, firstWait: .zero)
            if inTwoRuns {
                _ = try? await client.download(.get("film.mp4"), to: place, resuming: true).file()
            }
            try await client.download(.get("film.mp4"), to: place, resuming: inTwoRuns, reconnecting: again).file()
            file = try Data(contentsOf: place)
        }
        return file
    }

    @Test("is not joined to the bytes of the first one", arguments: changes, [false, true])
    func isNotJoined(fields: (first: String, second: String), inTwoRuns: Bool) async throws {
        let server = try await serve(fields.first, fields.second, isChanged: true)
        #expect(try await download(from: server, inTwoRuns: inTwoRuns) == Data(repeating: 66, count: 100))
        #expect(server.requests.last?.headers["Range"] == nil)
    }

    @Test(
        "the rest of the file itself is joined",
        arguments: [
            ("ETag: \"v1\"\r\n", sameDay + "ETag: \"v1\"\r\n"),
            (sameDay + "ETag: \"v1\"\r\n", "ETag: \"v1\"\r\n"), (sameDay, sameDay),
        ],
        [false, true]
    )
    func isJoined(fields: (first: String, second: String), inTwoRuns: Bool) async throws {
        let server = try await serve(fields.first, fields.second, isChanged: false)
        #expect(try await download(from: server, inTwoRuns: inTwoRuns) == Data(repeating: 65, count: 100))
        #expect(server.requests.map { $0.headers["Range"] == nil } == [true, false])
    }

    /// RFC 9110 §13.1.5: a client that has a tag sends no date.
    @Test("a date is no proof of a file that has a tag", arguments: ["W/\"v1\"", "v1"], [false, true])
    func aDateBesideATag(tag: String, inTwoRuns: Bool) async throws {
        let fields = sameDay + "ETag: \(tag)\r\n"
        let server = try await serve(fields, fields, isChanged: true)
        #expect(try await download(from: server, inTwoRuns: inTwoRuns) == Data(repeating: 66, count: 100))
        #expect(server.requests.map { $0.headers["If-Range"] } == [nil, nil])
    }

    /// RFC 9110 §8.8.3.
    @Test(
        "a text that is no strong tag proves nothing",
        arguments: ["v1", "\"v1", "v1\"", "\"", "\"a\"b\"", "\"a\", \"b\"", "\"a b\"", "W/\"v1\"", "w/\"v1\""]
    )
    func noStrongTag(tag: String) {
        let request = DownloadRequest(HTTPRequest(url: URL("https://example.com")), in: CallContext())
        let response = HTTPResponse(status: 200, headers: ["ETag": tag])
        #expect(EntityValidator(response, of: request) == nil)
    }
}
