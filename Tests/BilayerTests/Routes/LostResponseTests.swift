import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct TicketEntry: Codable, RawMappable, Sendable {
    let id: Int
    var seat: String?
}

private struct Ticket: DTODecodable, Sendable, Equatable {
    let id: Int
    let seat: String

    static func from(dto: TicketEntry) throws -> Ticket {
        try Ticket(id: dto.id, seat: dto.seat.require("seat"))
    }
}

@Suite("A response that a policy would leave out as a whole")
struct LostResponseTests {
    private func fetch<Value: Sendable>(
        _ route: Route<Value>,
        _ text: String,
        _ reporter: CollectingReporter = CollectingReporter()
    ) async throws -> Value {
        let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.json(text)))
        return try await client.fetch(route, reporter: reporter, mapping: .salvaging)
    }

    @Test("an optional response that cannot be read is an error, and no warning that says it was left out")
    func entries() async throws {
        let reporter = CollectingReporter()
        let error = await #expect(throws: CallError.self) {
            try await fetch(Route<TicketEntry?>.get("ticket"), #"{"id":"x"}"#, reporter)
        }
        #expect(error?.description.contains("$.id: wrong type") == true)
        #expect(!reporter.issues.contains { $0.kind == .dropped })
    }

    @Test("nor is one of which no model can be made")
    func models() async throws {
        let error = await #expect(throws: CallError.self) {
            try await fetch(Route<Ticket?>.get("ticket"), #"{"id":1}"#)
        }
        #expect(error?.description.contains("$.seat: missing") == true)
    }

    @Test("a part of a response is the response of its route")
    func parts() async throws {
        let error = await #expect(throws: CallError.self) {
            try await fetch(Route<TicketEntry?>.get("ticket").at("data.ticket"), #"{"data":{"ticket":{"id":"x"}}}"#)
        }
        #expect(error?.description.contains("$.data.ticket.id: wrong type") == true)
    }

    @Test("nor is the value in an envelope, or an optional of an optional")
    func inside() async throws {
        struct Info: Codable, RawMappable, Sendable { let total: Int }
        let enveloped = Route<TicketEntry?>.get("ticket").at("item", in: Info.self)
        let error = await #expect(throws: CallError.self) {
            try await fetch(enveloped, #"{"total":1,"item":{"id":"x"}}"#)
        }
        #expect(error?.description.contains("$.item.id: wrong type") == true)
        #expect(try await fetch(enveloped, #"{"total":1,"item":null}"#).value == nil)
        await #expect(throws: CallError.self) { try await fetch(Route<TicketEntry??>.get("ticket"), #"{"id":"x"}"#) }
    }

    @Test("a required field of an operation of which no model can be made has the reason")
    func requiredField() async throws {
        struct Op: GraphQLOperation {
            static let document = "query Ticket { ticket { id } }"
            struct Data: Codable, RawMappable, Sendable { let ticket: TicketEntry? }
        }
        let error = await #expect(throws: CallError.self) {
            try await fetch(Route<Ticket>.graphQL(Op(), requiring: \.ticket), #"{"data":{"ticket":{"id":1}}}"#)
        }
        #expect(error?.description.contains("$.data.ticket.seat: missing") == true)
    }

    @Test("null is nil, and what is inside of the response is still left out")
    func others() async throws {
        #expect(try await fetch(Route<Ticket?>.get("ticket"), "null") == nil)
        let reporter = CollectingReporter()
        let entry = try await fetch(Route<TicketEntry?>.get("ticket"), #"{"id":1,"seat":7}"#, reporter)
        #expect(entry?.id == 1)
        #expect(reporter.issues.map(\.path.description) == ["$.seat"])
        let list = try await fetch(Route<[TicketEntry?]>.get("tickets"), #"[{"id":"x"},{"id":2}]"#)
        #expect(list.map { $0?.id } == [nil, 2])
    }

    private enum Kind: String, OpenEnum { case adult }
    private struct Envelope: Codable, RawMappable, Sendable { let kinds: [Open<Kind>] }

    @Test("also when the envelope has as many warnings as a report may have", arguments: [1, 2, 3, 100])
    func manyWarnings(limit: Int) async throws {
        var policy = MappingPolicy.salvaging
        policy.issueLimit = limit
        let text = #"{"kinds":["new","newer"],"ticket":{"id":"x"}}"#
        let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.json(text)))
        let route = Route<TicketEntry?>.get("ticket").at("ticket", in: Envelope.self)
        let reporter = CollectingReporter()
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(route, reporter: reporter, mapping: policy)
        }
        #expect(error?.description.contains("$.ticket.id: wrong type") == true)
        let report = try #require(reporter.reports.first)
        let paths = ["$.ticket.id", "$.kinds[0]", "$.kinds[1]"]
        #expect(report.issues.map(\.path.description) == Array(paths.prefix(limit)))
        #expect(report.omittedIssueCount == paths.dropFirst(limit).count)
    }
}
