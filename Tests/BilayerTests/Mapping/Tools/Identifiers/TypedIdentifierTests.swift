import Bilayer
import Foundation
import Testing

private enum Offer { typealias ID = TypedStringIdentifier<Offer> }

private struct Customer: Identified, Hashable, Codable, RawMappable {
    typealias RawIdentifier = Int
    let id: ID
    var friends: [ID: String] = [:]
}

private struct Ticket: Identified, AcceptsTextIdentifiers, Codable, RawMappable {
    typealias RawIdentifier = Int
    let id: ID
}

private struct Event: Codable, RawMappable, Hashable {
    let at: TypedIdentifier<Event, Date>
}

/// Counts how often it is read.
private struct Counted: Codable, Hashable, Sendable {
    @TaskLocal static var count = Count()
    final class Count: @unchecked Sendable { var value = 0 }  // Sendable: each test has its own, on one task.

    init(from decoder: any Decoder) throws {
        Counted.count.value += 1
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "first"))
    }
}

@Suite("TypedIdentifier")
struct TypedIdentifierTests {
    @Test(arguments: AnyJsonDecoder.allCases) func readsAndWritesAsItsRawValue(decoder: AnyJsonDecoder) throws {
        let text = #"{"friends":{"8":"Ada"},"id":7}"#
        let customer = try decoder.decode(Customer.self, text)
        #expect(customer == Customer(id: 7, friends: [8: "Ada"]))
        #expect(try customer.foundationText == text)
        #expect(try Customer.from(raw: .of(text)) == customer)
        #expect(try customer.toRaw() == Json.of(text))
    }

    @Test func readsByHandAndFromModels() throws {
        let raw = try Json.of(#"{"id":"o-1","ids":[1,2],"map":{"a":true}}"#)
        #expect(try raw.decode("id") as Offer.ID == "o-1")
        #expect(try raw.decode("ids") as [Customer.ID] == [1, 2])
        #expect(try raw.decode("map") as [Offer.ID: Bool] == ["a": true])
        #expect(try ["a" as Offer.ID: 1].toRaw() == ["a": 1])
        #expect(try [Offer.ID].from(dto: ["a"], at: "ids") == ["a"])
        #expect(try ["a" as Offer.ID].toDTO() == ["a"])
    }

    @Test func isTextWithoutLossAndStandsInRoutes() throws {
        let id = Offer.ID("x")
        #expect("\(id)" == "x" && Offer.ID(String(describing: id)) == id)
        #expect(Customer.ID(String("7")) == 7)
        #expect(Customer.ID(String("seven")) == nil)
        #expect(id.routeArgument == "x" && Customer.ID(7).routeArgument == "7")
        #expect(([1, 2] as [Customer.ID]).queryValues == ["1", "2"])
        #expect(Set([id, Offer.ID(rawValue: "x")]).count == 1)
    }

    @Test func errorsHaveTheirPlace() throws {
        let json = try Json.of(#"[{"id":"7","friends":{}}]"#)
        let error = #expect(throws: MappingError.self) { try [Customer].from(raw: json) }
        #expect(error?.path.description == "$[0].id")
        #expect(error?.issues.first?.kind == .wrongType)
        let hand = #expect(throws: MappingError.self) { try json[0]?.decode("id") as Customer.ID? }
        #expect(hand?.path.exactDescription == "$[0].id")
    }

    @Test(arguments: AnyJsonDecoder.allCases) func stringsAreNumbersOnlyWhenAskedFor(decoder: AnyJsonDecoder) throws {
        let mapped = mapping { try decoder.decode([Ticket].self, #"[{"id":1},{"id":"7"}]"#) }
        #expect(mapped.value?.map(\.id) == [1, 7])
        #expect(mapped.lines == ["warning coerced $[1].id"])
        for text in ["07", "+7", "7.0", "", " 7", "9223372036854775808", "seven"] {
            #expect(throws: DecodingError.self, "\(text)") { try decoder.decode(Ticket.self, #"{"id":"\#(text)"}"#) }
        }
        #expect(mapping(.strict) { try decoder.decode(Ticket.self, #"{"id":"7"}"#) }.lines == ["error coerced $.id"])
        #expect(throws: DecodingError.self) { try decoder.decode(Customer.self, #"{"id":"7","friends":{}}"#) }
    }

    @Test("it has the format of its raw value, to compose with others")
    func composedFormat() throws {
        struct Entry: Codable, RawMappable { @Formatted<Quoted<Ticket.ID>> var id: Ticket.ID }
        let read = mapping { try Entry.from(raw: Json(parsing: #"{"id":"7"}"#)) }
        #expect(read.value?.id == 7 && read.lines.isEmpty)
        #expect(try read.value?.toRaw() == ["id": "7"])
        #expect(mapping { try Entry.from(raw: ["id": 7]) }.lines == ["error wrong type $.id"])
    }

    @Test func stringsByHand() throws {
        let json = try Json.of(#"{"id":"-7"}"#)
        let mapped = mapping { try json.decode("id") as Ticket.ID }
        #expect(mapped.value == -7 && mapped.lines == ["warning coerced $.id"])
        #expect(throws: MappingError.self) { try json.decode("id") as Customer.ID }
    }

    @Test func followsTheDecodersStrategies() throws {
        var decoder = JsonDecoder()
        decoder.dates = .rfc3339
        let event = try decoder.decode(Event.self, from: .of(#"{"at":"1970-01-01T00:00:01Z"}"#))
        #expect(event.at.rawValue == Date(timeIntervalSince1970: 1))
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .secondsSince1970
        #expect(try foundation.decode(Event.self, from: Data(#"{"at":1}"#.utf8)) == event)
    }

    @Test func aFailureIsDecodedOnceAndKeepsItsError() throws {
        Counted.$count.withValue(Counted.Count()) {
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([TypedIdentifier<Offer, Counted>].self, from: Data("[1]".utf8))
            }
            #expect(Counted.count.value == 1)
            #expect(String(describing: error).contains("first"))
        }
    }
}
