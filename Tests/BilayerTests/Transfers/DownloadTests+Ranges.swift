import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// Servers whose ranges are of another file, or wrong.
extension DownloadTests {
    /// Downloads ten bytes. The first response ends after four, and the second one has this field and this range.
    /// Returns the file, and the ranges that were asked for.
    private func download(
        with field: String,
        range: String,
        rest: String = "4567",
        over choice: BuiltInTransport = BuiltInTransport.allCases[0]
    ) async throws -> (file: String, ranges: [String?]) {
        let (server, client) = try await serving(with: choice, .status(404))
        let first = "HTTP/1.1 200 OK\r\nDate: Tue, 24 Nov 2026 10:00:00 GMT\r\nContent-Length: 10\r\n"
        server.on(.get, "/film.mp4") { request in
            if request.number == 0 {
                let known = field.hasPrefix("ETag") ? "ETag: \"a\"" : "Last-Modified: Mon, 23 Nov 2026 10:00:00 GMT"
                return Reply(.head(first + "\(known)\r\n\r\n"), .body("0123"), .close)
            }
            switch request.headers["Range"] {
            case nil: return .text("0123456789")
            case "bytes=4-":
                let head = "HTTP/1.1 206 Partial Content\r\n\(field)\r\nContent-Range: \(range)\r\n"
                return Reply(.head(head + "Content-Length: \(rest.utf8.count)\r\n\r\n"), .body(rest))
            case "bytes=8-":
                let head = "HTTP/1.1 206 Partial Content\r\n\(field)\r\nContent-Range: bytes 8-9/10\r\n"
                return Reply(.head(head + "Content-Length: 2\r\n\r\n"), .body("89"))
            default: return .status(416)
            }
        }
        var (file, ranges): (String, [String?]) = ("", [])
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            file = String(decoding: try Data(contentsOf: place), as: UTF8.self)
            ranges = server.requests.map { $0.headers["Range"] }
            #expect(try names(in: folder) == ["film.mp4"])
        }
        return (file, ranges)
    }

    @Test("a range of unknown total is no whole file", arguments: BuiltInTransport.allCases)
    func aRangeOfUnknownTotal(over choice: BuiltInTransport) async throws {
        let found = try await download(with: "ETag: \"a\"", range: "bytes 4-7/*", over: choice)
        #expect(found == ("0123456789", [nil, "bytes=4-", "bytes=8-"]))
    }

    @Test(
        "a file begins again if a range is not its own",
        arguments: [
            ("ETag: \"b\"", "bytes 4-7/10"), ("ETag: \"a\"", "bytes 4-7/12"), ("ETag: \"a\"", "bytes 5-8/10"),
            ("ETag: \"a\"", "bytes 7-4/10"), ("ETag: \"a\"", "bytes 4-7/6"), ("ETag: \"a\"", "lines 4-7/10"),
            ("Last-Modified: Tue, 24 Nov 2026 09:00:00 GMT", "bytes 4-7/10"),
            ("Last-Modified: Mon, 23 Nov 2026 10:00:00 GMT", "bytes 4-7/9"),
        ]
    )
    func aRangeOfAnother(field: String, range: String) async throws {
        let found = try await download(with: field, range: range)
        #expect(found == ("0123456789", [nil, "bytes=4-", nil]))
    }

    @Test("the unit of a range is told apart without its case")
    func unitsWithoutCase() async throws {
        let found = try await download(with: "ETag: \"a\"", range: "Bytes 4-7/10")
        #expect(found == ("0123456789", [nil, "bytes=4-", "bytes=8-"]))
    }

    @Test("a range that is longer than it says is not kept", arguments: ["bytes 4-7/10", "bytes 4-7/*"])
    func aRangeThatIsTooLong(range: String) async throws {
        let found = try await download(with: "ETag: \"a\"", range: range, rest: "4567XX")
        #expect(found == ("0123456789", [nil, "bytes=4-", nil]))
    }

    @Test("parts of two addresses are not joined, though their tags are equal")
    func partsOfTwoAddresses() async throws {
        let (server, client) = try await serving(.status(404))
        server.on(.get, "/film.mp4", .redirect(to: "/one"), .redirect(to: "/two"))
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\n"
        server.on(.get, "/one", Reply(.head(head), .body("0123"), .close))
        server.on(.get, "/two") { request in
            if request.headers["Range"] == nil { return .text("abcdefgh") }
            let head =
                "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 4-7/8\r\nContent-Length: 4\r\n\r\n"
            return Reply(.head(head), .body("efgh"))
        }
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Data("abcdefgh".utf8))
        }
    }

    /// Each redirect leads to an address with another signature.
    @Test("a file behind a redirect to a signed address goes on", arguments: BuiltInTransport.allCases)
    func aSignedAddress(over choice: BuiltInTransport) async throws {
        let (server, client) = try await serving(with: choice, .status(404))
        server.on(.get, "/film.mp4") { .redirect(to: "/blob?Signature=\($0.number)") }
        server.on(.get, "/blob") { request in
            if request.headers["Range"] != nil { return .resource(Data("01234567".utf8), to: request, eTag: "\"a\"") }
            return Reply(.head("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\n"), .body("0123"), .close)
        }
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Data("01234567".utf8))
            #expect(server.requests.map(\.path) == ["/film.mp4", "/blob", "/film.mp4", "/blob"])
        }
    }

    @Test("the coding identity is none")
    func identity() async throws {
        let (server, client) = try await serving(.status(404))
        let fields = "ETag: \"a\"\r\nContent-Encoding: identity\r\n"
        server.on(.get, "/film.mp4") { request in
            if request.headers["Range"] == nil {
                return Reply(.head("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 8\r\n\r\n"), .body("0123"), .close)
            }
            let head = "HTTP/1.1 206 Part\r\n\(fields)Content-Range: bytes 4-7/8\r\nContent-Length: 4\r\n\r\n"
            return Reply(.head(head), .body("4567"))
        }
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Data("01234567".utf8))
            #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=4-"])
        }
    }

    @Test("no content instead of the rest is no file")
    func noContentInsteadOfTheRest() async throws {
        let (server, client) = try await serving(.status(404))
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\n"
        server.on(.get, "/film.mp4", Reply(.head(head), .body("0123"), .close), .status(204), .text("01234567"))
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            var last: DownloadEvent?
            for try await event in client.download(Self.film, to: place, reconnecting: again) {
                if case .progress = event { last = event }
            }
            #expect(last == .progress(TransferProgress(bytes: 8, total: 8)))
            #expect(try Data(contentsOf: place) == Data("01234567".utf8))
        }
    }

    @Test func anEmptyFileAfterALossIsReported() async throws {
        let (server, client) = try await serving(.status(404))
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\n"
        server.on(.get, "/film.mp4", Reply(.head(head), .body("0123"), .close), .text(""))
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            var events: [DownloadEvent] = []
            for try await event in client.download(Self.film, to: place, reconnecting: again) { events.append(event) }
            #expect(events.suffix(2) == [.progress(TransferProgress(bytes: 0, total: 0)), .finished(place)])
        }
    }

    @Test("a request that may not be sent twice is not", arguments: BuiltInTransport.allCases)
    func aPostIsSentOnce(over choice: BuiltInTransport) async throws {
        let (server, client) = try await serving(with: choice, .status(404))
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\n"
        server.on(.post, "/film.mp4", Reply(.head(head), .body("0123"), .close))
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            let error = await #expect(throws: CallError.self) {
                try await client.download(.post("film.mp4", body: .text("x")), to: place, reconnecting: again).file()
            }
            #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
            let left = try names(in: folder)
            #expect(left == [] && server.requests.count == 1)
        }
    }

    @Test func aPlaceThatIsNoFileIsRefusedBeforeTheRequest() async throws {
        let (server, client) = try await serving(.text("x"))
        let place = try #require(URL(string: "http://x.example/tmp/film.mp4"))
        let error = await #expect(throws: CocoaError.self) { try await client.download(Self.film, to: place).file() }
        #expect(error?.code == .fileWriteUnsupportedScheme && server.requests.isEmpty)
    }

    /// The error names the folder. The path to it may have the name of a user.
    @Test(arguments: [false, true])
    func aFolderThatIsMissingIsNamed(isKept: Bool) async throws {
        let (server, client) = try await serving(.text("x"))
        try await withFolder { folder in
            let place = folder.appendingPathComponent("s3cr3t/nodir/film.mp4")
            let download = client.download(Self.film, to: place, resuming: isKept)
            let error = await #expect(throws: CocoaError.self) { try await download.file() }
            #expect(error?.code == .fileNoSuchFile && server.requests.isEmpty)
            let text = error.map { "\($0) \($0.localizedDescription)" } ?? ""
            #expect(text.contains("found no folder \"nodir\" for the file, expected one that exists"))
            #expect(!text.contains("s3cr3t"))
        }
    }

    @Test func aCancelInsideTheCheckKeepsThePart() async throws {
        let (server, client) = try await serving(.status(404))
        server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CancellationError.self) {
                try await client.download(Self.film, to: place, resuming: true) { _ in throw CancellationError() }
                    .file()
            }
            #expect(try names(in: folder) == [".film.mp4.part", ".film.mp4.validator"])
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
        }
    }

    @Test func aPartThatTheCheckRemovesLeavesNothing() async throws {
        let (server, client) = try await serving(.status(404))
        server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CocoaError.self) {
                try await client.download(Self.film, to: place, resuming: true) { file in
                    try FileManager.default.removeItem(at: file)
                }
                .file()
            }
            let left = try names(in: folder)
            #expect(left == [])
        }
    }

    /// A server that always cuts at one place, and cannot go on after it, brings nothing new.
    @Test func aFileThatBeginsAgainHasGainedNothing() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.truncatedBody(sent: 5, declared: 10))
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 3, firstWait: .zero)
            let download = Task {
                for try await _ in client.download(Self.film, to: place, reconnecting: again) {
                    // Ends a download that would not end by itself.
                    if server.requests.count > 20 { throw CancellationError() }
                }
            }
            let error = await #expect(throws: CallError.self) { try await download.value }
            #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
            #expect(server.requests.count == 4)
        }
    }
}
