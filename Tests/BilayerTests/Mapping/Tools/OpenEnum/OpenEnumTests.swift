import Bilayer
import Foundation
import Testing

private enum Status: String, OpenEnum, Codable { case paid, sent }
private enum Grade: Int, OpenEnum, Codable {
    case low = 1
    case high
}
private enum Colour: String, OpenEnum {
    case red
    static let isFrozen = true
}

/// Consent can only be given.
private enum Consent: OpenEnum {
    case given
    init?(rawValue: Bool) { if rawValue { self = .given } else { return nil } }
    var rawValue: Bool { true }
}

private struct Order: Codable, RawMappable, Hashable {
    var status: Open<Status>
    var last: Open<Status>?
    var history: [Open<Status>] = []
    var counts: [Open<Status>: Int] = [:]
    var levels: [String: Open<Grade>] = [:]
    var more: [Open<Status>: [Open<Grade>: Int]]?
}

private struct HandOrder: RawDecodable {
    let status: Open<Status>
    let history: [Open<Status>?]
    let counts: [Open<Status>: Int]

    static func from(raw: Json) throws -> HandOrder {
        try HandOrder(status: raw.decode("status"), history: raw.decode("history"), counts: raw.decode("counts"))
    }
}

private enum Availability: String, DefaultCase, Codable, RawMappable, DTODecodable {
    typealias DTO = String
    case inStock = "IN_STOCK"
    case other
    static let defaultCase = Availability.other
}

private let text = """
    {"status":"lost","last":"lost","history":["paid","torn"],"counts":{"paid":1,"torn":2,"burnt":3},\
    "levels":{"a":1,"b":9},"more":{"lost":{"7":1}}}
    """

@Suite("Open enums")
struct OpenEnumTests {
    @Test(arguments: AnyJsonDecoder.allCases) func unknownValuesAreKeptAndReported(decoder: AnyJsonDecoder) throws {
        let mapped = mapping { try decoder.decode(Order.self, text) }
        let order = try #require(mapped.value)
        #expect(order.status == .unknown("lost") && order.last == .unknown("lost"))
        #expect(order.history == [.known(.paid), .unknown("torn")])
        #expect(order.counts == [.known(.paid): 1, .unknown("torn"): 2, .unknown("burnt"): 3])
        #expect(order.levels == ["a": .known(.low), "b": .unknown(9)])
        #expect(
            mapped.lines
                == [
                    "warning unknown value $.status", "warning unknown value $.last",
                    "warning unknown value $.history[1]",
                    "warning unknown value $.counts.burnt", "warning unknown value $.counts.torn",
                    "warning unknown value $.levels.b",
                    // With Foundation's decoder, keys further inside are not reported.
                    decoder == .bilayer ? #"warning unknown value $.more.lost["7"]"# : nil,
                    "warning unknown value $.more.lost",
                ]
                .compactMap(\.self)
        )
        #expect(!mapped.issues.map(\.message).joined().contains("lost"), "the raw value is payload")
        #expect(try order.foundationText == Json.of(text).decode(Order.self).foundationText)
        #expect(try order.toRaw() == Json.of(text))
    }

    @Test("the issue of an unknown value names its JSON type")
    func foundTypes() {
        let found = [
            mapping { _ = try Json.of(#""lost""#).decode(Open<Status>.self) },
            mapping { _ = try Json.of("9").decode(Open<Grade>.self) },
            mapping { _ = try Json.of("false").decode(Open<Consent>.self) },
        ]
        #expect(found.map { $0.issues.first?.found?.type } == ["string", "number", "bool"])
    }

    @Test(arguments: [MappingPolicy.UnknownKeys.ignore, .report])
    func keysOfDictionariesAreReportedHoweverDeep(unknownKeys: MappingPolicy.UnknownKeys) throws {
        struct Stock: Codable, RawMappable {
            let pages: [[Open<Status>: Int]]
            let byCity: [String: [Open<Status>: [Open<Grade>: Int]]?]
            let best: [Open<Status>: Int]?
        }
        var policy = MappingPolicy()
        policy.unknownKeys = unknownKeys
        let json = try Json.of(
            #"{"pages":[{"paid":1},{"x":1,"b":2}],"byCity":{"bonn":{"lost":{"7":1,"1":2}}},"best":{"y":1}}"#
        )
        #expect(
            mapping(policy) { try [Stock].from(raw: [json]) }.lines == [
                "warning unknown value $[0].pages[1].b", "warning unknown value $[0].pages[1].x",
                "warning unknown value $[0].byCity.bonn.lost[\"7\"]", "warning unknown value $[0].byCity.bonn.lost",
                "warning unknown value $[0].best.y",
            ]
        )
        #expect(mapping(.strict) { try Stock.from(raw: json) }.lines == ["error unknown value $.pages[1].b"])
    }

    @Test func byHandTheyAreReportedAtTheirPlaces() throws {
        let json = try Json.of(#"{"o":[{"status":"lost","history":[null,"torn"],"counts":{"paid":1,"burnt":2}}]}"#)
        let mapped = mapping { try [String: [HandOrder]].from(raw: json) }
        #expect(mapped.value?["o"]?.first?.history == [nil, .unknown("torn")])
        #expect(mapped.value?["o"]?.first?.counts == [.known(.paid): 1, .unknown("burnt"): 2])
        #expect(
            mapped.lines == [
                "warning unknown value $.o[0].status", "warning unknown value $.o[0].history[1]",
                "warning unknown value $.o[0].counts.burnt",
            ]
        )
        #expect(mapped.issues.first?.owner == "HandOrder")
        #expect(try json.toRaw()["o"]?[0]?["status"] == Open<Status>(rawValue: "lost").toRaw())
    }

    @Test func fromARawValueOfAGeneratedType() throws {
        let mapped = mapping { try [Open<Status>].from(dto: ["paid", "lost"], at: "status") }
        #expect(mapped.value == [.known(.paid), .unknown("lost")])
        #expect(mapped.lines == ["warning unknown value $.status[1]"])
        #expect(try mapped.value?.toDTO() == ["paid", "lost"])
    }

    @Test func aStrictPolicyRefusesThem() throws {
        let json = try Json.of(#"{"status":"paid","history":["torn"],"counts":{},"levels":{}}"#)
        #expect(mapping(.strict) { try Order.from(raw: json) }.lines == ["error unknown value $.history[0]"])
        #expect(mapping(.strict) { try HandOrder.from(raw: json) }.lines == ["error unknown value $.history[0]"])
        let key = try Json.of(#"{"status":"paid","history":[],"counts":{"torn":1},"levels":{}}"#)
        #expect(mapping(.strict) { try Order.from(raw: key) }.lines == ["error unknown value $.counts.torn"])
        #expect(mapping(.strict) { try HandOrder.from(raw: key) }.lines == ["error unknown value $.counts.torn"])
        #expect(mapping(.strict) { try Open<Status>.from(dto: "x") }.lines == ["error unknown value $"])
    }

    @Test func aFrozenEnumRefusesThemAlways() throws {
        let error = #expect(throws: MappingError.self) { try [Open<Colour>].from(raw: ["red", "blue"]) }
        #expect(error?.path.description == "$[1]")
        #expect(error?.issues.first?.kind == .unknownCase)
        #expect(throws: MappingError.self) { try JSONDecoder().decode(Open<Colour>.self, from: Data(#""blue""#.utf8)) }
        #expect(throws: MappingError.self) { try [Open<Colour>: Int].from(raw: ["blue": 1]) }
    }

    @Test func anotherTypeIsNoUnknownValue() {
        let error = #expect(throws: MappingError.self) { try Open<Status>.from(raw: 7) }
        #expect(error?.issues.first?.kind == .wrongType)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Open<Grade>.self, from: Data(#""1""#.utf8)) }
    }

    @Test(arguments: AnyJsonDecoder.allCases) func aDefaultCaseTakesTheirPlace(decoder: AnyJsonDecoder) throws {
        let mapped = mapping { try decoder.decode([Availability].self, #"["IN_STOCK","GONE"]"#) }
        #expect(mapped.value == [.inStock, .other])
        #expect(mapped.lines == ["warning unknown value $[1]"])
        #expect(mapped.issues.first?.expected == "a value of Availability")
    }

    @Test func aDefaultCaseIsReadInBothLayers() throws {
        let raw = mapping { try ["a": Availability.from(raw: "GONE")] }
        #expect(raw.lines == ["warning unknown value $"])
        let dto = mapping { try Availability.from(dto: "GONE", at: "status") }
        #expect(dto.value == .other)
        #expect(dto.lines == ["warning unknown value $.status"])
        #expect(
            mapping(.strict) { try Availability.from(dto: "GONE", at: "status") }.lines == [
                "error unknown value $.status"
            ]
        )
        #expect(try Availability.inStock.toRaw() == "IN_STOCK")
    }
}
