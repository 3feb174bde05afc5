import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// To which user a part belongs, if the user is not that of one ``BearerTokens``. All users' files have equal tags.
extension DownloadTests {
    private func client(
        _ plain: Client,
        _ middleware: some Middleware<HTTPRequest, HTTPResponse>
    ) -> Client {
        var client = plain
        client.transport = plain.transport.wrapped(by: middleware).erased()
        return client
    }

    /// Downloads a file by one client, with a cut, and again by another client.
    /// - Returns: Whether the second download has continued the part of the first one.
    private func continues(
        _ first: (Client) -> Client,
        _ second: (Client) -> Client,
        between: (URL) throws -> Void = { _ in }
    ) async throws -> Bool {
        var isContinued = false
        try await withFolder { folder in
            let (server, plain) = try await serving(.status(404))
            let place = try await keepPart(in: folder, from: server, by: first(plain))
            try between(folder)
            // This file is as long as that of the first download.
            let file = Data(repeating: 2, count: 500_000)
            server.serve(file, tag: "\"1\"", cuttingFirst: nil)
            try await second(plain).download(Self.film, to: place, resuming: true).file()
            isContinued = server.requests.last?.headers["Range"] != nil
            let isWhole = try Data(contentsOf: place) == file
            #expect(isWhole != isContinued)
        }
        return isContinued
    }

    @Test(arguments: [("ada", "x", true), ("ada", "y", false), ("bob", "x", false)])
    func thePartOfAnotherAccountIsNotContinued(user: String, password: String, isSame: Bool) async throws {
        let isContinued = try await continues {
            client($0, .basicAuthentication(user: "ada", password: "x"))
        } _: {
            client($0, .basicAuthentication(user: user, password: password))
        }
        #expect(isContinued == isSame)
    }

    /// A name and a password identify the user also in the next run of the app.
    @Test(arguments: [("ada", true), ("bob", false)])
    func thePartOfAnotherAccountOfAnEarlierRunIsNotContinued(user: String, isSame: Bool) async throws {
        let isContinued = try await continues {
            client($0, .basicAuthentication(user: "ada", password: "x"))
        } _: {
            client($0, .basicAuthentication(user: user, password: "x"))
        } between: {
            try endRunOfApp(in: $0)
        }
        #expect(isContinued == isSame)
    }

    /// The token, the password or the signature is that of the app. The user is in a header field.
    @Test(arguments: ["authentication", "basic", "signing"], [true, false])
    func theFieldOfAUserCountsBesideCredentialsOfTheApp(kind: String, isSame: Bool) async throws {
        let session = Locked("ada")
        let provider = HeaderProvider { _ in ["X-Session": session.withLock { $0 }] }
        let tokens = BearerTokens("app") { "app" }
        let signing = Signing { request in
            var request = request
            request.headers["X-Signature"] = UUID().uuidString
            return request
        }
        func known(_ plain: Client) -> Client {
            let plain = client(plain, provider)
            return switch kind {
            case "authentication": client(plain, .authentication(tokens))
            case "basic": client(plain, .basicAuthentication(user: "app", password: "app"))
            default: client(plain, signing)
            }
        }
        let isContinued = try await continues {
            known($0)
        } _: {
            if !isSame { session.withLock { $0 = "bob" } }
            return known($0)
        }
        #expect(isContinued == isSame)
    }

    /// A closure hides the authentication inside of it, so the user is unknown until a request is sent.
    @Test(arguments: [true, false])
    func thePartOfTheUserOfAHiddenAuthenticationIsNotContinued(isSame: Bool) async throws {
        let tokens = BearerTokens("A") { "A" }
        func hiding(_ plain: Client) -> Client {
            let inner = plain.transport.wrapped(by: .authentication(tokens))
            var client = plain
            client.transport = AnyNode { request, context in try await inner.process(request, in: context) }
            return client
        }
        let isContinued = try await continues {
            hiding($0)
        } _: {
            if !isSame { tokens.replace(with: BearerToken("B")) }
            return hiding($0)
        }
        #expect(isContinued == isSame)
    }

    /// The redirect to another origin removes the credentials. The query of its address says to whom the file belongs.
    @Test(arguments: [true, false], [true, false])
    func thePartOfAnotherUserBehindARedirectIsNotContinued(isToken: Bool, isSame: Bool) async throws {
        let (server, plain) = try await serving(.status(404))
        let files = try await FaultServer.start()
        server.on(.get, "/film.mp4") { request in
            let user = request.headers["Cookie"] ?? request.headers[.authorization]?.replacing("Bearer ", with: "")
            return .redirect(to: "\(files.url)/film.mp4?user=\(user ?? "nobody")")
        }
        files.on(.get, "/film.mp4") { request in
            let whole = Data(repeating: request.query == "user=ada" ? 65 : 66, count: 100)
            if request.number > 0 { return .resource(whole, to: request, eTag: "\"1\"") }
            return Reply(
                .head("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n"),
                .body(whole.prefix(40)),
                .close
            )
        }
        let user = Locked("ada")
        let tokens = BearerTokens("ada") { "ada" }
        let client =
            isToken
            ? client(plain, .authentication(tokens))
            : client(plain, HeaderProvider { _ in [.cookie: user.withLock { $0 }] })
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            if !isSame {
                user.withLock { $0 = "bob" }
                tokens.replace(with: BearerToken("bob"))
            }
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Data(repeating: isSame ? 65 : 66, count: 100))
            #expect((files.requests.last?.headers["Range"] != nil) == isSame)
        }
    }

    @Test(arguments: ["Cookie", "X-Api-Key", "Authorization", "Accept-Language"], [true, false])
    func aFieldThatAMiddlewareAddsCounts(name: String, isSame: Bool) async throws {
        let value = Locked("one")
        let provider = HeaderProvider { _ in [HTTPHeaders.Name(name): value.withLock { $0 }] }
        let isContinued = try await continues {
            client($0, provider)
        } _: {
            if !isSame { value.withLock { $0 = "other" } }
            return client($0, provider)
        }
        #expect(isContinued == isSame)
    }

    /// The credential comes from a closure around the transport, not from a middleware.
    @Test(arguments: ["Cookie", "access_token"], [true, false])
    func aCredentialThatANodeAddsCounts(name: String, isSame: Bool) async throws {
        func adding(_ value: String, to plain: Client) -> Client {
            let inner = plain.transport
            var client = plain
            client.transport = AnyNode { request, context in
                var request = request
                if name == "Cookie" {
                    request.headers[.cookie] = value
                } else {
                    request.url.append(queryItems: [URLQueryItem(name: name, value: value)])
                }
                return try await inner.process(request, in: context)
            }
            return client
        }
        let isContinued = try await continues {
            adding("ada", to: $0)
        } _: {
            adding(isSame ? "ada" : "bob", to: $0)
        }
        #expect(isContinued == isSame)
    }

    /// The query of the first request says to whom the file belongs, although all redirects lead to one path.
    @Test(arguments: [true, false])
    func theQueryBeforeARedirectCounts(isSame: Bool) async throws {
        let (server, plain) = try await serving(.status(404))
        server.on(.get, "/film.mp4") { .redirect(to: "/blob?\($0.query ?? "")&signature=\($0.number)") }
        server.on(.get, "/blob") { request in
            let whole = Data(repeating: request.query?.hasPrefix("user=ada") == true ? 65 : 66, count: 100)
            if request.number > 1 { return .resource(whole, to: request, eTag: "\"1\"") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n"
            return Reply(.head(head), .body(whole.prefix(40)), .close)
        }
        let user = Locked("ada")
        var client = plain
        client.transport = AnyNode { request, context in
            var request = request
            request.url.append(queryItems: [URLQueryItem(name: "user", value: user.withLock { $0 })])
            return try await plain.transport.process(request, in: context)
        }
        try await withFolder { [client] folder in
            let place = folder.appendingPathComponent("film.mp4")
            await #expect(throws: CallError.self) {
                try await client.download(Self.film, to: place, resuming: true).file()
            }
            if !isSame { user.withLock { $0 = "bob" } }
            try await client.download(Self.film, to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Data(repeating: isSame ? 65 : 66, count: 100))
            #expect((server.requests.last?.headers["Range"] != nil) == isSame)
        }
    }

    /// The signature differs in each request, like one in a header field.
    @Test(arguments: [true, false])
    func aSignatureInTheQueryIsThatOfItsSigner(isSame: Bool) async throws {
        let signer = { @Sendable in
            Signing { request in
                var request = request
                request.url.append(queryItems: [URLQueryItem(name: "signature", value: UUID().uuidString)])
                return request
            }
        }
        let one = signer()
        let isContinued = try await continues {
            client($0, one)
        } _: {
            client($0, isSame ? one : signer())
        }
        #expect(isContinued == isSame)
    }

    @Test func aCredentialThatTheFirstRequestDidNotHaveCounts() async throws {
        let isContinued = try await continues {
            $0
        } _: {
            client($0, HeaderProvider { _ in ["X-Api-Key": "k"] })
        }
        #expect(!isContinued)
    }

    /// The signature differs in each request.
    @Test(arguments: [true, false]) func thePartOfAnotherSignerIsNotContinued(isSame: Bool) async throws {
        let signer = { @Sendable in
            Signing { request in
                var request = request
                request.headers[.authorization] = "Signature \(UUID().uuidString)"
                return request
            }
        }
        let one = signer()
        let isContinued = try await continues {
            client($0, one)
        } _: {
            client($0, isSame ? one : signer())
        }
        #expect(isContinued == isSame)
    }

    @Test func aRenewedTokenIsThatOfTheSameUser() async throws {
        let (count, clock) = (Locked(0), TestClock())
        let tokens = BearerTokens(clock: clock) { _ in
            count.withLock { $0 += 1 }
            return BearerToken("\(count.withLock { $0 })", expiresIn: .seconds(10))
        }
        let isContinued = try await continues {
            client($0, .authentication(tokens))
        } _: {
            clock.advance(by: .seconds(10))
            return client($0, .authentication(tokens))
        }
        #expect(isContinued && count.withLock { $0 } > 1)
    }

    /// The session changes between the loss and the next request.
    @Test func theBytesOfTwoSessionsAreNotJoined() async throws {
        try await withFolder { folder in
            let (server, plain) = try await serving(.status(404))
            server.on(.get, "/film.mp4") { request in
                let whole = Data(repeating: request.headers["Cookie"] == "ada" ? 65 : 66, count: 100)
                if request.number > 0 { return .resource(whole, to: request, eTag: "\"1\"") }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n"
                return Reply(.head(head), .body(whole.prefix(40)), .close)
            }
            let count = Locked(0)
            let provider = HeaderProvider { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return ["Cookie": number == 1 ? "ada" : "bob"]
            }
            let place = folder.appendingPathComponent("film.mp4")
            let again = Reconnection.afterLoss(attempts: 2, firstWait: .zero)
            try await client(plain, provider).download(Self.film, to: place, reconnecting: again).file()
            #expect(try Data(contentsOf: place) == Data(repeating: 66, count: 100))
        }
    }
}
