import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct GuestEntry: Codable, RawMappable, Sendable, Equatable {
    let userName: String?
    let age: Int
}

private struct Guest: DTODecodable, Sendable, Equatable {
    let name: String
    static func from(dto: GuestEntry) throws -> Guest { Guest(name: try dto.userName.require("userName")) }
}

@Suite("A route to a part of the JSON")
struct RouteAtPathTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private var client: Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.conventions.keys = .snakeCase
        client.reporter = collected
        return client
    }

    private func users(_ text: String, _ policy: MappingPolicy = .standard) async throws -> [Guest] {
        stub.on(.get, "/users", .json(text))
        return try await client.fetch(Route<[Guest]>.get("users").at("result.users"), mapping: policy)
    }

    @Test("the value at the path is the response, in both layers and in one")
    func reads() async throws {
        let text = #"{"result":{"users":[{"user_name":"a","age":1}]},"total":1}"#
        #expect(try await users(text).map(\.name) == ["a"])
        #expect(try await client.fetch(Route<[GuestEntry]>.get("users").at("result.users")).map(\.age) == [1])
        #expect(try await client.fetch(Route<Int>.get("users").at("total")) == 1)
    }

    @Test(
        "errors of both layers have whole paths",
        arguments: [
            (#"{"result":{"users":[{"user_name":"a"}]}}"#, "$.result.users[0].age"),
            (#"{"result":{"users":[{"age":1}]}}"#, "$.result.users[0].user_name"),
            (#"{"result":{}}"#, "$.result.users"), (#"{"result":7}"#, "$.result"), ("[]", "$"),
        ]
    )
    func errors(text: String, path: String) async throws {
        let error = await #expect(throws: CallError.self) { try await users(text) }
        #expect(error?.issues.map(\.path.description) == [path])
        #expect(collected.issues.map(\.path.description) == [path])
    }

    @Test("a response without a body is an error that names the empty body")
    func emptyBody() async throws {
        stub.on(.get, "/users", .status(204))
        stub.on(.post, "/users", .status(204))
        let route = Route<[Guest]>.get("users")
        let fetches: [@Sendable (Client) async throws -> Void] = [
            { _ = try await $0.fetch(route) },
            { _ = try await $0.fetch(route.at("result")) },
            { _ = try await $0.fetch(route.adding(raw: Unwrap("data"))) },
            { _ = try await $0.fetch(route.adding(raw: Unwrap("data")).at("result")) },
            { _ = try await $0.fetch(Route<[Guest]>.jsonRPC("users", JSONRPCCall("users"))) },
        ]
        for (number, fetch) in fetches.enumerated() {
            let error = await #expect(throws: CallError.self) { try await fetch(client) }
            #expect(error?.issues.map(\.path.description) == ["$"], "\(number)")
            #expect(error?.issues.first?.found?.description == "an empty body", "\(number)")
        }
        #expect(collected.issues.map { $0.found?.description } == fetches.map { _ in "an empty body" })
        #expect(try await client.fetch(Route<Guest?>.get("users").at("result")) == nil)
    }

    @Test("a value that a node has put in place of an empty body is named as it is")
    func replacedBody() async throws {
        stub.on(.get, "/users", .status(204))
        let route = Route<[Guest]>.get("users").adding(raw: AnyNode { json, _ in json.isNull ? ["items": []] : json })
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.first?.found?.description.hasPrefix("object") == true)
    }

    @Test("a text that is no path is an error before the request is sent")
    func noPath() async throws {
        let calls: [@Sendable (Client) async throws -> Void] = [
            { _ = try await $0.fetch(Route<[Guest]>.get("users").at("result[")) },
            { _ = try await $0.fetch(Route<[GuestEntry]>.get("users").at("result[")) },
            { _ = try await $0.fetch(Route<[Guest]>.get("users").at("result[", in: Json.self)) },
        ]
        for call in calls {
            let error = await #expect(throws: CallError.self) { try await call(client) }
            #expect(error?.stage == .requestEncoding)
            let reason = (error?.underlyingError as? RouteError)?.reason
            #expect(reason == "found \"result[\", expected the path of the response")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "an optional response is nil if nothing is at the path",
        arguments: [
            (#"{"data":[]}"#, "data[0]"), ("{}", "data"), (#"{"data":null}"#, "data"), (#"{"data":null}"#, "data.user"),
        ]
    )
    func nothingThere(text: String, path: String) async throws {
        stub.on(.get, "/users", .json(text))
        #expect(try await client.fetch(Route<Guest?>.get("users").at(path)) == nil)
        #expect(try await client.fetch(Route<GuestEntry?>.get("users").at(path)) == nil)
        let enveloped = Route<Guest?>.get("users").at(path, in: Json.self)
        #expect(try await client.fetch(enveloped).value == nil)
        await #expect(throws: CallError.self) { try await client.fetch(Route<Guest>.get("users").at(path)) }
        #expect(throws: MappingError.self) { try Json.of(#"{"data":5}"#).decode(path: "data.user") as String? }
    }

    @Test("a bad element costs only itself, and the server's indices stay")
    func salvages() async throws {
        let text = #"{"result":{"users":[{"age":"x"},{"user_name":"a","age":1},7,{"age":1}]}}"#
        #expect(try await users(text, .salvaging).map(\.name) == ["a"])
        #expect(
            collected.issues.map(\.path.description) == [
                "$.result.users[0]", "$.result.users[2]", "$.result.users[3]",
            ]
        )
    }

    @Test("the client's nodes run before and after it")
    func nodes() async throws {
        var client = client
        client.raw.append { json, _ in json["envelope"] ?? json }
        stub.on(.get, "/users", .json(#"{"envelope":{"result":{"users":[{"user_name":"a","age":1}]}}}"#))
        let route = Route<[Guest]>.get("users")
            .adding(model: AnyNode { users, _ in users + users }).at("result.users")
        #expect(try await client.fetch(route).count == 2)
    }
}
