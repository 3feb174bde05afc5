import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ShapedEntry: Codable, RawMappable, Sendable, Equatable { let name: String }

@Suite("Shapes of servers: failures, envelopes, links, lists")
struct EnvelopeShapesTests {
    private let stub = StubTransport()
    private var client: Client { Client(baseURL: URL("https://example.com"), transport: stub) }

    @Test("problem details as in RFC 9457 §3, with extensions")
    func problem() async throws {
        stub.on(
            .get,
            "/account",
            .json(
                """
                {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
                 "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
                 "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
                """,
                status: 403
            )
        )
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<Json>.get("account").failing(with: ProblemDetails.self))
        }
        let problem = try #require(error?.failure(as: ProblemDetails.self))
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem.json["balance"]?.int == 30)
    }

    @Test("members of another type are ignored (RFC 9457 §3.1); a value that is no object is an error")
    func laxProblem() throws {
        let problem = try ProblemDetails.from(raw: ["type": 1, "status": "404", "title": ["a"], "detail": nil])
        #expect(problem.type == "about:blank")
        #expect(problem.status == nil && problem.title == nil && problem.detail == nil)
        #expect(throws: MappingError.self) { try ProblemDetails.from(raw: []) }
    }

    @Test(
        "a failure in an envelope has its messages in every form",
        arguments: [
            (#"{"status":"error","message":"Gone","code":404}"#, ["Gone"], "404"),
            (#"{"status":"error","message":["Gone","Late"],"code":"E7"}"#, ["Gone", "Late"], "E7"),
            (#"{"status":"fail","message":{"name":["too short"],"age":"too low"}}"#, ["too short", "too low"], nil),
            (#"{"status":false,"error":{"message":"Gone","code":9}}"#, ["Gone"], "9"),
            (#"{"status":"fail","data":{"title":"A title is required"}}"#, ["A title is required"], nil),
            (#"{"status":"error"}"#, [], nil),
            (#"{"status":"error","message":{"f":["a",1,null]},"code":"E1"}"#, ["a", "1"], "E1"),
            (#"{"status":"error","message":[null,"Gone",null]}"#, ["Gone"], nil),
            (#"{"status":"error","errors":[null]}"#, [], nil),
        ] as [(String, [String], String?)]
    )
    func failures(text: String, messages: [String], code: String?) async throws {
        for status in [200, 404] as [HTTPStatus] {
            stub.on(.get, "/users", .json(text, status: status))
            var client = client
            client.raw.append(Unwrap("data"))
            let error = await #expect(throws: CallError.self) {
                try await client.fetch(Route<[ShapedEntry]>.get("users").failing(with: ServiceFailure.self))
            }
            #expect(error?.failure(as: ServiceFailure.self)?.messages == messages)
            #expect(error?.failure(as: ServiceFailure.self)?.code == code)
            #expect(error?.status == status)
        }
    }

    @Test("an envelope is taken off; paths stay whole", arguments: [true, false])
    func unwraps(isValid: Bool) async throws {
        stub.on(.get, "/users", .json(#"{"status":"success","data":[{"name":\#(isValid ? #""a""# : "1")}]}"#))
        let route = Route<[ShapedEntry]>.get("users").adding(raw: Unwrap("data"))
        if isValid {
            #expect(try await client.fetch(route) == [ShapedEntry(name: "a")])
        } else {
            let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
            #expect(error?.issues.map(\.path.description) == ["$.data[0].name"])
        }
    }

    @Test(
        "errors of an envelope say what was being read",
        arguments: [
            ("[1]", "$: wrong type: expected an object, found array (1 element) in Unwrap"),
            ("{}", "$.data: missing: expected Json, required by Unwrap"),
        ]
    )
    func owner(text: String, issue: String) async throws {
        stub.on(.get, "/users", .json(text))
        let route = Route<[ShapedEntry]>.get("users").adding(raw: Unwrap("data"))
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.description) == [issue])
    }

    @Test("a message of another form has its path")
    func wrongMessage() {
        let error = #expect(throws: MappingError.self) {
            try ServiceFailure.from(raw: ["message": ["name": ["short", ["deep"]]]])
        }
        #expect(error?.path.description == "$.message.*[1]")
    }

    @Test("the links and embedded resources of HAL, as in its draft")
    func hal() async throws {
        stub.on(
            .get,
            "/orders",
            .json(
                """
                {"_links": {"self": {"href": "/orders"}, "next": {"href": "/orders?page=2"},
                            "ea:find": {"href": "/orders{?id}", "templated": true},
                            "ea:admin": [{"href": "/admins/2", "title": "Fred"}, {"href": "/admins/5", "title": "Kate"}]},
                 "_embedded": {"ea:order": [{"name": "one"}]}}
                """
            )
        )
        let route = Route<[ShapedEntry]>.get("orders").at(#"_embedded["ea:order"]"#, in: HALLinks.self)
        let found = try await client.fetch(route)
        #expect(found.value == [ShapedEntry(name: "one")])
        #expect(found.envelope["next"]?.href == "/orders?page=2")
        #expect(found.envelope["ea:find"]?.isTemplate == true)
        #expect(found.envelope.links["ea:admin"]?.map(\.title) == ["Fred", "Kate"])
        #expect(found.envelope["missing"] == nil)
    }

    @Test(
        "links of another form have their path",
        arguments: [
            (#"{"_links":[]}"#, "$._links"), (#"{"_links":{"a":{}}}"#, "$._links.*.href"),
            (#"{"_links":{"a":[{"href":"x"},7]}}"#, "$._links.*[1]"),
        ]
    )
    func wrongLinks(text: String, path: String) throws {
        let raw = try Json(parsing: text)
        let error = #expect(throws: MappingError.self) { try HALLinks.from(raw: raw) }
        #expect(error?.path.description == path)
    }

    @Test("an OData list, 4.0 and 4.01", arguments: ["odata.", ""])
    func odata(prefix: String) async throws {
        stub.on(
            .get,
            "/Users",
            .json(#"{"@\#(prefix)count":5,"value":[{"name":"a"}],"@\#(prefix)nextLink":"Users?$skiptoken=2"}"#)
        )
        let found = try await client.fetch(Route<[ShapedEntry]>.get("Users").at("value", in: ODataPage.self))
        #expect(found.value == [ShapedEntry(name: "a")])
        #expect(found.envelope.count == 5)
        #expect(found.envelope.nextLink == "Users?$skiptoken=2")
    }
}
