import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let severalOperations = """
    query Load($tripID: ID!) @mutation(if: "}") { trip(id: $tripID) { ...Name } }
    fragment Name on Trip { name }
    mutation Save($tripId: ID!, $time_zone: In = {mutation: 1}) { save(id: $tripId) { name } }
    subscription query { saved { name } }
    """

private struct LoadOfSeveral: GraphQLOperation {
    static let document = severalOperations
    struct Data: Codable, RawMappable { let name: String? }
}

private struct SaveOfSeveral: GraphQLOperation {
    static let document = severalOperations
    static let name: String? = "Save"
    struct Variables: Codable, RawMappable {
        let tripId: String
        let timeZone: String
    }
    typealias Data = LoadOfSeveral.Data
    var variables: Variables { Variables(tripId: "7", timeZone: "Z") }
}

/// GraphQL §6.1: the name chooses the operation that is executed.
@Suite("A document with several operations")
struct SeveralOperationsTests {
    private let stub = StubTransport()

    private func client(_ transport: some Node<HTTPRequest, HTTPResponse>) -> Client {
        var client = Client(baseURL: URL("https://example.com"), transport: transport)
        client.conventions.keys = .snakeCase
        return client
    }

    @Test(
        "the kind and the variables are those of the operation with the name",
        arguments: [
            ("Load", .query, ["tripID"]), ("Save", .mutation, ["tripId", "time_zone"]), ("query", .subscription, []),
            (nil, .query, ["tripID"]), ("Name", .query, ["tripID"]), ("mutation", .query, ["tripID"]),
        ] as [(String?, GraphQLOperationKind, [String])]
    )
    func theNameChooses(name: String?, kind: GraphQLOperationKind, variables: [String]) {
        let head = OperationHead(of: severalOperations, named: name)
        #expect(head.kind == kind)
        #expect(head.variables == variables)
    }

    @Test func aTypeHasTheKindOfItsOperation() {
        #expect(LoadOfSeveral.kind == .query)
        #expect(SaveOfSeveral.kind == .mutation)
    }

    @Test func aMutationThatIsNotTheFirstOperationIsNotSentByGET() async throws {
        stub.on(.get, "/graphql", .json(#"{"data":{}}"#))
        let route = Route<SaveOfSeveral.Data>.graphQL(SaveOfSeveral(), by: .get)
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(route) }
        #expect(error?.stage == .requestEncoding)
        #expect(stub.requests.isEmpty)
    }

    @Test func aMutationThatIsNotTheFirstOperationIsSentOnce() async throws {
        stub.on(.post, "/graphql", .status(503), .json(#"{"data":{}}"#))
        let retry = RetryPolicy.exponential(attempts: 3, firstWait: .zero)
        let client = client(stub.wrapped(by: .retry(retry)))
        let route = Route<SaveOfSeveral.Data>.graphQL(SaveOfSeveral())
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.status == 503)
        #expect(stub.requests.count == 1)
    }

    @Test func variablesHaveTheNamesOfTheirOperation() async throws {
        stub.on(.post, "/graphql", .json(#"{"data":{}}"#))
        _ = try await client(stub).fetch(Route<SaveOfSeveral.Data>.graphQL(SaveOfSeveral()))
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["operationName"] == "Save")
        #expect(body["variables"] == ["tripId": "7", "time_zone": "Z"])
    }
}
