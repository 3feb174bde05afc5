import Bilayer
import Foundation
import Testing

@Suite("Polymorphism by a tag")
struct DiscriminatedTests {
    struct CardEntry: Codable, RawMappable, Equatable {
        let last4: String
    }

    enum PaymentEntry: Discriminated, Decodable, RawEncodable, Equatable {
        case card(CardEntry)
        case transfer(iban: String)
        case unknown(Json)

        static let discriminator = Discriminator<PaymentEntry>
            .on(
                "type",
                ["card": { .card(try .from(raw: $0)) }, "transfer": { .transfer(iban: try $0.decode("iban")) }],
                otherwise: { .unknown($0) }
            )

        func toRaw() throws -> Json {
            switch self {
            case .card(let card): try card.toRaw().tagged("type", "card")
            case .transfer(let iban): (["iban": Json(iban)] as Json).tagged("type", "transfer")
            case .unknown(let raw): raw
            }
        }
    }

    enum Payment: DTODecodable, Equatable {
        case card(String)
        case other

        static func from(dto: PaymentEntry) -> Payment {
            if case .card(let card) = dto { return .card(card.last4) }
            return .other
        }
    }

    /// The tag is deep inside. There is a fallback for a missing tag, but none for an unknown one.
    enum ShapeEntry: Discriminated {
        case circle
        case square

        static let discriminator = Discriminator<ShapeEntry>
            .on(
                "meta.kind",
                ["circle": { _ in .circle }, "2": { _ in .square }, "true": { _ in .square }],
                ifMissing: { _ in .circle }
            )
    }

    enum StrictEntry: Discriminated, Decodable {
        case only(Int)

        static let discriminator = Discriminator<StrictEntry>.on("kind", ["a": { .only(try $0.decode("n")) }])
    }

    let raw: Json = [
        ["type": "card", "last4": "4242"], ["iban": "DE02", "type": "transfer"], ["type": "crypto", "coins": [1, 2]],
    ]

    @Test("each shape by its tag, the unknown kept whole and reported")
    func reads() throws {
        let (payments, issues) = try reported { try [PaymentEntry].from(raw: raw) }
        #expect(payments == [.card(CardEntry(last4: "4242")), .transfer(iban: "DE02"), .unknown(raw[2] ?? .null)])
        #expect(
            issues == [
                #"$[2].type: unknown value: expected one of "card", "transfer", found string (6 characters) in DiscriminatedTests.PaymentEntry"#
            ]
        )
        #expect(failure(.strict) { try [PaymentEntry].from(raw: raw) }.hasPrefix("$[2].type: unknown value"))
        #expect(try payments.toRaw() == raw)
        #expect(try [Payment].from(dto: payments) == [.card("4242"), .other, .other])
    }

    @Test("inside Codable entries, with both decoders")
    func codable() throws {
        struct OrderEntry: Decodable, RawDecodable {
            let payments: [PaymentEntry]
            let main: PaymentEntry?
        }
        let order: Json = ["payments": raw, "main": .null]
        let (ours, issues) = try reported { try OrderEntry.from(raw: order) }
        #expect(ours.payments.count == 3 && ours.main == nil)
        #expect(issues.count == 1 && issues.first?.hasPrefix("$.payments[2].type: unknown value") == true)
        let (theirs, foundationIssues) = try reported {
            try JSONDecoder().decode(OrderEntry.self, from: order.serialized())
        }
        #expect(theirs.payments == ours.payments)
        #expect(foundationIssues.first?.hasPrefix("$.payments[2].type: unknown value") == true)
        let bad: Json = ["payments": [["type": "card", "last4": 7]]]
        #expect(failure { try OrderEntry.from(raw: bad) }.hasPrefix("$.payments[0].last4: wrong type: expected String"))
    }

    @Test(
        "without a fallback the error lists the known tags and the one found",
        arguments: [
            (
                #"{"kind":"b"}"#,
                #"$.kind: unknown value: expected "a", found string (1 character) in DiscriminatedTests.StrictEntry"#
            ),
            (#"{"n":1}"#, #"$.kind: missing: expected "a""#),
            (#"{"kind":null}"#, #"$.kind: null: expected "a", found null"#),
            (#"{"kind":[1]}"#, #"$.kind: wrong type: expected "a", found array (1 element)"#),
            (#"{"kind":1.5}"#, #"$.kind: wrong type: expected "a", found number"#),
            (#"{"kind":"a","n":"x"}"#, "$.n: wrong type: expected Int, found string (1 character)"),
            (#"["a"]"#, "$: wrong type: expected an object, found array (1 element)"),
            ("null", "$: null: expected an object, found null"),
        ]
    )
    func errors(text: String, message: String) throws {
        let raw = try Json(parsing: text)
        #expect(failure { try StrictEntry.from(raw: raw) } == message)
        #expect(failure { try [StrictEntry].from(raw: [["kind": "a", "n": 1], raw]) }.hasPrefix("$[1]"))
    }

    @Test("a tag that is not known is described by its length, however short it is")
    func unknownTag() {
        let message = failure { try StrictEntry.from(raw: ["kind": "s3cr3t"]) }
        #expect(message.hasPrefix(#"$.kind: unknown value: expected "a", found string (6 characters) in "#))
    }

    @Test(
        "an issue of the tag belongs to the type with the tag under every policy",
        arguments: [MappingPolicy.standard, .salvaging, .collectingAll()]
    )
    func ownerOfTheTag(policy: MappingPolicy) throws {
        enum Shape: Discriminated, Decodable {
            case dot, unknown
            static let discriminator = Discriminator<Shape>
                .on("type", ["dot": { _ in .dot }], otherwise: { _ in .unknown })
        }
        struct Drawing: Decodable, RawDecodable { let shapes: [Shape] }
        let json = try Json.of(#"{"shapes":[{"type":"dot"},{"type":"star"}]}"#)
        let mapped = mapping(policy) { try Drawing.from(raw: json) }
        #expect(mapped.issues.map { $0.owner?.hasSuffix("Shape") } == [true])
        #expect(mapped.lines == ["warning unknown value $.shapes[1].type"])
    }

    @Test("tags deep inside, numbers and truth values as tags, and none at all")
    func otherTags() throws {
        #expect(try ShapeEntry.from(raw: ["meta": ["kind": "circle"]]) == .circle)
        #expect(try ShapeEntry.from(raw: ["meta": ["kind": 2]]) == .square)
        #expect(try ShapeEntry.from(raw: ["meta": ["kind": true]]) == .square)
        #expect(try ShapeEntry.from(raw: [:]) == .circle)
        #expect(try ShapeEntry.from(raw: ["meta": ["kind": .null]]) == .circle)
        let message = failure { try ShapeEntry.from(raw: ["meta": ["kind": 3]]) }
        let expected = #"$.meta.kind: unknown value: expected one of "2", "circle", "true", found number in "#
        #expect(message.hasPrefix(expected))
    }

    @Test("a shape whose fields do not fit is an error, never another shape")
    func noTrial() {
        let message = failure { try PaymentEntry.from(raw: ["type": "card", "iban": "DE02"]) }
        #expect(message.hasPrefix("$.last4: missing"))
    }
}
