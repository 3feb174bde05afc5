import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A node for values of every type, which adds a note to the call.
private struct Mark: PassthroughNode {
    let name: String
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        context.note("\(name): \(type(of: value))")
        return value
    }
}

private func mark<Value: Sendable>(_ name: String) -> AnyNode<Value, Value> {
    AnyNode(named: name) { value, context in
        context.note(name)
        return value
    }
}

@Suite("Custom nodes: one line, at each of the four boundaries")
struct CustomNodeTests {
    private let stub = StubTransport(.json("[]"))

    private var client: Client {
        Client(baseURL: URL("https://api.example.com"), transport: stub)
    }

    // MARK: For every route of a client

    @Test func requestOfEveryRoute() async throws {
        var client = client
        client.request.append { request, _ in
            var request = request
            request.headers[.userAgent] = "App/1"
            return request
        }
        _ = try await client.fetch(.users)
        _ = try await client.fetch(.file)
        #expect(stub.requests.map { $0.headers[.userAgent] } == ["App/1", "App/1"])
    }

    @Test func rawOfEveryRoute() async throws {
        stub.on(.get, "/users", .json(#"{"data":[{"name":"Ada","photos":[]}]}"#))
        stub.on(.get, "/health", .json(#"{"data":{"status":"up"}}"#))
        var client = client
        client.raw.append { json, _ in json["data"] ?? json }
        #expect(try await client.fetch(.users).map(\.name) == ["Ada"])
        #expect(try await client.fetch(.health) == ["status": "up"])
    }

    @Test func entryOfEveryRoute() async throws {
        var client = client
        client.entry.append(Mark(name: "entry"))
        #expect(try await client.send(.users).events.map(\.text) == ["entry: Array<UserEntry>"])
        #expect(try await client.send(.userEntries).events.map(\.text) == ["entry: Array<UserEntry>"])
    }

    @Test func modelOfEveryRoute() async throws {
        var client = client
        client.model.append(Mark(name: "model"))
        #expect(try await client.send(.users).events.map(\.text) == ["model: Array<User>"])
        #expect(try await client.send(.health).events.map(\.text) == ["model: Json"])
    }

    // MARK: For one route

    @Test func requestOfOneRoute() async throws {
        _ = try await client.fetch(
            .users.adding(
                request: AnyNode { request, _ in
                    var request = request
                    request.headers["X-Priority"] = "high"
                    return request
                }
            )
        )
        _ = try await client.fetch(.users)
        #expect(stub.requests.map { $0.headers["X-Priority"] } == ["high", nil])
    }

    @Test func rawOfOneRoute() async throws {
        stub.on(.get, "/users", .json(#"{"data":[]}"#))
        #expect(try await client.fetch(.users.adding(raw: AnyNode { json, _ in json["data"] ?? json })) == [])
        await #expect(throws: CallError.self) { try await client.fetch(.users) }
    }

    @Test func entryOfOneRoute() async throws {
        stub.on(.get, "/users", .json(#"[{"name":"","photos":[]},{"name":"Ada","photos":[]}]"#))
        let route = Route.users.adding(entry: AnyNode { entries, _ in entries.filter { !$0.name.isEmpty } })
        #expect(try await client.fetch(route).map(\.name) == ["Ada"])
    }

    @Test func modelOfOneRoute() async throws {
        stub.on(.get, "/users", .json(#"[{"name":"B","photos":[]},{"name":"A","photos":[]}]"#))
        let route = Route.users.adding(model: AnyNode { users, _ in users.sorted { $0.name < $1.name } })
        #expect(try await client.fetch(route).map(\.name) == ["A", "B"])
    }

    // MARK: Order, replacement, repetition

    @Test func theClientsNodesStandNearerToTheWire() async throws {
        var client = client
        client.request.append(mark("client request"))
        client.raw.append(mark("client raw"))
        client.entry.append(Mark(name: "client entry"))
        client.model.append(Mark(name: "client model"))
        let route = Route.users
            .adding(request: mark("route request")).adding(raw: mark("route raw"))
            .adding(entry: mark("route entry")).adding(model: mark("route model"))
        #expect(
            try await client.send(route).events.map(\.text) == [
                "route request", "client request", "client raw", "route raw",
                "client entry: Array<UserEntry>", "route entry", "client model: Array<User>", "route model",
            ]
        )
    }

    @Test func allStagesArePrintedWithTheNodesInTheirPlace() {
        var client = client
        client.request.append(mark("Sign"))
        client.raw.append(mark("Unwrap"))
        client.entry.append(Mark(name: ""))
        client.model.append(Mark(name: ""))
        client.transport = AnyNode(AnyNode(named: "Stub") { _, _ in HTTPResponse(status: 200) })
        #expect(
            "\(client.pipeline(for: .users))"
                == "request encoding: NoBody → BuildRequest → Sign | transport: Stub | "
                + "raw mapping: CheckStatus → ParseJson → Unwrap → MapRaw<Array<UserEntry>> → Mark | "
                + "DTO conversion: ConvertDTO<Array<User>> → Mark"
        )
    }

    @Test func aRouteMaySwapItsRawMapping() async throws {
        stub.on(.get, "/users", .json(#"{"data":[{"name":"Ada","photos":[]}]}"#))
        let envelope = ParseJson().then { json, _ in json["data"] ?? .null }.then(MapRaw<[UserEntry]>())
        #expect(try await client.fetch(.users.replacing(rawMapping: envelope)).map(\.name) == ["Ada"])
        #expect(try await client.fetch(.userEntries.replacing(rawMapping: envelope)).map(\.name) == ["Ada"])
        stub.on(.get, "/users", .json(#"{"data":[]}"#, status: 500))
        await #expect(throws: CallError.self) { try await client.fetch(.users.replacing(rawMapping: envelope)) }
    }

    @Test func onePipelineMaySwapItsRawMapping() async throws {
        stub.on(.get, "/users", .json(#"{"data":[{"name":"Ada","photos":[]}]}"#))
        let envelope = ParseJson().then { json, _ in json["data"] ?? .null }.then(MapRaw<[UserEntry]>())
        let users = try await client.pipeline(for: .users).replacing(rawMapping: envelope).process()
        #expect(users.map(\.name) == ["Ada"])
    }

    @Test func aNodeMayRepeatUntilSuccess() async throws {
        struct RepeatUntilSuccess<Input: Sendable>: Middleware {
            func intercept(
                _ input: Input,
                in context: CallContext,
                next: some Node<Input, HTTPResponse>
            ) async throws -> HTTPResponse {
                while true {
                    let response = try await next.process(input, in: context)
                    if response.status != 503 { return response }
                    context.note("again")
                    try Task.checkCancellation()
                }
            }
        }
        stub.on(.get, "/users", .status(503), .status(503), .json("[]"))
        var client = client
        client.transport = AnyNode(stub.wrapped(by: RepeatUntilSuccess()))
        let answer = try await client.send(.users)
        #expect(answer.value == [])
        #expect(answer.events.map(\.text) == ["again", "again"])
        #expect(stub.requests.count == 3)
    }

    @Test func aTypeWithoutAnyConformanceFlowsThroughTheSameRoutes() async throws {
        struct Generated: Decodable, Sendable, Equatable { let id: Int }
        stub.on(.get, "/generated", .json(#"{"id":7}"#))
        let route = Route<Generated>(
            Endpoint(.get, "generated"),
            rawMapping: ParseJson().then { json, _ in try json.decode(Generated.self) }
        )
        #expect(try await client.fetch(route) == Generated(id: 7))
    }

    @Test func aRawTypeOfTheAppsOwnIsARawTypeLikeAnyOther() async throws {
        stub.on(.get, "/pairs", .text("a=1\nb=2"))
        #expect(try await client.fetch(Route<Pairs>.get("pairs")) == Pairs(values: ["a": "1", "b": "2"]))
        #expect(stub.requests.first?.headers[.accept] == "text/x-pairs")
        _ = try await client.fetch(Route<Data>.post("users", body: Pairs(values: ["k": "v"])))
        #expect(stub.requests.last?.body?.data == Data("k=v".utf8))
        #expect(stub.requests.last?.headers[.contentType] == "text/x-pairs")
    }
}

private struct PairText: RawBody {
    let text: String
    static var mediaType: String { "text/x-pairs" }
    static func parse(_ body: Data) throws -> PairText { PairText(text: String(decoding: body, as: UTF8.self)) }
    func serialized() throws -> Data { Data(text.utf8) }
}

private struct Pairs: RawMappable, Hashable, Sendable {
    typealias Raw = PairText
    let values: [String: String]

    static func from(raw: PairText) throws -> Pairs {
        let pairs = raw.text.split(separator: "\n").map { $0.split(separator: "=").map(String.init) }
        return Pairs(values: Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 })
    }
    func toRaw() throws -> PairText { PairText(text: values.map { "\($0)=\($1)" }.joined(separator: "\n")) }
}
