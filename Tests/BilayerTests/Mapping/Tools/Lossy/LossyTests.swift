import Bilayer
import Foundation
import Testing

private enum Kind: String, OpenEnum, Codable { case plain }

private struct Item: Codable, RawMappable, Hashable {
    let sku: String
    var kind: Open<Kind>?
}

private struct Order: Codable, RawMappable, Hashable {
    @Lossy var items: [Item]
    @Lossy var tags: Set<String>
    @Lossy var prices: [String: Int]
    @Lossy var notes: [String?]?
}

private struct HandOrder: RawDecodable {
    let items: [Item]
    let tags: Set<String>
    let prices: [String: Int]

    static func from(raw: Json) throws -> HandOrder {
        try HandOrder(
            items: raw.decodeLossy("items"),
            tags: raw.decodeLossy("tags"),
            prices: raw.decodeLossy("prices")
        )
    }
}

private struct Label: DTODecodable, Hashable {
    let text: String
    static func from(dto: String?) throws -> Label { Label(text: try dto.require("text")) }
}

private let text = """
    {"items":[{"sku":"a"},{"sku":1,"kind":"odd"},null,{"sku":"b","kind":"odd"},[]],"tags":["x",1,"x"],\
    "prices":{"a_b":1,"aZ":2,"bad":"secret"},"notes":[null,"n",7]}
    """

private let drops = [
    "warning dropped $.items[1]", "warning dropped $.items[2]", "warning unknown value $.items[3].kind",
    "warning dropped $.items[4]", "warning dropped $.tags[1]", "warning dropped $.prices.bad",
    "warning dropped $.notes[2]",
]

private func lossy(_ text: String, _ policy: MappingPolicy = .standard) throws -> Mapped<Order> {
    let json = try Json.of(text)
    return mapping(policy) { try Order.from(raw: json) }
}

@Suite("Lossy")
struct LossyTests {
    @Test(arguments: AnyJsonDecoder.allCases) func badElementsAreDroppedAndReported(decoder: AnyJsonDecoder) throws {
        let mapped = mapping { try decoder.decode(Order.self, text) }
        let order = try #require(mapped.value)
        #expect(order.items.map(\.sku) == ["a", "b"])
        #expect(order.tags == ["x"])
        #expect(order.prices == ["a_b": 1, "aZ": 2])
        #expect(order.notes == [nil, "n"])
        #expect(mapped.lines == drops)
        let causes = mapped.issues.filter { $0.kind == .dropped }
            .map { $0.causes.map { "\($0.kind) \($0.path.exactDescription)" } }
        #expect(causes[0] == ["wrong type $.items[1].sku"])
        #expect(causes[2] == ["wrong type $.items[4]"])
        #expect(causes[4] == ["wrong type $.prices.bad"])
        let price = mapped.issues.first { $0.path.exactDescription == "$.prices.bad" }
        #expect(price?.causes.first?.found?.description == "string (6 characters)")
        #expect(!mapped.issues.description.contains("secret"))
    }

    @Test func byHandToo() throws {
        let json: Json = ["o": [try Json.of(text)]]
        let mapped = mapping { try [String: [HandOrder]].from(raw: json) }
        let order = try #require(mapped.value?["o"]?.first)
        #expect(order.items.map(\.sku) == ["a", "b"] && order.tags == ["x"] && order.prices == ["a_b": 1, "aZ": 2])
        #expect(
            mapped.lines == [
                "warning dropped $.o[0].items[1]", "warning dropped $.o[0].items[2]",
                "warning unknown value $.o[0].items[3].kind", "warning dropped $.o[0].items[4]",
                "warning dropped $.o[0].tags[1]", "warning dropped $.o[0].prices.bad",
            ]
        )
        #expect(mapped.issues.allSatisfy { $0.causes.allSatisfy { $0.path.exactDescription.hasPrefix("$.o[0].") } })
    }

    @Test func insideOtherEntriesPathsAreWhole() throws {
        let json: Json = ["orders": [try Json.of(text)]]
        struct Page: Codable, RawMappable { let orders: [Order] }
        #expect(mapping { try Page.from(raw: json) }.lines.last == "warning dropped $.orders[0].notes[2]")
        #expect(mapping { try [String: [Order]].from(raw: json) }.lines.last == "warning dropped $.orders[0].notes[2]")
    }

    @Test func modelsToo() throws {
        let names = mapping { try [Label].lossy(from: ["a", nil, "b"], at: "names") }
        #expect(names.value == [Label(text: "a"), Label(text: "b")])
        #expect(names.lines == ["warning dropped $.names[1]"])
        #expect(names.issues.first?.causes.first?.path.description == "$.names[1].text")
        #expect(names.issues.first?.causes.first?.owner == "Optional<String> -> Label")
        #expect(mapping { try Set<Label>.lossy(from: ["a", nil, "a"]) }.value == [Label(text: "a")])
        let members = mapping { try [String: Label].lossy(from: ["x": "a", "y": nil], at: "names") }
        #expect(members.value == ["x": Label(text: "a")])
        #expect(members.lines == ["warning dropped $.names.y"])
    }

    @Test func needsNoReporter() throws {
        #expect(try Order.from(raw: .of(text)).items.count == 2)
        #expect(try HandOrder.from(raw: .of(text)).prices.count == 2)
        #expect(try [Label].lossy(from: [nil, "b"]) == [Label(text: "b")])
    }

    @Test(arguments: AnyJsonDecoder.allCases) func thatNothingIsLeftIsAnError(decoder: AnyJsonDecoder) throws {
        let text = #"{"items":[{},1],"tags":[],"prices":{}}"#
        let mapped = mapping { try decoder.decode(Order.self, text) }
        #expect(mapped.lines.first == "error too many dropped $.items")
        #expect(mapped.issues.first?.detail == "2 of 2 elements could not be read")
        #expect(throws: MappingError.self) { try decoder.decode(Order.self, text) }
        #expect(try decoder.decode(Order.self, #"{"items":[],"tags":[],"prices":{}}"#).items == [])
        let hand = try Json.of(text)
        #expect(mapping { try HandOrder.from(raw: hand) }.lines.first == "error too many dropped $.items")
        #expect(mapping { try [Label].lossy(from: [nil], at: "n") }.lines.first == "error too many dropped $.n")
    }

    @Test func theToleratedLossIsASetting() throws {
        var policy = MappingPolicy()
        policy.toleratedLoss = 0.5
        #expect(try lossy(#"{"items":[{"sku":"a"},1],"tags":[],"prices":{}}"#, policy).value != nil)
        #expect(try lossy(#"{"items":[{"sku":"a"},1,2],"tags":[],"prices":{}}"#, policy).value == nil)
        #expect(try [Label].lossy(from: ["a", nil], tolerating: 0.5).count == 1)
        #expect(throws: MappingError.self) { try [Label].lossy(from: ["a", nil], tolerating: 0.4) }
        #expect(mapping(policy) { try [Label].lossy(from: ["a", nil, nil], tolerating: 0.9) }.value == nil)
    }

    @Test(arguments: AnyJsonDecoder.allCases) func aPropertyMayTolerateLess(decoder: AnyJsonDecoder) throws {
        enum Half: LossLimit { static let toleratedLoss = 0.5 }
        struct Feed: Codable, Equatable, RawMappable {
            @LossyUpTo<Half, [Int]> var posts: [Int]
            @LossyUpTo<Half, [String: Int]?> var counts: [String: Int]?
            @Lossy var tags: [Int]
        }
        let half = mapping { try decoder.decode(Feed.self, #"{"posts":[1,"x"],"tags":["x","x",3]}"#) }
        #expect(half.value?.posts == [1] && half.value?.counts == nil && half.value?.tags == [3])
        #expect(half.lines.first == "warning dropped $.posts[1]" && half.lines.count == 3)
        let more = mapping { try decoder.decode(Feed.self, #"{"posts":[1,"x","y"],"tags":[]}"#) }
        #expect(more.lines.first == "error too many dropped $.posts")
        let members = mapping {
            try decoder.decode(Feed.self, #"{"posts":[],"counts":{"a":1,"b":"x","c":[]},"tags":[]}"#)
        }
        #expect(members.lines.first == "error too many dropped $.counts")
        var policy = MappingPolicy()
        policy.toleratedLoss = 0.4
        #expect(mapping(policy) { try decoder.decode(Feed.self, #"{"posts":[1,"x"],"tags":[]}"#) }.value == nil)
        #expect(try #require(half.value).foundationText == #"{"posts":[1],"tags":[3]}"#)
    }

    @Test func aStrictPolicyDropsNothing() throws {
        let mapped = try lossy(text, .strict)
        #expect(mapped.lines == ["error wrong type $.items[1].sku"])
        #expect(
            mapping(.strict) { try [Label].lossy(from: ["a", nil], at: "n") }.lines == ["error missing $.n[1].text"]
        )
    }

    @Test(
        arguments: [
            (#"{"tags":[],"prices":{}}"#, "error missing $.items"),
            (#"{"items":null,"tags":[],"prices":{}}"#, "error null $.items"),
            (#"{"items":{},"tags":[],"prices":{}}"#, "error wrong type $.items"),
            (#"{"items":[],"tags":"x","prices":{}}"#, "error wrong type $.tags"),
            (#"{"items":[],"tags":[],"prices":[]}"#, "error wrong type $.prices"),
            (#"{"items":[],"tags":[],"prices":{},"notes":1}"#, "error wrong type $.notes"),
        ]
    )
    func theCollectionItselfMustBeThere(text: String, line: String) throws {
        let mapped = try lossy(text)
        #expect(mapped.lines == [line])
        #expect(mapped.issues.first?.message.contains("DecodingAttempt") == false)
        if line.contains("notes") { return }
        let json = try Json.of(text)
        #expect(mapping { try HandOrder.from(raw: json) }.lines == [line])
    }

    @Test func anOptionalCollectionMayBeMissing() throws {
        let text = #"{"items":[],"prices":{},"tags":[]}"#
        #expect(try lossy(text).value?.notes == nil)
        #expect(try lossy(#"{"items":[],"tags":[],"prices":{},"notes":null}"#).value?.notes == nil)
        #expect(try #require(lossy(text).value).foundationText == text)
        #expect(try lossy(text).value?.toRaw() == Json.of(text))
    }

    @Test(arguments: [21, 22, 23] as [UInt64]) func exactlyTheBadOnesAreDropped(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let isGood = (0..<Int.random(in: 1...30, using: &random)).map { _ in Bool.random(using: &random) }
            guard isGood.contains(true) else { continue }
            let items = isGood.enumerated().map { $1 ? #"{"sku":"\#($0)"}"# : #"{"sku":null}"# }
            let text = #"{"items":[\#(items.joined(separator: ","))],"tags":[],"prices":{}}"#
            let good = isGood.indices.filter { isGood[$0] }
            let bad = isGood.indices.filter { !isGood[$0] }.map { "warning dropped $.items[\($0)]" }
            for decoder in AnyJsonDecoder.allCases {
                let mapped = mapping { try decoder.decode(Order.self, text) }
                #expect(mapped.value?.items.map(\.sku) == good.map(String.init), "seed \(seed)")
                #expect(mapped.lines == bad, "seed \(seed)")
            }
        }
    }
}

@Suite("Members that are left out")
struct LossyMembersTests {
    private struct Page: Codable, RawMappable {
        @Lossy var byNumber: [Int: Item]
        var rest: Int?
    }

    private enum Half: LossLimit { static let toleratedLoss = 0.5 }
    private struct Halves: Codable, RawMappable {
        @LossyUpTo<Half, [String: Item]> var items: [String: Item]
    }

    @Test("a member with a key of another type reports nothing of its value", arguments: [#""x""#, "1"])
    func badKeys(rest: String) throws {
        let json = try Json(
            parsing: #"{"byNumber":{"1":{"sku":"a","kind":"odd"},"x":{"sku":"b","kind":"odd"}},"rest":\#(rest)}"#
        )
        for policy in [MappingPolicy.standard, .salvaging] where rest == "1" || policy.salvages {
            let lines = mapping(policy) { try Page.from(raw: json) }.lines
            #expect(
                lines.filter { !$0.hasSuffix("rest") } == [
                    "warning unknown value $.byNumber[\"1\"].kind", "warning dropped $.byNumber.x",
                ]
            )
        }
    }

    @Test("a dictionary that loses too much reports nothing of its members")
    func tooManyLost() throws {
        let json = try Json(parsing: #"{"items":{"a":{"sku":"a","kind":"odd"},"b":1,"c":2}}"#)
        #expect(mapping { try Halves.from(raw: json) }.lines == ["error too many dropped $.items"])
    }

    @Test("a collection of a value that is no object is not missing", arguments: ["null", "7", "[]"])
    func noObjects(text: String) throws {
        let mapped = mapping { try HandOrder.from(raw: Json(parsing: text)) }
        #expect(mapped.lines == ["error \(text == "null" ? "null" : "wrong type") $"])
    }
}
