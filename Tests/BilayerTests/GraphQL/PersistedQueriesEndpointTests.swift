import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct OperationOfFirst: GraphQLOperation {
    static let document = "query First { count }"
    static var path: String { "first" }
    struct Data: Codable, RawMappable { let count: Int }
}

private struct OperationOfSecond: GraphQLOperation {
    static let document = "query Second { count }"
    static var path: String { "second" }
    typealias Data = OperationOfFirst.Data
}

/// What one server supports says nothing about another server.
@Suite("Persisted queries: the endpoints of a client")
struct PersistedQueriesEndpointTests {
    private let requests = Locked<[(host: String, hasDocument: Bool)]>([])

    /// Servers that take hashes, or respond with 400 to a request without a document.
    private func servers(
        taking takesHashes: @escaping @Sendable (URL) throws -> Bool
    ) -> some Transport {
        StubTransport { [requests] request, _ in
            let hasDocument = (try? Json(parsing: request.body?.data ?? Data()))?["query"] != nil
            let takesHashes = try takesHashes(request.url)
            requests.withLock { $0.append((request.url.host() ?? "", hasDocument)) }
            let isAnswered = hasDocument || takesHashes
            let text = isAnswered ? #"{"data":{"count":7}}"# : #"{"errors":[{"message":"Must provide query string."}]}"#
            return HTTPResponse(
                status: isAnswered ? 200 : 400,
                headers: [.contentType: "application/json"],
                body: Data(text.utf8),
                url: request.url
            )
        }
    }

    private var documents: [Bool] { requests.withLock { $0.map(\.hasDocument) } }

    @Test("one endpoint has hashes, and the other one has none", arguments: ["first", "second"])
    func twoEndpoints(withHashes path: String) async throws {
        let servers = servers { $0.lastPathComponent == path }
        let client = Client(baseURL: URL("https://example.com"), transport: servers.wrapped(by: .persistedQueries))
        for _ in 0..<3 {
            #expect(try await client.fetch(Route.graphQL(OperationOfFirst())).count == 7)
            #expect(try await client.fetch(Route.graphQL(OperationOfSecond())).count == 7)
        }
        let isFirst = path == "first"
        #expect(
            documents == (isFirst ? [false, false, true] : [false, true, false])
                + (isFirst ? [false, true, false, true] : [true, false, true, false])
        )
    }

    @Test func clientsOfTwoHostsShareTheMiddlewareOnly() async throws {
        let servers = servers { $0.host() == "eu.example.com" }.wrapped(by: .persistedQueries)
        for host in ["eu", "us", "eu", "us"] {
            let client = Client(baseURL: try #require(URL(string: "https://\(host).example.com")), transport: servers)
            #expect(try await client.fetch(Route.graphQL(OperationOfFirst())).count == 7)
        }
        #expect(documents == [false, false, true, false, true])
    }

    @Test func theOtherAddressOfAFailoverGetsDocumentsIfItNeedsThem() async throws {
        let (eu, us) = (URL("https://eu.example.com"), URL("https://us.example.com"))
        let isDown = Locked(false)
        let servers = servers { url in
            if url.host() == "eu.example.com", isDown.withLock(\.self) { throw TransportError(.cannotConnect) }
            return url.host() == "eu.example.com"
        }
        let transport = servers.wrapped(by: .failover([eu, us])).wrapped(by: .persistedQueries)
        let client = Client(baseURL: eu, transport: transport)
        for number in 0..<3 {
            isDown.withLock { $0 = number > 0 }
            #expect(try await client.fetch(Route.graphQL(OperationOfFirst())).count == 7)
        }
        let found = requests.withLock { $0.map { "\($0.host.prefix(2)) \($0.hasDocument)" } }
        #expect(found == ["eu false", "us false", "us true", "us false", "us true"])
    }

    @Test("at most 100 endpoints are remembered")
    func manyEndpoints() async throws {
        let servers = servers { _ in false }.wrapped(by: .persistedQueries)
        func ask(_ numbers: Range<Int>) async throws {
            for number in numbers {
                let base = try #require(URL(string: "https://example.com/\(number)"))
                let client = Client(baseURL: base, transport: servers)
                #expect(try await client.fetch(Route.graphQL(OperationOfFirst())).count == 7)
            }
        }
        for _ in 0..<3 { try await ask(0..<100) }
        #expect(documents.count { !$0 } == 100)
        try await ask(100..<150)
        #expect(documents.count { !$0 } == 150)
        // At most 100 endpoints are remembered. So at least 50 of the 150 were forgotten, and get a second hash.
        try await ask(0..<150)
        #expect(documents.count { !$0 } >= 150 + 50)
    }
}
