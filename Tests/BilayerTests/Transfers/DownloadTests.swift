import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

private struct DamagedBodyError: Error {}

@Suite("Download: a whole file, or none", .timeLimit(.minutes(5)))
struct DownloadTests {
    static let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    static let film = Route<Void>.get("film.mp4")

    @Test(arguments: BuiltInTransport.allCases)
    func theFileIsThereAfterTheLastEvent(from choice: BuiltInTransport) async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(with: choice, .data(Self.bytes, contentType: "video/mp4"))
            let place = folder.appendingPathComponent("film.mp4")
            var events: [DownloadEvent] = []
            for try await event in client.download(Self.film, to: place) {
                if case .progress = event { #expect(!FileManager.default.fileExists(atPath: place.path)) }
                events.append(event)
            }
            #expect(events.last == .finished(place))
            #expect(events.dropLast().last == .progress(TransferProgress(bytes: 1_000_000, total: 1_000_000)))
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(try names(in: folder) == ["film.mp4"])
            #expect(server.requests.first?.headers[.acceptEncoding] == "identity")
        }
    }

    @Test func anUnknownTotalIsNil() async throws {
        try await withFolder { folder in
            let (_, client) = try await serving(.chunked(["ab", "cd"]))
            var progress: [TransferProgress] = []
            for try await event in client.download(Self.film, to: folder.appendingPathComponent("film.mp4")) {
                if case .progress(let step) = event { progress.append(step) }
            }
            #expect(progress.last == TransferProgress(bytes: 4, total: nil))
            #expect(progress.last?.fraction == nil)
        }
    }

    @Test(arguments: BuiltInTransport.allCases)
    func anEarlierFileStaysWhenTheDownloadFails(from choice: BuiltInTransport) async throws {
        try await withFolder { folder in
            let (_, client) = try await serving(with: choice, .truncatedBody(sent: 5, declared: 10))
            let place = folder.appendingPathComponent("film.mp4")
            try Data("old".utf8).write(to: place)
            let error = await #expect(throws: CallError.self) { try await client.download(Self.film, to: place).file() }
            #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
            #expect(try Data(contentsOf: place) == Data("old".utf8))
            #expect(try names(in: folder) == ["film.mp4"])
        }
    }

    @Test func anotherStatusIsTheErrorOfACall() async throws {
        try await withFolder { folder in
            let (_, client) = try await serving(.text("no", status: 404))
            let place = folder.appendingPathComponent("film.mp4")
            let error = await #expect(throws: CallError.self) { try await client.download(Self.film, to: place).file() }
            #expect(error?.status == 404)
            #expect(try names(in: folder) == [])
        }
    }

    @Test func aCancelledDownloadLeavesNothing() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(
                Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), .body("ab"), .hold)
            )
            let place = folder.appendingPathComponent("film.mp4")
            let (first, signal) = AsyncStream<Void>.makeStream()
            let loop = Task { for try await _ in client.download(Self.film, to: place) { signal.yield() } }
            for await _ in first { break }
            loop.cancel()
            await #expect(throws: CancellationError.self) { try await loop.value }
            #expect(try names(in: folder) == [])
            try await server.engine.state.wait { $0.threads == 1 ? () : nil }
        }
    }

    @Test func aFileThatTheAppRefusesIsRemoved() async throws {
        struct WrongChecksum: Error {}
        try await withFolder { folder in
            let (_, client) = try await serving(.data(Self.bytes, contentType: "video/mp4"))
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: WrongChecksum.self) {
                try await client.download(Self.film, to: place, resuming: true) { file in
                    #expect(try Data(contentsOf: file) == Self.bytes)
                    throw WrongChecksum()
                }
                .file()
            }
            #expect(try names(in: folder) == [])
        }
    }

    /// What a transport or a node of the app throws while the body is read is the error of the call.
    @Test func anyErrorOfTheBodyIsTheErrorOfTheCall() async throws {
        try await withFolder { folder in
            let transport = StubTransport(
                StubTransport.Answer { _, _ in
                    var response = HTTPResponse(status: 200)
                    response.stream = HTTPBody.stream {
                        AsyncThrowingStream<Data, any Error> { body in
                            body.yield(Data("ab".utf8))
                            body.finish(throwing: DamagedBodyError())
                        }
                    }
                    return response
                }
            )
            let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            let error = await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, reconnecting: again).file()
            }
            #expect(error?.stage == .transport)
            #expect(error?.status == 200)
            #expect(error?.underlyingError is DamagedBodyError)
            #expect(transport.requests.count == 1)
            let left = try names(in: folder)
            #expect(left.isEmpty)
        }
    }

    @Test func aBodyThatCancelsItselfIsNotWrapped() async throws {
        try await withFolder { folder in
            let transport = StubTransport(
                StubTransport.Answer { _, _ in
                    var response = HTTPResponse(status: 200)
                    response.stream = HTTPBody.stream {
                        AsyncThrowingStream<Data, any Error> { $0.finish(throwing: CancellationError()) }
                    }
                    return response
                }
            )
            let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
            await #expect(throws: CancellationError.self) {
                try await client.download(Self.film, to: folder.appendingPathComponent("film.mp4")).file()
            }
        }
    }

    // MARK: Going on

    @Test(arguments: BuiltInTransport.allCases)
    func aLostConnectionGoesOnFromTheLastByte(over choice: BuiltInTransport) async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(with: choice, .status(404))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: 400_000)
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(server.requests.count == 2)
            let range = try #require(server.requests.last?.headers["Range"])
            #expect(range.hasPrefix("bytes=") && range.hasSuffix("-") && range != "bytes=0-")
            #expect(server.requests.last?.headers["If-Range"] == "\"1\"")
        }
    }

    @Test func aLaterDownloadResumesWhatAnEarlierOneLeft() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: 400_000)
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            #expect(try names(in: folder) == [".film.mp4.part", ".film.mp4.validator"])
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(try names(in: folder) == ["film.mp4"])
            #expect(server.requests.last?.headers["Range"] != nil)
        }
    }

    /// The server's tags are equal for both users.
    @Test func thePartOfAnotherUserIsNotContinued() async throws {
        try await withFolder { folder in
            let (server, unsigned) = try await serving(.status(404))
            let tokens = BearerTokens("A") { "A" }
            var client = unsigned
            client.transport = unsigned.transport.wrapped(by: .authentication(tokens)).erased()
            let place = try await keepPart(in: folder, from: server, by: client)
            #expect(try names(in: folder) == [".film.mp4.part", ".film.mp4.validator"])
            tokens.replace(with: BearerToken("B"))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(server.requests.last?.headers["Range"] == nil)
        }
    }

    @Test(arguments: [("Accept-Language", true), ("Authorization", true), ("X-Request-ID", false)])
    func thePartOfAnotherVariantIsNotContinued(field: HTTPHeaders.Name, beginsAgain: Bool) async throws {
        try await withFolder { folder in
            let (server, plain) = try await serving(.status(404))
            var client = plain
            client.headers[field] = "de"
            let place = try await keepPart(in: folder, from: server, by: client)
            client.headers[field] = "en"
            server.serve(Data(repeating: 1, count: 500_000), tag: "\"1\"", cuttingFirst: nil)
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect((server.requests.last?.headers["Range"] == nil) == beginsAgain)
        }
    }

    /// Each session of the app has tokens of its own.
    @Test func thePartOfAnotherSessionIsNotContinued() async throws {
        try await withFolder { folder in
            let (server, plain) = try await serving(.status(404))
            func client(_ token: String) -> Client {
                var client = plain
                let tokens = BearerTokens(token) { token }
                client.transport = plain.transport.wrapped(by: .authentication(tokens)).erased()
                return client
            }
            let place = try await keepPart(in: folder, from: server, by: client("A"))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
            try await client("B").download(Self.film, to: place, resuming: true).file()
            #expect(server.requests.last?.headers["Range"] == nil)
            #expect(try Data(contentsOf: place) == Self.bytes)
        }
    }

    @Test func thePartOfAUserIsNotContinuedWithoutCredentials() async throws {
        try await withFolder { folder in
            let (server, plain) = try await serving(.status(404))
            let tokens = BearerTokens("A") { "A" }
            var client = plain
            client.transport = plain.transport.wrapped(by: .authentication(tokens)).erased()
            let place = try await keepPart(in: folder, from: server, by: client)
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
            let open = Self.film.with(option: Authentication.none)
            try await client.download(open, to: place, resuming: true).file()
            #expect(server.requests.last?.headers["Range"] == nil)
        }
    }

    /// The users of ``BearerTokens`` have no identity from one run of the app to the next.
    @Test func thePartOfAnEarlierRunIsContinued() async throws {
        try await withFolder { folder in
            let (server, unsigned) = try await serving(.status(404))
            func client(_ token: String) -> Client {
                var client = unsigned
                let tokens = BearerTokens(token) { token }
                client.transport = unsigned.transport.wrapped(by: .authentication(tokens)).erased()
                return client
            }
            let place = try await keepPart(in: folder, from: server, by: client("A1"))
            try endRunOfApp(in: folder)
            let whole = Data(repeating: 1, count: 500_000)
            server.serve(whole, tag: "\"1\"", cuttingFirst: nil)
            try await client("A2").download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == whole)
            #expect(server.requests.count == 2 && server.requests.last?.headers["Range"] != nil)
        }
    }

    /// The answer of a busy server, or of a gateway whose server restarts, does not end a download. Streams do the
    /// same.
    @Test(arguments: [HTTPStatus(429), 502, 503, 504])
    func aServerThatAnswersLaterIsAskedAgain(status: HTTPStatus) async throws {
        try await withFolder { folder in
            let stub = StubTransport()
            stub.on(.get, "/film.mp4", .status(status), .data(Self.bytes, contentType: "video/mp4"))
            let client = Client(baseURL: URL("https://example.com"), transport: stub)
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 1, firstWait: .zero)
            try await client.download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(stub.requests.count == 2)
        }
    }

    @Test(arguments: [HTTPStatus(429), 503])
    func aServerIsNotAskedAgainBeforeItSays(status: HTTPStatus) async throws {
        try await withFolder { folder in
            let stub = StubTransport()
            let later = HTTPResponse(status: status, headers: [.retryAfter: "20"])
            stub.on(.get, "/film.mp4", .response(later), .data(Self.bytes, contentType: "video/mp4"))
            let clock = TestClock()
            let client = Client(baseURL: URL("https://example.com"), transport: stub, clock: clock)
            let place = folder.appendingPathComponent("film.mp4")
            let download = Task { try await client.download(Self.film, to: place, reconnecting: .afterLoss()).file() }
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(19))
            #expect(clock.sleepers == 1)
            clock.advance(by: .seconds(1))
            _ = try await download.value
            #expect(stub.requests.count == 2)
        }
    }

    @Test func aGatewayThatAsksForALongWaitEndsTheDownload() async throws {
        try await withFolder { folder in
            let stub = StubTransport(.response(HTTPResponse(status: 503, headers: [.retryAfter: "3600"])))
            let client = Client(baseURL: URL("https://example.com"), transport: stub)
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(firstWait: .zero)
            let error = await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, reconnecting: again).file()
            }
            #expect(error?.status == 503)
            #expect(stub.requests.count == 1)
        }
    }

    /// The second download has a part of its own.
    @Test func twoDownloadsToOnePlaceDoNotMixTheirBytes() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
            let place = folder.appendingPathComponent("film.mp4")
            var first = client.download(Self.film, to: place, resuming: true).makeAsyncIterator()
            _ = try await first.next()
            #expect(try names(in: folder).contains(".film.mp4.part"))
            let others = Data(Self.bytes.reversed())
            server.serve(others, tag: "\"2\"", cuttingFirst: nil)
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == others)
            while try await first.next() != nil {}
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(try names(in: folder) == ["film.mp4"])
        }
    }

    @Test func aFileThatHasChangedMeanwhileBeginsAgain() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            let place = try await keepPart(in: folder, from: server, by: client)
            server.serve(Self.bytes, tag: "\"2\"", cuttingFirst: nil)
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
        }
    }

    @Test func aPartThatIsTheWholeFileIsTaken() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: nil)
            try Self.bytes.write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note("\"1\"", server, in: folder)
            let place = folder.appendingPathComponent("film.mp4")
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(server.requests.map { $0.headers["Range"] } == ["bytes=1000000-"])
        }
    }

    @Test(arguments: [nil, "W/\"1\""])
    func withoutAProofThePartIsNotKept(tag: String?) async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.serve(Self.bytes, tag: tag, cuttingFirst: 400_000)
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            #expect(try names(in: folder) == [])
        }
    }

    /// Serves the file in ranges of at most `size` bytes, without `Last-Modified`.
    private func serveInParts(of size: Int, _ server: FaultServer, tag: String = "\"1\"") {
        server.on(.get, "/film.mp4") { request in
            let first = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            guard let first else {
                return .data(Self.bytes.prefix(9), contentType: "video/mp4", headers: ["ETag": "\"1\""])
            }
            let part = Self.bytes[first..<min(first + size, Self.bytes.count)]
            return .data(
                part,
                contentType: "video/mp4",
                status: 206,
                headers: [
                    "ETag": tag, "Content-Range": "bytes \(first)-\(part.endIndex - 1)/\(Self.bytes.count)",
                ]
            )
        }
    }

    @Test func aServerThatSendsLessThanAskedForIsAskedForTheRest() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            serveInParts(of: 300_000, server)
            try Self.bytes.prefix(100).write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note("\"1\"", server, in: folder)
            let place = folder.appendingPathComponent("film.mp4")
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(
                server.requests.map { $0.headers["Range"] }
                    == ["bytes=100-", "bytes=300100-", "bytes=600100-", "bytes=900100-"]
            )
        }
    }

    @Test func aRangeWithoutBytesIsAnError() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(
                .data(
                    Data(),
                    contentType: "video/mp4",
                    status: 206,
                    headers: ["Content-Range": "bytes 2-8/9", "ETag": "\"1\""]
                )
            )
            try Data("ab".utf8).write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note("\"1\"", server, in: folder)
            let place = folder.appendingPathComponent("film.mp4")
            let error = await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test func aPartOfAnotherFileBeginsAgain() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            serveInParts(of: 300_000, server, tag: "\"2\"")
            try Self.bytes.prefix(100).write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note("\"1\"", server, in: folder)
            let place = folder.appendingPathComponent("film.mp4")
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes.prefix(9))
        }
    }

    @Test func aRangeThatIsCutKeepsTheProof() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.on(.get, "/film.mp4") { request in
                let first = request.headers["Range"]?.first(where: \.isNumber).flatMap { Int(String($0)) } ?? 0
                let fields = "Content-Range: bytes \(first)-8/9\r\nContent-Length: \(9 - first)\r\n"
                let proof = "Last-Modified: Mon, 23 Nov 2026 10:00:00 GMT\r\n\r\n"
                return Reply(.head("HTTP/1.1 206 Partial Content\r\n" + fields + proof), .body("cd"), .close)
            }
            let date = "Mon, 23 Nov 2026 10:00:00 GMT"
            try Data("ab".utf8).write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note(date, server, in: folder)
            for count in [2, 4] {
                await #expect(throws: CallError.self) {
                    let place = folder.appendingPathComponent("film.mp4")
                    try await client.download(Self.film, to: place, resuming: true).file()
                }
                #expect(server.requests.last?.headers["Range"] == "bytes=\(count)-")
                #expect(server.requests.last?.headers["If-Range"] == date)
            }
        }
    }

    @Test(arguments: [180, 255])
    func aNameOfAnyLengthIsTaken(count: Int) async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            server.serve(Self.bytes, tag: "\"1\"", cuttingFirst: 400_000)
            let place = folder.appendingPathComponent(String(repeating: "n", count: count))
            for _ in 1...2 { _ = try? await client.download(Self.film, to: place, resuming: true).file() }
            #expect(try Data(contentsOf: place) == Self.bytes)
        }
    }

    @Test func aRangeThatWasNotRequestedIsNoFile() async throws {
        try await withFolder { folder in
            let (_, client) = try await serving(
                .data(Data("xy".utf8), contentType: "video/mp4", status: 206, headers: ["Content-Range": "bytes 7-8/9"])
            )
            let place = folder.appendingPathComponent("film.mp4")
            let error = await #expect(throws: CallError.self) { try await client.download(Self.film, to: place).file() }
            #expect((error?.underlyingError as? TransportError)?.kind == .malformedResponse)
            #expect(try names(in: folder) == [])
        }
    }

    @Test func thePartOfAnotherAddressIsNotContinued() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(.status(404))
            let place = try await keepPart(in: folder, from: server, by: client)
            server.on(.get, "/other.mp4", .data(Self.bytes, contentType: "video/mp4", headers: ["ETag": "\"1\""]))
            try await client.download(.get("other.mp4"), to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Self.bytes)
            #expect(server.requests.last?.headers["Range"] == nil)
        }
    }

    @Test func aServerWithNothingButAnotherRangeIsAnError() async throws {
        try await withFolder { folder in
            let (server, client) = try await serving(
                .data(Data("xy".utf8), contentType: "video/mp4", status: 206, headers: ["Content-Range": "bytes 7-8/9"])
            )
            try Data("ab".utf8).write(to: folder.appendingPathComponent(".film.mp4.part"))
            try note("\"1\"", server, in: folder)
            let place = folder.appendingPathComponent("film.mp4")
            let error = await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            #expect((error?.underlyingError as? TransportError)?.detail == "found a range, expected the whole file")
            #expect(try names(in: folder) == [])
        }
    }

    func serving(
        with choice: BuiltInTransport = BuiltInTransport.allCases[0],
        _ reply: Reply
    ) async throws -> (FaultServer, Client) {
        let server = try await FaultServer.start()
        server.on(.get, "/film.mp4", reply)
        let base = try choice.transport()
        // The client's transport retains the server.
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            defer { withExtendedLifetime(server) {} }
            return try await base.process(request, in: context)
        }
        return (server, Client(baseURL: server.url, transport: transport))
    }

    /// Writes the file that proves to which file and user the part of an earlier download belongs.
    private func note(_ validator: String, _ server: FaultServer, in folder: URL) throws {
        let request = HTTPRequest(url: try #require(URL(string: "\(server.url)/film.mp4")))
        let response = HTTPResponse(
            status: 200,
            headers: validator.hasPrefix("\"")
                ? ["ETag": validator] : ["Last-Modified": validator, .date: "Tue, 24 Nov 2026 10:00:00 GMT"]
        )
        let known = EntityValidator(response, of: DownloadRequest(request, in: CallContext()))
        try Data(try #require(known).note.utf8).write(to: folder.appendingPathComponent(".film.mp4.validator"))
    }

    /// Makes the part one of an earlier run of the app, in which users had other numbers.
    func endRunOfApp(in folder: URL) throws {
        let note = folder.appendingPathComponent(".film.mp4.validator")
        let text = try String(contentsOf: note, encoding: .utf8)
        let earlier = text.replacing(/[0-9a-z]+ (-?[0-9]+\.[0-9]+)/) { "0 \($0.1)" }
        try Data(earlier.utf8).write(to: note)
    }

    /// Makes a download whose connection is cut, so that its part is kept.
    /// - Returns: The destination.
    func keepPart(in folder: URL, from server: FaultServer, by client: Client) async throws -> URL {
        server.serve(Data(repeating: 1, count: 500_000), tag: "\"1\"", cuttingFirst: 400_000)
        let destination = folder.appendingPathComponent("film.mp4")
        await #expect(throws: CallError.self) {
            try await client.download(Self.film, to: destination, resuming: true).file()
        }
        return destination
    }

    func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}

extension FaultServer {
    /// Serves a file with ranges. The first response is cut after some bytes.
    func serve(_ bytes: Data, tag: String?, cuttingFirst cut: Int?) {
        let start = requests.count
        on(.get, "/film.mp4") { request in
            var fields = "Accept-Ranges: bytes\r\n" + (tag.map { "ETag: \($0)\r\n" } ?? "")
            let first = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let isSame = request.headers["If-Range"] == tag
            if isSame, first >= bytes.count {
                return Reply(
                    .head(
                        "HTTP/1.1 416 No\r\n\(fields)Content-Range: bytes */\(bytes.count)\r\nContent-Length: 0\r\n\r\n"
                    )
                )
            }
            let rest = isSame ? bytes.dropFirst(first) : bytes[...]
            let isPart = isSame && first > 0
            if isPart { fields += "Content-Range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)\r\n" }
            let head = "HTTP/1.1 \(isPart ? "206 Part" : "200 OK")\r\n\(fields)Content-Length: \(rest.count)\r\n\r\n"
            if let cut, request.number == start { return Reply(.head(head), .body(Data(rest.prefix(cut))), .close) }
            return Reply(.head(head), .body(Data(rest)))
        }
    }
}
