#if os(Linux)
import Bilayer
import Foundation
import Testing

/// What the transports, the cache and the downloads do with a server that is used everywhere.
@Suite(
    "A real peer: nginx",
    .timeLimit(.minutes(5)),
    .enabled(if: NginxServer.isExpected, "there is no nginx or no openssl")
)
struct NginxTests {
    private static let text = Data(String(repeating: "All happy families are alike. ", count: 20_000).utf8)
    private static let large = Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })

    // MARK: Both transports

    @Test(arguments: BuiltInTransport.allCases)
    func aCompressedResponseIsTheFile(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.txt")
        let request = HTTPRequest(url: server.url.appending(path: "families.txt"))
        let response = try await choice.transport().process(request)
        #expect(response.body == Self.text)
        #expect(response.headers[.contentEncoding] == "gzip")
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aRangeIsAPartOfTheFile(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.bin")
        let url = server.url.appending(path: "families.bin")
        let response = try await choice.transport().process(HTTPRequest(url: url, headers: ["Range": "bytes=4-8"]))
        #expect(response.status == 206)
        #expect(response.headers["Content-Range"] == "bytes 4-8/\(Self.text.count)")
        #expect(response.body == Data("happy".utf8))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aLargeFileIsStreamed(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.large, as: "large.bin")
        var request = HTTPRequest(url: server.url.appending(path: "large.bin"))
        request.streamsResponse = true
        let response = try await choice.transport().process(request)
        #expect(try await response.chunks.collected() == Self.large)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func uploadsArriveByteForByte(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.large, as: "source.bin")
        let bodies: [(String, HTTPBody)] = [
            ("memory.bin", .data(Self.large)), ("file.bin", .file(at: server.files.appending(path: "source.bin"))),
            ("stream.bin", .stream { HTTPBody.data(Self.large) }),
        ]
        let transport = try choice.transport()
        for (name, body) in bodies {
            let url = server.url.appending(path: "upload/\(name)")
            let response = try await transport.process(HTTPRequest(method: .put, url: url, body: body))
            #expect(response.status == 201)
            #expect(try Data(contentsOf: server.files.appending(path: "upload/\(name)")) == Self.large, "\(name)")
        }
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aRedirectKeepsTheBodyOfAFile(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "source.bin")
        let body = HTTPBody.file(at: server.files.appending(path: "source.bin"))
        let url = server.url.appending(path: "moved")
        let response = try await choice.transport().process(HTTPRequest(method: .put, url: url, body: body))
        #expect(response.status == 201)
        #expect(try Data(contentsOf: server.files.appending(path: "upload/moved.bin")) == Self.text)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aStoredResponseIsValidated(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.bin")
        let cache = HTTPCache(.memory(maximumBytes: 10 << 20))
        let client = Client(baseURL: server.url, transport: try choice.transport().wrapped(by: .cache(cache)))
        let route = Route<Data>.get("families.bin")
        let first = try await client.send(route)
        let second = try await client.send(route.with(option: CachePolicy.revalidate))
        #expect(first.response?.cacheStatus == .miss)
        #expect(second.response?.cacheStatus == .revalidated)
        #expect(second.value == Self.text)
        try server.serve(Data("new".utf8), as: "families.bin")
        #expect(try await client.fetch(route.with(option: CachePolicy.revalidate)) == Data("new".utf8))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aDownloadResumesWithTheTagOfTheServer(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.large, as: "large.bin")
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let place = server.files.appending(path: "copy.bin")
        // The first download ends in the middle. Then the test shortens the part that the download has left.
        struct Enough: Error {}
        await #expect(throws: Enough.self) {
            for try await event in client.download(.get("large.bin"), to: place, resuming: true) {
                if case .progress(let progress) = event, progress.bytes > 1_000_000 { throw Enough() }
            }
        }
        let part = try FileHandle(forWritingTo: server.files.appending(path: ".copy.bin.part"))
        // The part is locked until the first download has ended.
        while flock(part.fileDescriptor, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
        try part.truncate(atOffset: 900_000)
        // The close alone may not unlock it: a child process of another test may have a copy of the descriptor.
        #expect(flock(part.fileDescriptor, LOCK_UN) == 0)
        try part.close()
        var first: TransferProgress?
        for try await event in client.download(.get("large.bin"), to: place, resuming: true) {
            if first == nil, case .progress(let progress) = event { first = progress }
        }
        #expect(try #require(first).bytes > 900_000)
        #expect(first?.total == Self.large.count)
        #expect(try Data(contentsOf: place) == Self.large)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aQueryArrivesAsItWasWritten(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let query = QueryItems.encoding(["q": "a b+c&d=ä%20"], arrays: .brackets)
        let text = try await client.fetch(Route<String>.get("arguments", query: query))
        #expect(text == "q=a%20b%2Bc%26d%3D%C3%A4%2520")
    }

    @Test("values of queries are read back by its decoder", arguments: BuiltInTransport.allCases)
    func queriesAreReadBack(over choice: BuiltInTransport) async throws {
        let server = try await NginxServer.start()
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let letters = Array("ab ÄéЖ中🜁+%&=;#?/\\\"'[]~*-._,\n\r\t\u{7F}<>").map(String.init)
        for seed in 0..<60 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let text = (0..<random.next(below: 8)).map { _ in letters[random.next(below: letters.count)] }.joined()
            let query = QueryItems.encoding(["first": true, "text": Json(text)])
            let decoded = try await client.fetch(Route<String>.get("decoded", query: query))
            #expect(decoded == "/text/" + text, "seed \(seed)")
        }
    }

    // MARK: What libcurl does

    @Test func aConnectionIsKept() async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.txt")
        let transport = try CurlTransport()
        let context = CallContext()
        for _ in 1...3 {
            _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "families.txt")), in: context)
        }
        #expect(context.transferMetrics.map(\.isConnectionReused) == [false, true, true])
        #expect(context.transferMetrics.allSatisfy { $0.bytesReceived < Self.text.count / 10 })
    }

    @Test func http2IsChosenInTheHandshake() async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.txt")
        let url = server.secureURL.appending(path: "families.txt")
        for (allowed, expected) in [(true, CurlFeatures.hasHTTP2 ? "h2" : "http/1.1"), (false, "http/1.1")] {
            var settings = trusting(server)
            settings.allowsHTTP2 = allowed
            let context = CallContext()
            let response = try await CurlTransport(settings).process(HTTPRequest(url: url), in: context)
            #expect(response.body == Self.text)
            #expect(context.transferMetrics.first?.networkProtocol == expected)
        }
    }

    @Test(.enabled(if: CurlFeatures.hasHTTP2, "libcurl is older than 8.14"))
    func manyRequestsShareConnectionsOfHTTP2() async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.text, as: "families.txt")
        var settings = trusting(server)
        settings.connectionsPerHost = 2
        let transport = try CurlTransport(settings)
        let request = HTTPRequest(url: server.secureURL.appending(path: "families.txt"))
        let context = CallContext()
        _ = try await transport.process(request, in: context)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.process(request, in: context).body } }
            for try await body in group { #expect(body == Self.text) }
        }
        #expect(context.transferMetrics.count { !$0.isConnectionReused } <= 2)
        #expect(context.transferMetrics.allSatisfy { $0.networkProtocol == "h2" })
    }

    @Test(.enabled(if: CurlFeatures.hasHTTP2, "libcurl is older than 8.14"))
    func largeBodiesGoOverHTTP2BothWays() async throws {
        let server = try await NginxServer.start()
        let transport = try CurlTransport(trusting(server))
        let url = server.secureURL.appending(path: "upload/large.bin")
        let body = HTTPBody.stream(length: Self.large.count) { HTTPBody.data(Self.large) }
        let sent = try await transport.process(HTTPRequest(method: .put, url: url, body: body))
        #expect(sent.status == 201)
        var request = HTTPRequest(url: url)
        request.streamsResponse = true
        let response = try await transport.process(request)
        #expect(try await response.chunks.collected() == Self.large)
    }

    @Test(.enabled(if: CurlFeatures.hasHTTP2, "libcurl is older than 8.14"))
    func aReaderThatLeavesEndsItsStreamOfHTTP2Alone() async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.large, as: "large.bin")
        try server.serve(Self.text, as: "families.txt")
        var settings = trusting(server)
        settings.connectionsPerHost = 1
        let transport = try CurlTransport(settings)
        var request = HTTPRequest(url: server.secureURL.appending(path: "large.bin"))
        request.streamsResponse = true
        for _ in 1...5 {
            let response = try await transport.process(request)
            for try await _ in response.chunks { break }
        }
        let next = HTTPRequest(url: server.secureURL.appending(path: "families.txt"))
        #expect(try await transport.process(next).body == Self.text)
    }

    /// With libcurl 7.88 over HTTP/2 some of the downloads lost bytes.
    @Test func uploadsThatAreRefusedEarlyLeaveTheOthersWhole() async throws {
        let server = try await NginxServer.start()
        try server.serve(Self.large, as: "large.bin")
        let transport = try CurlTransport(trusting(server))
        let (large, url) = (HTTPRequest(url: server.secureURL.appending(path: "large.bin")), server.secureURL)
        _ = try await transport.process(large)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    if number % 4 == 0 {
                        let limited = url.appending(path: "limited/a")
                        let upload = HTTPRequest(method: .post, url: limited, body: .data(Self.large))
                        let refused = try await transport.process(upload)
                        #expect(refused.status == 413)
                    } else {
                        let whole = try await transport.process(large)
                        #expect(whole.body == Self.large)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func trusting(_ server: NginxServer) -> CurlSettings {
        var settings = CurlSettings()
        settings.tls.authorityFile = server.certificate.path
        return settings
    }
}
#endif
