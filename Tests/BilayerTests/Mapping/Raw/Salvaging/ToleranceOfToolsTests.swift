import Bilayer
import Foundation
import Testing

private enum Colour: String, OpenEnum {
    case red
    static let isFrozen = true
}
private enum Size: String, OpenEnum { case small }

private struct Item: Codable, RawMappable, Hashable {
    let sku: String
    var colour: Open<Colour>?
}

private struct Order: Codable, RawMappable, Hashable {
    let id: Int
    @Lossy var items: [Item]?
    var colour: Open<Colour>?
    @Formatted<RFC3339?> var paidAt: Date?
    @Formatted<[DateOnly]> var holidays: [Date]
    var byColour: [Open<Colour>: Int]?
    var size: Open<Size>?
    var next: [Item] = []
}

private func order(_ members: String, id: String = "1") throws -> Json {
    try .of(#"{"id":\#(id),"holidays":[],\#(members)\#(members.contains("next") ? "" : #","next":[]"#)}"#)
}

private func looking(_ choice: MappingPolicy.UnknownKeys, _ policy: MappingPolicy) -> MappingPolicy {
    var policy = policy
    policy.unknownKeys = choice
    return policy
}

/// What mapping tools inside a `Codable` entry throw is salvaged and collected like the decoder's own errors.
@Suite("Tolerance of what mapping tools throw")
struct ToleranceOfToolsTests {
    @Test(
        "a value that a tool refuses costs only itself",
        arguments: [
            (#""items":[{"sku":1},{}]"#, "$.items", "too many dropped $.items"),
            (#""colour":"blue""#, "$.colour", "unknown value $.colour"),
            (#""paidAt":"soon""#, "$.paidAt", "invalid value $.paidAt"),
            (#""byColour":{"red":1,"blue":2}"#, "$.byColour.blue", "unknown value $.byColour.blue"),
            (
                #""next":[{"sku":"a"},{"sku":"b","colour":"blue"}]"#, "$.next[1].colour",
                "unknown value $.next[1].colour"
            ),
        ]
    )
    func salvaged(members: String, place: String, cause: String) throws {
        let json: Json = ["orders": [try order(members), try order(#""size":"small""#)]]
        let mapped = mapping(.salvaging) { try [String: [Order]].from(raw: json) }
        let whole = { (path: String) in path.replacing("$", with: "$.orders[0]") }
        #expect(mapped.value?["orders"]?.count == 2)
        #expect(mapped.lines == ["warning dropped " + whole(place)])
        #expect(mapped.issues.first?.causes.map { "\($0.kind) \($0.path.exactDescription)" } == [whole(cause)])
    }

    @Test("all that tools refuse is found in one pass, beside the decoder's own errors")
    func collected() throws {
        let json = try order(
            #""items":[{"sku":1},{}],"colour":"blue","paidAt":"soon","byColour":{"blue":2},"next":[{"sku":"a","colour":"blue"},{}]"#,
            id: #""x""#
        )
        let mapped = mapping(.collectingAll()) { try [String: Order].from(raw: ["o": json]) }
        #expect(
            mapped.lines == [
                "error wrong type $.o.id", "error too many dropped $.o.items", "error unknown value $.o.colour",
                "error invalid value $.o.paidAt", "error unknown value $.o.byColour.blue",
                "error unknown value $.o.next[0].colour", "error missing $.o.next[1].sku",
            ]
        )
    }

    @Test("several problems of one formatted value are all told, once each")
    func severalAtOnce() throws {
        let json = try Json.of(#"{"id":1,"holidays":["2026-01-01","soon","2026-02-30",7]}"#)
        #expect(
            mapping(.collectingAll()) { try Order.from(raw: json) }.lines == [
                "error invalid value $.holidays[1]", "error invalid value $.holidays[2]",
                "error wrong type $.holidays[3]", "error missing $.next",
            ]
        )
    }

    @Test(
        "what is tolerated beside dropped elements keeps the server's indices; what placeholders report is left out"
    )
    func toleratedBeside() throws {
        struct Line: Codable {
            let size: Open<Size>
            let count: Int
        }
        struct Page: Codable, RawMappable { let lines: [Line] }
        let lines = #"{"lines":[{"size":"small"},{"count":1},{"size":"big","count":1},{"size":7,"count":1}]}"#
        let json = try Json.of(lines)
        #expect(
            mapping(.salvaging) { try Page.from(raw: json) }.lines == [
                "warning dropped $.lines[0]", "warning dropped $.lines[1]", "warning unknown value $.lines[2].size",
                "warning dropped $.lines[3]",
            ]
        )
        #expect(
            mapping(.collectingAll()) { try Page.from(raw: json) }.lines == [
                "error missing $.lines[0].count", "error missing $.lines[1].size", "error wrong type $.lines[3].size",
                "warning unknown value $.lines[2].size",
            ]
        )
    }

    @Test("unknown keys are found beside errors, under their places in the document")
    func unknownKeys() throws {
        let json = try order(#""odd":1,"colour":"blue","next":[{},{"sku":"a","new":1},{"sku":2,"old":1}]"#)
        let salvaged = mapping(looking(.report, .salvaging)) { try [Order].from(raw: [json]) }
        #expect(
            salvaged.lines == [
                "warning dropped $[0].colour", "warning dropped $[0].next[0]", "warning dropped $[0].next[2]",
                "warning unknown key $[0].odd", "warning unknown key $[0].next[1].new",
            ]
        )
        let collected = mapping(looking(.fail, .collectingAll())) { try [Order].from(raw: [json]) }
        #expect(
            collected.lines == [
                "error unknown value $[0].colour", "error missing $[0].next[0].sku",
                "error wrong type $[0].next[2].sku",
                "error unknown key $[0].odd", "error unknown key $[0].next[1].new",
                "error unknown key $[0].next[2].old",
            ]
        )
        let good = try order(#""odd":1"#)
        #expect(mapping(looking(.fail, .salvaging)) { try Order.from(raw: good) }.lines == ["error unknown key $.odd"])
        #expect(
            mapping(looking(.fail, .collectingAll())) { try Order.from(raw: good) }.lines == ["error unknown key $.odd"]
        )
    }

    @Test("an error from elsewhere ends the reading; after a placeholder it is not told, because it may follow from it")
    func foreign() throws {
        struct Refusal: Error {}
        struct Picky: Decodable, RawDecodable {
            let id: Int
            enum CodingKeys: CodingKey { case id }
            init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
                throw Refusal()
            }
        }
        let mapped = mapping(.collectingAll()) { try Picky.from(raw: ["id": "x"]) }
        #expect(mapped.lines == ["error wrong type $.id"])
        #expect(mapping(.collectingAll()) { try Picky.from(raw: ["id": 1]) }.error is Refusal)
    }

    @Test("generated breaches: exactly they are told, whatever the tool that finds them")
    func generated() throws {
        for seed in 0..<100 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var breaches: [String] = []
            let items = (0..<random.next(below: 6))
                .map { index -> String in
                    switch random.next(below: 4) {
                    case 0:
                        breaches.append("error wrong type $.next[\(index)].sku")
                        return #"{"sku":1}"#
                    case 1:
                        breaches.append("error unknown value $.next[\(index)].colour")
                        return #"{"sku":"a","colour":"blue"}"#
                    default: return #"{"sku":"a","colour":"red"}"#
                    }
                }
            let json = try Json.of(#"{"id":1,"holidays":[],"next":[\#(items.joined(separator: ","))]}"#)
            let collected = mapping(.collectingAll()) { try Order.from(raw: json) }
            #expect(collected.lines == breaches, "seed \(seed)")
            let salvaged = mapping(.salvaging) { try Order.from(raw: json) }
            if breaches.filter({ $0.contains("sku") }).count == items.count, !items.isEmpty { continue }
            #expect(
                salvaged.issues.map { $0.causes.map { "error \($0.kind) \($0.path)" } } == breaches.map { [$0] },
                "seed \(seed)"
            )
        }
    }
}
