import Bilayer
import Foundation
import Testing

private struct CustomerEntry: Codable, RawMappable, Hashable {
    let id: String
    let name: String
}

private struct InvoiceEntry: Codable, RawMappable, Hashable {
    let customer: Either<String, CustomerEntry>
    let tags: Either<CustomerEntry, [CustomerEntry]>?
    var at: Either<Int, Date>?
}

private struct Customer: DTOConvertible, Hashable {
    let id: String
    static func from(dto: CustomerEntry) throws -> Customer {
        try require(that: dto.id != "", "an id has text", at: "id")
        return Customer(id: dto.id)
    }
    func toDTO() -> CustomerEntry { CustomerEntry(id: id, name: "") }
}

private struct Label: DTOConvertible, Hashable {
    let text: String
    static func from(dto: String) -> Label { Label(text: dto) }
    func toDTO() -> String { text }
}

private func invoice(_ members: String) throws -> Json { try .of("{\(members)}") }

@Suite("One of two types, told apart by the JSON")
struct EitherTests {
    @Test(
        "both forms are legal: they are read and written alike, and nothing is reported",
        arguments: [
            #""customer":"cus_7""#, #""customer":{"id":"a","name":"b"}"#,
            #""customer":"c","tags":{"id":"a","name":"b"}"#, #""customer":"c","tags":[{"id":"a","name":"b"}]"#,
            #""customer":"c","tags":[]"#, #""customer":"c","at":7"#, #""customer":"c","at":7.5"#,
        ],
        [MappingPolicy.standard, .strict, .salvaging, .collectingAll()]
    )
    func legal(members: String, policy: MappingPolicy) throws {
        let json = try invoice(members)
        let mapped = mapping(policy) { try InvoiceEntry.from(raw: json) }
        #expect(mapped.issues.isEmpty)
        #expect(try mapped.value?.toRaw() == json)
        let decoded = try JSONDecoder().decode(InvoiceEntry.self, from: Data("\(json)".utf8))
        #expect(decoded == mapped.value)
    }

    @Test("null and missing are nil where the property is optional")
    func missing() throws {
        #expect(try InvoiceEntry.from(raw: invoice(#""customer":"c","tags":null"#)).tags == nil)
        #expect(mapping { try InvoiceEntry.from(raw: invoice("")) }.lines == ["error missing $.customer"])
    }

    @Test(
        "the error is that of the type that got further, else it names both",
        arguments: [
            (#""customer":{"id":"a"}"#, "error missing $.customer.name"),
            (#""customer":7"#, "error wrong type $.customer"),
            (#""customer":"c","tags":[{"id":"a","name":"b"},{"id":1,"name":"b"}]"#, "error wrong type $.tags[1].id"),
            (#""customer":"c","at":"x""#, "error wrong type $.at"),
        ]
    )
    func errors(members: String, expected: String) throws {
        let json = try invoice(members)
        #expect(mapping { try InvoiceEntry.from(raw: json) }.lines == [expected])
        #expect(mapping(.collectingAll()) { try [InvoiceEntry].from(raw: [json]) }.lines.count == 1)
    }

    @Test("null is none of both, in a type by hand, too")
    func null() throws {
        struct InvoiceByHand: RawDecodable {
            let customer: Either<String, CustomerEntry>
            static func from(raw: Json) throws -> InvoiceByHand { InvoiceByHand(customer: try raw.decode("customer")) }
        }
        let json = try invoice(#""customer":null"#)
        #expect(mapping { try InvoiceEntry.from(raw: json) }.lines == ["error null $.customer"])
        #expect(mapping { try InvoiceByHand.from(raw: json) }.lines == ["error null $.customer"])
    }

    @Test("of two objects, the one that has the bad field is told of it", arguments: [true, false])
    func twoObjects(isCardFirst: Bool) throws {
        struct Card: Codable, RawMappable {
            let amount: Int
            let currency: String
        }
        struct Voucher: Codable, RawMappable { let code: String }
        let json = try Json(parsing: #"{"amount":"x","currency":"EUR"}"#)
        let lines =
            isCardFirst
            ? mapping { try Either<Card, Voucher>.from(raw: json) }.lines
            : mapping { try Either<Voucher, Card>.from(raw: json) }.lines
        #expect(lines == ["error wrong type $.amount"])
    }

    @Test("the error of neither says what was expected and found")
    func text() throws {
        let error = #expect(throws: MappingError.self) { try Either<Int, [Int]>.from(raw: "x") }
        #expect(error?.description == "$: wrong type: expected Int or Array<Int>, found string (1 character)")
        let inside = mapping { try InvoiceEntry.from(raw: invoice(#""customer":7"#)) }
        #expect(
            inside.issues.first?.description
                == "$.customer: wrong type: expected String or CustomerEntry, found number in InvoiceEntry"
        )
    }

    @Test("what the first type has reported is not told of the second")
    func forgotten() throws {
        struct Tolerant: RawDecodable {
            static func from(raw: Json) throws -> Tolerant {
                MappingIssue(.coerced, severity: .warning).report()
                _ = try raw.decode("id") as Int
                return Tolerant()
            }
        }
        let mapped = mapping { try Either<Tolerant, String>.from(raw: "x") }
        #expect(mapped.value?.second == "x" && mapped.issues.isEmpty)
    }

    @Test("salvaging chooses the type that loses nothing, by hand and in an entry")
    func salvaged() throws {
        struct Noted: Codable, RawMappable, Equatable { let note: String? }
        struct Counted: Codable, RawMappable, Equatable { let note: Int }
        struct Sheet: Codable, RawMappable {
            let cell: Either<Noted, Counted>
            let page: Int?
        }
        let byHand = mapping(.salvaging) { try Either<Noted, Counted>.from(raw: Json(parsing: #"{"note":5}"#)) }
        #expect(byHand.value == .second(Counted(note: 5)) && byHand.issues.isEmpty)
        let inEntry = mapping(.salvaging) {
            try Sheet.from(raw: Json(parsing: #"{"cell":{"note":5},"page":"x"}"#))
        }
        #expect(inEntry.value?.cell == .second(Counted(note: 5)))
        #expect(inEntry.lines == ["warning dropped $.page"])
        let neither = mapping(.salvaging) { try Either<Noted, Counted>.from(raw: Json(parsing: #"{"note":[]}"#)) }
        #expect(neither.value == .first(Noted(note: nil)))
        #expect(neither.lines == ["warning dropped $.note"])
    }

    @Test("the choice does not depend on how many issues are kept", arguments: [1000, 100, 1])
    func limit(issueLimit: Int) throws {
        enum Kind: String, OpenEnum { case known }
        struct Typed: Codable, RawMappable {
            let kind: Open<Kind>
            let size: Int
        }
        struct Loose: Codable, RawMappable { let kind: String }
        let count = 150
        let json = try Json(Array(repeating: Json(parsing: #"{"kind":"new","size":1}"#), count: count))
        var policy = MappingPolicy.salvaging
        policy.issueLimit = issueLimit
        let collected = CollectingReporter()
        let values = try collected.mapping(policy: policy) { try [Either<Typed, Loose>].from(raw: json) }
        #expect(values.filter { $0.first != nil }.count == count)
        let report = try #require(collected.reports.first)
        #expect(report.issues.count == min(count, issueLimit))
        #expect(report.omittedIssueCount == max(0, count - issueLimit))
    }

    @Test("models of both types are made and converted back")
    func models() throws {
        typealias Model = Either<Label, Customer>
        for dto in [Either<String, CustomerEntry>.first("a"), .second(CustomerEntry(id: "b", name: ""))] {
            #expect(try Model.from(dto: dto).toDTO() == dto)
        }
        let error = #expect(throws: MappingError.self) {
            try [Model].from(dto: [.second(CustomerEntry(id: "", name: ""))])
        }
        #expect(error?.path.description == "$[0].id")
    }
}
