import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct RemoteUserEntry: Codable, RawMappable, Sendable { let name: String? }

private struct RemoteUser: DTODecodable, Sendable, Equatable {
    let name: String
    static func from(dto: RemoteUserEntry) throws -> RemoteUser { RemoteUser(name: try dto.name.require("name")) }
}

/// Some of the documents are those of the examples in JSON-RPC 2.0 §7.
@Suite("JSON-RPC 2.0")
struct JSONRPCTests {
    private let stub = StubTransport()
    private var client: Client { Client(baseURL: URL("https://example.com"), transport: stub) }

    @Test func aCallHasItsResult() async throws {
        stub.on(.post, "/rpc", .json(#"{"jsonrpc": "2.0", "result": 19, "id": 1}"#))
        let call = JSONRPCCall("subtract", [42, 23])
        #expect(call.json == ["jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1])
        #expect(try await client.fetch(Route<Int>.jsonRPC("rpc", call)) == 19)
    }

    @Test func aModelIsMadeOfTheResult() async throws {
        stub.on(
            .post,
            "/rpc",
            .json(#"{"jsonrpc": "2.0", "result": {"name": "Ada"}, "id": 1}"#),
            .json(#"{"jsonrpc": "2.0", "result": {}, "id": 1}"#)
        )
        let route = Route<RemoteUser>.jsonRPC("rpc", JSONRPCCall("user"))
        #expect(try await client.fetch(route) == RemoteUser(name: "Ada"))
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.result.name"])
    }

    @Test(arguments: [
        "[]", "{}", #"{"jsonrpc":"1.0"}"#, #"{"jsonrpc":"2.0","id":7,"result":1}"#, #"{"jsonrpc":"2.0","id":1}"#,
    ])
    func aWrongResponseSaysWhatWasRead(text: String) throws {
        let json = try Json(parsing: text)
        let error = #expect(throws: MappingError.self) { try JSONRPCCall("user").result(in: json) }
        #expect(error?.issues.map(\.owner) == ["JSONRPCCall"])
    }

    @Test func anErrorOfTheServerIsTheCause() async throws {
        stub.on(
            .post,
            "/rpc",
            .json(#"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}"#)
        )
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<Int>.jsonRPC("rpc", JSONRPCCall("foobar")))
        }
        let cause = error?.underlyingError as? JSONRPCError
        #expect(cause?.code == -32601)
        #expect(cause?.message == "Method not found")
    }

    @Test("servers send errors with a status of their own, too", arguments: [400, 404, 500])
    func anErrorWithAStatus(status: Int) async throws {
        let text = #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": 1}"#
        stub.on(.post, "/rpc", .json(text, status: HTTPStatus(status)))
        let one = await #expect(throws: CallError.self) {
            try await client.fetch(Route<Int>.jsonRPC("rpc", JSONRPCCall("foobar")))
        }
        let batch = JSONRPCBatch([JSONRPCCall("foobar")])
        let all = await #expect(throws: CallError.self) {
            try await client.fetch(Route<[Result<Json, any Error>]>.jsonRPC("rpc", batch))
        }
        #expect(one?.failure(as: JSONRPCError.self)?.code == -32601 && one?.status == HTTPStatus(status))
        #expect(all?.failure(as: JSONRPCError.self)?.message == "Method not found")
    }

    @Test(
        "a response of another form or call is an error",
        arguments: [
            (#"{"result":1,"id":1}"#, "$.jsonrpc"), (#"{"jsonrpc":"2.0","result":1,"id":2}"#, "$.id"),
            (#"{"jsonrpc":"2.0","id":1}"#, "$.result"),
            (#"{"jsonrpc":"2.0","error":{"code":1},"id":1}"#, "$.error.message"),
            ("[]", "$"),
        ]
    )
    func wrong(text: String, path: String) async throws {
        stub.on(.post, "/rpc", .json(text))
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<Int>.jsonRPC("rpc", JSONRPCCall("sum")))
        }
        #expect(error?.issues.first?.path.description == path)
    }

    @Test func aBatchHasTheResultsInTheOrderOfItsCalls() async throws {
        stub.on(
            .post,
            "/rpc",
            .json(
                """
                [{"jsonrpc": "2.0", "result": ["hello", 5], "id": 3},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": 2},
                 {"jsonrpc": "2.0", "result": 7, "id": 1}]
                """
            )
        )
        let batch = JSONRPCBatch([1, 2, 3, 4].map { JSONRPCCall("method", id: $0) })
        let results = try await client.fetch(Route.jsonRPC("rpc", batch))
        #expect(try results[0].get() == 7)
        #expect(throws: JSONRPCError.self) { try results[1].get() }
        #expect(try results[2].get() == ["hello", 5])
        let unread = #expect(throws: JSONRPCError.self) { try results[3].get() }
        #expect(unread?.code == -32600)
    }

    @Test func aCallWithoutAResponseIsAnError() async throws {
        stub.on(.post, "/rpc", .json(#"[{"jsonrpc": "2.0", "result": 7, "id": 1}]"#))
        let batch = JSONRPCBatch([JSONRPCCall("sum", id: 1), JSONRPCCall("sum", id: 2)])
        let results = try await client.fetch(Route.jsonRPC("rpc", batch))
        let missing = #expect(throws: MappingError.self) { try results[1].get() }
        #expect(missing?.issues.first?.kind == .missing)
    }

    @Test(
        "a batch without calls, or with an id twice, is not sent",
        arguments: [
            ([], "$: broken rule: expected at least one call, found array (0 elements)"),
            ([1, 2, 1], "$[2].id: broken rule: expected another id for each call"),
        ]
    )
    func unsendable(ids: [Int], reason: String) async throws {
        let batch = JSONRPCBatch(ids.map { JSONRPCCall("sum", id: $0) })
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route.jsonRPC("rpc", batch)) }
        #expect(error?.stage == .requestEncoding)
        #expect(error?.issues.map(\.description) == [reason])
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "a batch that failed as a whole, or has an id twice, is an error",
        arguments: [
            (#"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#, nil),
            (#"[{"jsonrpc":"2.0","result":1,"id":1},{"jsonrpc":"2.0","result":2,"id":1}]"#, "$[1].id"),
            (#"7"#, "$"),
        ] as [(String, String?)]
    )
    func wrongBatch(text: String, path: String?) async throws {
        stub.on(.post, "/rpc", .json(text))
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route.jsonRPC("rpc", JSONRPCBatch([JSONRPCCall("sum")])))
        }
        #expect(error?.issues.first?.path.description == path)
        #expect((error?.underlyingError is JSONRPCError) == (path == nil))
    }
}
