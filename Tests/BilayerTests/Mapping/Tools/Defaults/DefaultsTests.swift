import Bilayer
import Testing

private struct Entry: Codable, RawMappable, Hashable {
    enum Reviews: DefaultProvider { static let defaults = Defaults(ifMissing: 1, ifNull: 2, ifInvalid: 3) }
    enum Missing: DefaultProvider { static let defaults = Defaults(ifMissing: 1) }
    enum Null: DefaultProvider { static let defaults = Defaults(ifNull: 2) }
    enum Invalid: DefaultProvider { static let defaults = Defaults(ifInvalid: 3) }

    @Default<Reviews> var all: Int
    @Default<Missing> var missing: Int
    @Default<Null> var null: Int
    @Default<Invalid> var invalid: Int
}

private struct Holder: Codable, RawMappable {
    let entries: [Entry?]
}

private struct ByHand: RawDecodable, Hashable {
    let all: Int
    let missing: Int
    let null: Int
    let invalid: Int

    static func from(raw: Json) throws -> ByHand {
        try ByHand(
            all: raw.decode("all", ifMissing: 1, ifNull: 2, ifInvalid: 3),
            missing: raw.decode("missing", ifMissing: 1),
            null: raw.decode("null", ifNull: 2),
            invalid: raw.decode("invalid", ifInvalid: 3)
        )
    }
}

private struct Product: DTODecodable, Hashable {
    let reviews: Int

    static func from(dto: Int?) throws -> Product {
        Product(reviews: dto.default(0, "numberOfReviews", key: "reviews"))
    }
}

private let cases: [(text: String, values: [Int]?, lines: [String])] = [
    (#"{"all":7,"missing":7,"null":7,"invalid":7}"#, [7, 7, 7, 7], []),
    (
        #"{"null":null,"invalid":"x"}"#, [1, 1, 2, 3],
        [
            "warning used default $.invalid", "info used default $.all", "info used default $.missing",
            "info used default $.null",
        ]
    ),
    (
        #"{"all":null,"missing":7,"null":7,"invalid":[1]}"#, [2, 7, 7, 3],
        ["warning used default $.invalid", "info used default $.all"]
    ),
    (#"{"all":{},"missing":7,"null":7,"invalid":7}"#, [3, 7, 7, 7], ["warning used default $.all"]),
    (#"{"missing":null,"null":7,"invalid":7}"#, nil, ["error null $.missing", "info used default $.all"]),
    (#"{"missing":"x","null":7,"invalid":7}"#, nil, ["error wrong type $.missing", "info used default $.all"]),
    (#"{"missing":7,"invalid":7}"#, nil, ["error missing $.null", "info used default $.all"]),
    (#"{"missing":7,"null":7}"#, nil, ["error missing $.invalid", "info used default $.all"]),
    (#"{"missing":7,"null":7,"invalid":null}"#, nil, ["error null $.invalid", "info used default $.all"]),
]

@Suite("Defaults")
struct DefaultsTests {
    @Test(arguments: cases) func codableFields(text: String, values: [Int]?, lines: [String]) throws {
        let json = try Json.of(text)
        let mapped = mapping { try Entry.from(raw: json) }
        #expect(mapped.value.map { [$0.all, $0.missing, $0.null, $0.invalid] } == values)
        #expect(mapped.lines == lines)
    }

    @Test(arguments: cases) func fieldsByHand(text: String, values: [Int]?, lines: [String]) throws {
        let json = try Json.of(text)
        let mapped = mapping { try ByHand.from(raw: json) }
        #expect(mapped.value.map { [$0.all, $0.missing, $0.null, $0.invalid] } == values)
        #expect(mapped.lines == lines)
    }

    @Test(arguments: AnyJsonDecoder.allCases) func everyDecoder(decoder: AnyJsonDecoder) {
        let text = #"{"entries":[null,{"all":{},"missing":7,"null":null,"invalid":"secret"}]}"#
        let mapped = mapping { try decoder.decode(Holder.self, text) }
        #expect(mapped.value?.entries.last??.invalid == 3)
        #expect(
            mapped.lines == [
                "warning used default $.entries[1].all", "warning used default $.entries[1].invalid",
                "info used default $.entries[1].null",
            ]
        )
        #expect(
            mapped.issues.first { $0.path.description.hasSuffix("invalid") }?.found?.description
                == "string (6 characters)"
        )
        #expect(!mapped.issues.description.contains("secret"))
    }

    @Test func aBrokenValueTellsWhatWasFoundAndWhy() throws {
        let json = try Json.of(#"{"a":{"invalid":"secret"}}"#)
        let mapped = mapping { try [String: ByHandInvalid].from(raw: json) }
        let issue = try #require(mapped.issues.first)
        #expect(issue.path.exactDescription == "$.a.invalid")
        #expect(issue.found?.description == "string (6 characters)")
        #expect(issue.expected == "Int")
        #expect(issue.owner == "ByHandInvalid")
        #expect(issue.causes.map(\.description).first?.hasPrefix("$.*.invalid: wrong type") == true)
    }

    @Test func aStrictPolicyRefusesWhatIsBrokenAndNothingElse() throws {
        let broken = try Json.of(#"{"all":"x","missing":7,"null":7,"invalid":7}"#)
        #expect(mapping(.strict) { try Entry.from(raw: broken) }.lines == ["error used default $.all"])
        #expect(mapping(.strict) { try ByHand.from(raw: broken) }.lines == ["error used default $.all"])
        let sparse = try Json.of(#"{"null":null,"invalid":7}"#)
        #expect(mapping(.strict) { try Entry.from(raw: sparse) }.value != nil)
        #expect(mapping(.strict) { try ByHand.from(raw: sparse) }.value != nil)
    }

    @Test func valuesAreWrittenAsTheyAre() throws {
        let entry = try Entry.from(raw: Json.of(#"{"null":null,"invalid":"x"}"#))
        #expect(try entry.foundationText == #"{"all":1,"invalid":3,"missing":1,"null":2}"#)
        #expect(try Entry.from(raw: entry.toRaw()) == entry)
    }

    @Test func inModelsTheUseOfADefaultIsInformation() throws {
        let line: UInt = 40
        let mapped = mapping(.strict) { try [Product].from(dto: [5, nil], at: "products") }
        #expect(mapped.value == [Product(reviews: 5), Product(reviews: 0)])
        #expect(mapped.lines == ["info used default $.products[1].reviews"])
        let issue = try #require(mapped.issues.first)
        #expect(issue.propertyName == "numberOfReviews")
        #expect(issue.owner == "Optional<Int> -> Product")
        #expect(issue.source?.line == line)
    }

    @Test func aDefaultIsMadeOnlyWhenItIsNeeded() throws {
        struct Failure: Error {}
        func fail() throws -> Int { throw Failure() }
        #expect(try Optional(1).default(fail()) == 1)
        #expect(throws: Failure.self) { try Int?.none.default(fail()) }
    }

    @Test("every choice of defaults against every sort of value", arguments: 0..<8)
    func everyChoice(bits: Int) throws {
        let ifMissing = bits & 1 == 0 ? nil : 1
        let ifNull = bits & 2 == 0 ? nil : 2
        let ifInvalid = bits & 4 == 0 ? nil : 3
        let sorts: [(json: Json, expected: Int?)] = [
            ([:], ifMissing), (["n": .null], ifNull), (["n": "x"], ifInvalid), (["n": [1]], ifInvalid),
            (["n": 1.5], ifInvalid),
            (["n": 7], 7),
        ]
        for (json, expected) in sorts {
            let mapped = mapping {
                try json.decode("n", ifMissing: ifMissing, ifNull: ifNull, ifInvalid: ifInvalid) as Int
            }
            #expect(mapped.value == expected, "\(bits) \(json)")
            #expect(mapped.issues.isEmpty == (expected == 7), "whatever was not simply read is told")
        }
    }
}

private struct ByHandInvalid: RawDecodable {
    let invalid: Int
    static func from(raw: Json) throws -> ByHandInvalid {
        try ByHandInvalid(invalid: raw.decode("invalid", ifInvalid: 0))
    }
}
