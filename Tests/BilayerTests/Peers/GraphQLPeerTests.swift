#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Requests to a server that follows GraphQL over HTTP, and its answers.
@Suite(
    "A real peer: graphql-core",
    .timeLimit(.minutes(5)),
    .enabled(if: PythonServer.has("graphql"), "there is no Python or no graphql-core")
)
struct GraphQLPeerTests {
    private let server: PythonServer
    private let client: Client

    init() async throws {
        server = try await PythonServer.start(GraphQLServer.program)
        var client = Client(baseURL: server.url)
        client.conventions.scalars.register(Date.self, as: .dateOnly)
        self.client = client
    }

    // MARK: Queries

    @Test("types, scalars, unions and identifiers", arguments: [HTTPMethod.post, .get])
    func typesScalarsUnionsAndIdentifiers(by method: HTTPMethod) async throws {
        let route = Route<PeerTrip?>.graphQL(PeerTripQuery("7"), at: \.trip, by: method)
        let trip = try #require(try await client.fetch(route))
        #expect(trip.id == "7")
        #expect(trip.start == Date(timeIntervalSince1970: 1_782_864_000))
        #expect(trip.distance.value == 9_007_199_254_740_993)
        #expect(trip.place == .city("Bern"))
        let other = Route<PeerTrip?>.graphQL(PeerTripQuery("9"), at: \.trip, by: method)
        #expect(try await client.fetch(other)?.place == .park(1.5))
    }

    @Test(
        "a variable is absent, null or a value",
        arguments: [(Field<String>.absent, "default"), (.null, "null"), (.value("x & y"), "x & y")]
    )
    func aVariableIsAbsentNullOrAValue(after: Field<String>, echoed: String) async throws {
        for method in [HTTPMethod.post, .get] {
            let data = try await client.fetch(
                Route<PeerTripQuery.Data>.graphQL(PeerTripQuery("7", after: after), by: method)
            )
            #expect(data.echo == echoed)
        }
    }

    @Test func fieldsOfALaterFormatAreRefusedByTheirPath() async throws {
        var client = client
        client.conventions.scalars.register(Date.self, as: .unixSeconds)
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<PeerTrip?>.graphQL(PeerTripQuery("7"), at: \.trip))
        }
        #expect(error?.issues.map(\.path.description) == ["$.data.trip.start"])
    }

    // MARK: Errors

    @Test func partialDataHasTheErrorOfItsField() async throws {
        let route = Route<PeerTrip?>.graphQL(PeerTripQuery("8"), at: \.trip)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.graphQLErrors.map(\.code) == ["FULL"])
        let answer = try await client.fetch(route.keepingErrors())
        #expect(answer.value?.name == "Alps")
        #expect(answer.reason(at: "trip.hotel")?.message == "no room")
        #expect(try await client.fetch(route.with(option: GraphQLErrorPolicy.ignore))?.hotel == nil)
    }

    @Test func aMistakeInADocumentIsRefusedWithItsErrors() async throws {
        let typed = await #expect(throws: CallError.self) {
            try await client.fetch(Route<PeerMistake.Data>.graphQL(PeerMistake()))
        }
        #expect(typed?.status == 400)
        #expect(typed?.graphQLErrors.first?.message.contains("nothing") == true)
        #expect(typed?.graphQLErrors.first?.locations == [.init(line: 1, column: 3)])
    }

    @Test func aMutationIsSentByPost() async throws {
        let data = try await client.fetch(Route<PeerRename.Data>.graphQL(PeerRename()))
        #expect(data.rename.name == "Andes")
        // The server, too, refuses a mutation by `GET`.
        var url = URLComponents(url: server.url.appending(path: "graphql"), resolvingAgainstBaseURL: false)
        url?.queryItems = [URLQueryItem(name: "query", value: PeerRename.document)]
        let response = try await DefaultTransport()
            .process(
                HTTPRequest(url: try #require(url?.url), headers: [.accept: GraphQLText.response])
            )
        #expect(response.status == 405)
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<PeerRename.Data>.graphQL(PeerRename(), by: .get))
        }
        #expect(error?.stage == .requestEncoding)
    }

    // MARK: Persisted queries, batches, files

    @Test("a hash is known after the document was sent once", arguments: [HTTPMethod.post, .get])
    func aHashIsKnownAfterTheDocumentWasSentOnce(by method: HTTPMethod) async throws {
        let log = CallCounter()
        var client = client
        client.transport = AnyNode(client.transport.wrapped(by: log).wrapped(by: PersistedQueries(hashesBy: method)))
        let route = Route<PeerTripQuery.Data>.graphQL(PeerTripQuery("7")).keepingErrors()
        for sent in [2, 3, 4] {
            let answer = try await client.fetch(route)
            #expect(answer.value.trip?.name == "Alps")
            #expect(answer.extensions["seen"]?["persistedQuery"]?["version"] == 1)
            #expect(log.requests.count == sent)
        }
        #expect(log.requests.last?.method == method)
        #expect(log.requests.map { $0.containsDocument } == [false, true, false, false])
    }

    @Test func operationsOfOneMomentAreOneRequest() async throws {
        let log = CallCounter()
        var client = client
        // The time does not go on: the ninth operation ends the wait.
        let batching = OperationBatching(window: .seconds(1), atMost: 9, clock: TestClock())
        client.transport = AnyNode(client.transport.wrapped(by: log).wrapped(by: batching))
        let names = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for id in 1...9 {
                group.addTask { [client] in
                    let route = Route<PeerTrip?>.graphQL(PeerTripQuery("\(id)"), at: \.trip)
                        .with(option: GraphQLErrorPolicy.ignore)
                    return (id, try await client.fetch(route)?.id.rawValue)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(names == Dictionary(uniqueKeysWithValues: (1...9).map { ($0, "\($0)") }))
        #expect(log.requests.count == 1)
    }

    @Test func filesArriveByteForByte() async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString).bin")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let upload = PeerUpload(
            variables: .init(files: [
                GraphQLFile(.data(Data("hello".utf8)), name: "a.txt"), GraphQLFile(.file(at: file), name: "b.bin"),
            ])
        )
        let digests = try await client.fetch(Route<[String]>.graphQL(upload, at: \.upload))
        #expect(
            digests == [
                "a.txt 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                "b.bin " + (try ChildProcess.output(of: ["/usr/bin/sha256sum", file.path])).sha256Text,
            ]
        )
    }

    // MARK: Streams

    @Test func aSubscriptionIsASequence() async throws {
        let route = Route<Int>.graphQL(PeerCounted(), at: \.counted)
        var found: [Int] = []
        for try await number in client.stream(route, as: .graphQL) { found.append(number) }
        #expect(found == [1, 2, 3])
    }

    @Test func deferredFieldsComeLater() async throws {
        let route = Route<PeerTrip?>.graphQL(PeerDeferred(), at: \.trip)
        var found: [String?] = []
        for try await trip in client.stream(route, as: .graphQL) { found.append(trip?.hotel?.name) }
        #expect(found.first == .some(nil))
        #expect(found.last == "Edelweiss")
    }

    @Test func streamedElementsComeOneByOne() async throws {
        let route = Route<[Int]>.graphQL(PeerNumbers(), at: \.numbers)
        var found: [[Int]] = []
        for try await numbers in client.stream(route, as: .graphQL) { found.append(numbers) }
        #expect(found.first == [])
        #expect(found.last == [0, 1, 2])
    }
}

// MARK: - The operations

private enum PeerTripOwner {}

/// The custom scalar `Long`: a number, or a string.
private struct PeerLong: CustomScalar, Hashable {
    var value: Int64
    static let format = ValueFormat<Int64>.firstOf(.plain, .quoted).map(PeerLong.init) { $0.value }
}

private enum PeerPlace: Discriminated, Decodable, Equatable {
    case city(String)
    case park(Double)
    case other

    static let discriminator = Discriminator<PeerPlace>
        .on(
            "__typename",
            [
                "City": { .city(try $0.decode("name")) },
                "Park": { .park(try $0.decode("area")) },
            ],
            otherwise: { _ in .other }
        )
}

private struct PeerTrip: Decodable, RawDecodable {
    let id: TypedStringIdentifier<PeerTripOwner>
    let name: String
    let start: Date?
    let distance: PeerLong
    let hotel: HotelFragment?
    let place: PeerPlace?
}

private struct PeerTripQuery: GraphQLOperation {
    static let document = """
        query Trip($id: ID!, $after: String) {
          trip(id: $id, after: $after) {
            id name start distance hotel { name } place { __typename ... on City { name } ... on Park { area } }
          }
          echo(after: $after)
        }
        """
    struct Variables: Codable, RawMappable {
        let id: TypedStringIdentifier<PeerTripOwner>
        var after: Field<String> = .absent
    }
    struct Data: Decodable, RawDecodable {
        let trip: PeerTrip?
        let echo: String?
    }
    let variables: Variables
    init(_ id: String, after: Field<String> = .absent) { variables = Variables(id: .init(id), after: after) }
}

private struct PeerMistake: GraphQLOperation {
    static let document = "{ nothing }"
    struct Data: Decodable, RawDecodable { let nothing: String }
}

private struct PeerRename: GraphQLOperation {
    static let document = #"mutation { rename(id: "7", name: "Andes") { id name } }"#
    struct Data: Decodable, RawDecodable { let rename: TripFragment }
}

private struct PeerUpload: GraphQLOperation {
    static let document = "mutation Upload($files: [Upload!]!) { upload(files: $files) }"
    struct Variables: Encodable, RawEncodable { let files: [GraphQLFile] }
    struct Data: Decodable, RawDecodable { let upload: [String] }
    let variables: Variables
}

private struct PeerCounted: GraphQLOperation {
    static let document = "subscription Counted($to: Int!) { counted(to: $to) }"
    struct Variables: Codable, RawMappable { var to = 3 }
    struct Data: Decodable, RawDecodable { let counted: Int }
    let variables = Variables()
}

private struct PeerDeferred: GraphQLOperation {
    static let document = """
        query Deferred { trip(id: "7") { id name distance start ... @defer { hotel { name } } } }
        """
    struct Data: Decodable, RawDecodable { let trip: PeerTrip? }
}

private struct PeerNumbers: GraphQLOperation {
    static let document = "{ numbers @stream(initialCount: 0) }"
    struct Data: Decodable, RawDecodable { let numbers: [Int] }
}

/// Notes the requests that pass.
private final class CallCounter: Middleware {
    private let seen = Locked<[HTTPRequest]>([])
    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try await next.process(request, in: context)
    }
}

extension HTTPRequest {
    fileprivate var containsDocument: Bool {
        url.absoluteString.contains("query=")
            || body?.data.map { String(decoding: $0, as: UTF8.self) }?
                .contains("\"query\":") == true
    }
}

extension Data {
    fileprivate var sha256Text: String { String(String(decoding: self, as: UTF8.self).prefix(64)) }
}
#endif
