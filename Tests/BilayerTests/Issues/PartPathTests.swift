import Bilayer
import Foundation
import Testing

private struct PaymentEntry: Codable, RawMappable, Equatable {
    let amount: Decimal
    let customer: CustomerEntry?
}

private struct CustomerEntry: Codable, RawMappable, Equatable {
    let createdAt: Date
    let tags: [String]
}

private struct ByHandEntry: RawDecodable {
    let name: String

    static func from(raw: Json) throws -> ByHandEntry {
        try ByHandEntry(name: raw.at("owner") { try $0.decode("name") })
    }
}

private struct Payment: DTODecodable {
    let amount: Decimal

    static func from(dto: Json) throws -> Payment {
        try Payment(amount: PaymentEntry.from(raw: dto).amount)
    }
}

/// An entry that keeps a part of its JSON, as an event of a webhook does.
private struct EventEntry: Codable, RawMappable {
    let id: Int
    let payload: Json
}

@Suite("Paths of parts that are read later")
struct PartPathTests {
    private let events: [EventEntry]

    init() throws {
        let text = #"""
            {"events": [
              {"id": 1, "payload": {"amount": 9.9}},
              {"id": 2, "payload": {"amount": "9,9", "customer": {"createdAt": 0, "tags": [1, "a"]}, "lines": [{}, 7]}}
            ]}
            """#
        let document = try Json(parsing: text)
        events = try document.decode("events")
    }

    private var part: Json { events[1].payload }

    private func path(_ body: () throws -> some Any) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? MappingError)?.path.exactDescription
        }
    }

    @Test func anEntryNamesThePlaceInTheText() {
        #expect(path { try PaymentEntry.from(raw: part) } == "$.events[1].payload.amount")
        #expect(path { try part.decode("amount") as Int } == "$.events[1].payload.amount")
        #expect(path { try part.decode("nothing") as Int } == "$.events[1].payload.nothing")
        #expect(path { try part.decode("customer") as CustomerEntry } == "$.events[1].payload.customer.tags[0]")
        #expect(path { try part.decode("customer") as ByHandEntry } == "$.events[1].payload.customer.owner")
        #expect(path { try part.decode("amount", as: .rfc3339) } == "$.events[1].payload.amount")
        #expect(path { try part.decode(path: "customer.tags[0]") as String } == "$.events[1].payload.customer.tags[0]")
        #expect(path { try part.decode(anyOf: "sum", "amount") as Int } == "$.events[1].payload.amount")
        #expect(path { try part.decode("amount", ifMissing: 0) as Int } == "$.events[1].payload.amount")
        #expect(path { try part.decodeLossy("amount") as [Int] } == "$.events[1].payload.amount")
        #expect(path { try part.at("customer") { try $0.decode("x") as Int } } == "$.events[1].payload.customer.x")
        let lines = part["lines"] ?? []
        #expect(path { try [PaymentEntry].from(raw: lines) } == "$.events[1].payload.lines[0].amount")
        #expect(path { try Set<String>.from(raw: lines) } == "$.events[1].payload.lines[0]")
        #expect(path { try [String: Int].from(raw: part) }?.hasPrefix("$.events[1].payload.") == true)
        #expect(path { try Int.from(raw: lines) } == "$.events[1].payload.lines")
        #expect(path { try lines.decode(at: 4) as Int } == "$.events[1].payload.lines[4]")
    }

    @Test func everyPolicyNamesIt() {
        for policy in [MappingPolicy.standard, .strict, .salvaging, .collectingAll()] {
            let reporter = CollectingReporter()
            let found = path { try reporter.mapping(policy: policy) { try PaymentEntry.from(raw: part) } }
            #expect(found == "$.events[1].payload.amount")
            #expect(reporter.issues.first?.path.exactDescription == "$.events[1].payload.amount")
            #expect(reporter.issues.allSatisfy { $0.path.exactDescription.hasPrefix("$.events[1].payload") })
        }
    }

    @Test func warningsAndTheirCausesNameIt() throws {
        let reporter = CollectingReporter()
        let customer = part["customer"] ?? [:]
        let entry = try reporter.mapping(policy: .salvaging) { try CustomerEntry.from(raw: customer) }
        #expect(entry.tags == ["a"])
        let issue = try #require(reporter.issues.first)
        #expect(issue.path.exactDescription == "$.events[1].payload.customer.tags[0]")
        #expect(issue.causes.map(\.path.exactDescription) == ["$.events[1].payload.customer.tags[0]"])
    }

    @Test func aDescriptionLeavesOutTheKeysAroundAPart() {
        let error = #expect(throws: MappingError.self) { try PaymentEntry.from(raw: part) }
        #expect(
            error?.description
                == "$.*[1].*.amount: wrong type: expected Decimal, found string (3 characters) in PaymentEntry"
        )
        #expect(error?.path == JsonPath("$.events[1].payload.amount"))
    }

    @Test func aReportShowsTheValueAtThePath() {
        let reporter = CollectingReporter()
        _ = path { try reporter.mapping { try PaymentEntry.from(raw: part) } }
        #expect(reporter.reports.first?.showing(.all, in: part).issues.first?.shownValue == #""9,9""#)
    }

    @Test func whatCodeAddsAStepToIsADocumentOfItsOwn() throws {
        #expect(path { try PaymentEntry.from(raw: ["amount": part["amount"] ?? .null]) } == "$.amount")
        let moved: Json = ["payload": part]
        #expect(path { try moved.decode("payload") as PaymentEntry } == "$.payload.amount")
        #expect(path { try [PaymentEntry].from(raw: [part]) } == "$[0].amount")
        #expect(path { try [Payment].from(dto: [part]) } == "$[0].amount")
        let error = try #require(throws: MappingError.self) { try PaymentEntry.from(raw: part) }
        let located = MappingError.located(error, at: .key("payment")) as? MappingError
        #expect(located?.path == [.key("payment"), .key("amount")])
    }

    @Test func aDecodingErrorBeginsAtTheDecodedValue() {
        let error = #expect(throws: DecodingError.self) { try JsonDecoder().decode(PaymentEntry.self, from: part) }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["amount"])
    }

    @Test func aCallCountsFromItsResponse() throws {
        // A path that already starts at the document does not get the path of the part twice.
        let document = try Json(parsing: #"{"data": {"items": [{"amount": true}]}}"#)
        #expect(path { try document.decode(path: "data.items") as [PaymentEntry] } == "$.data.items[0].amount")
    }
}
