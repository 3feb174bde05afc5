import Bilayer
import Foundation
import Testing

private struct Page: Codable, RawMappable, Equatable {
    struct Owner: Codable, Equatable {
        let id: Int
        let name: String?
    }
    struct Item: Codable, Equatable {
        struct Part: Codable, Equatable { let number: Int }
        let sku: String
        let price: Double?
        let parts: [Part]
        let best: Part?
    }
    let id: Int
    let note: String?
    let owner: Owner?
    let items: [Item]
    let more: [Item]?
    let tags: [String: Int]
    let scores: [Int]
    let days: Set<Int>
    let byName: [String: Item.Part]?
    let inner: Owner
}

/// A generated value and what salvaging makes of it, derived from the rules without decoding.
private struct Generated {
    var text: String
    /// The text without the values that are left out; nil if the value itself cannot be read.
    var repaired: String?
    /// The paths that are left out.
    var dropped: [String] = []
}

private struct Generator {
    var random: SplitMix64
    /// On average one scalar of this many is bad.
    let rate: Int

    mutating func scalar(_ good: String, bad: String) -> Generated {
        random.next(below: rate) == 0 ? Generated(text: bad) : Generated(text: good, repaired: good)
    }

    mutating func int() -> Generated {
        scalar("\(random.next(below: 90))", bad: ["\"x\"", "1.5", "{}", "null"][random.next(below: 4)])
    }

    mutating func string() -> Generated { scalar("\"a\"", bad: ["7", "[]", "null"][random.next(below: 3)]) }

    /// An optional property.
    func optional(_ value: Generated, at path: String) -> Generated {
        if value.repaired != nil || value.text == "null" {
            return value.text == "null" ? Generated(text: "null", repaired: "null") : value
        }
        return Generated(text: value.text, repaired: "null", dropped: [path])
    }

    mutating func array(_ path: String, _ element: (inout Generator, String) -> Generated) -> Generated {
        if random.next(below: rate * 2) == 0 { return Generated(text: "true") }
        let elements = (0..<random.next(below: 5)).map { element(&self, "\(path)[\($0)]") }
        return collected(elements, "[", "]", name: { _ in "" }, at: { "\(path)[\($0)]" })
    }

    mutating func dictionary(_ path: String, _ member: (inout Generator, String) -> Generated) -> Generated {
        if random.next(below: rate * 2) == 0 { return Generated(text: "[1]") }
        let names = ["a", "b", "c", "d"]
        let members = (0..<random.next(below: 5)).map { member(&self, "\(path).\(names[$0])") }
        return collected(members, "{", "}", name: { "\"\(names[$0])\":" }, at: { "\(path).\(names[$0])" })
    }

    private func collected(
        _ parts: [Generated],
        _ open: String,
        _ close: String,
        name: (Int) -> String,
        at path: (Int) -> String
    ) -> Generated {
        let text = { (texts: [String]) in open + texts.joined(separator: ",") + close }
        let kept = parts.indices.filter { parts[$0].repaired != nil }
        var result = Generated(text: text(parts.indices.map { name($0) + parts[$0].text }))
        if kept.isEmpty && !parts.isEmpty { return result }
        result.repaired = text(kept.map { name($0) + (parts[$0].repaired ?? "") })
        result.dropped = parts.indices.flatMap { parts[$0].repaired == nil ? [path($0)] : parts[$0].dropped }
        return result
    }

    func object(_ members: KeyValuePairs<String, Generated>) -> Generated {
        let text = { (part: (Generated) -> String) in
            "{" + members.map { "\"\($0.key)\":\(part($0.value))" }.joined(separator: ",") + "}"
        }
        var result = Generated(text: text(\.text))
        if members.contains(where: { $0.value.repaired == nil }) { return result }
        result.repaired = text { $0.repaired ?? "" }
        result.dropped = members.flatMap(\.value.dropped)
        return result
    }

    mutating func part(_ path: String) -> Generated { object(["number": int()]) }

    mutating func owner(_ path: String) -> Generated {
        object(["id": int(), "name": optional(string(), at: path + ".name")])
    }

    mutating func item(_ path: String) -> Generated {
        object([
            "sku": string(), "price": optional(int2(), at: path + ".price"),
            "parts": array(path + ".parts") { $0.part($1) }, "best": optional(part(path + ".best"), at: path + ".best"),
        ])
    }

    private mutating func int2() -> Generated { scalar("2.5", bad: "\"x\"") }

    mutating func page() -> Generated {
        object([
            "id": int(), "note": optional(string(), at: "$.note"), "owner": optional(owner("$.owner"), at: "$.owner"),
            "items": array("$.items") { $0.item($1) },
            "more": optional(array("$.more") { $0.item($1) }, at: "$.more"),
            "tags": dictionary("$.tags") { generator, _ in generator.int() },
            "scores": array("$.scores") { generator, _ in generator.int() },
            "days": array("$.days") { generator, _ in generator.int() },
            "byName": optional(dictionary("$.byName") { $0.part($1) }, at: "$.byName"), "inner": owner("$.inner"),
        ])
    }
}

@Suite("Salvaging: the smallest part is left out, and what remains is what the repaired text gives")
struct SalvagingTests {
    func policy(_ unknownKeys: MappingPolicy.UnknownKeys) -> MappingPolicy {
        var policy = MappingPolicy.salvaging
        policy.unknownKeys = unknownKeys
        policy.issueLimit = 10_000
        return policy
    }

    @Test("generated breaches", arguments: [4, 12, 40, 200], [MappingPolicy.UnknownKeys.ignore, .report])
    func generated(rate: Int, unknownKeys: MappingPolicy.UnknownKeys) throws {
        var salvagedPages = 0
        for seed in 0..<60 as Range<UInt64> {
            var generator = Generator(random: SplitMix64(seed: seed), rate: rate)
            let page = generator.page()
            let mapped = mapping(policy(unknownKeys)) { try Page.from(raw: .of(page.text)) }
            let expected = try page.repaired.map { try Page.from(raw: .of($0)) }
            #expect(mapped.value == expected, "seed \(seed): \(page.text)")
            guard expected != nil else { continue }
            #expect(mapped.issues.map(\.path.exactDescription) == page.dropped, "seed \(seed): \(page.text)")
            for issue in mapped.issues {
                #expect(issue.kind == .dropped && !issue.causes.isEmpty, "seed \(seed)")
                for cause in issue.causes {
                    #expect(cause.path.components.starts(with: issue.path.components), "seed \(seed): \(cause)")
                    #expect(cause.kind != .foreign, "seed \(seed): \(cause)")
                }
            }
            salvagedPages += page.dropped.isEmpty ? 0 : 1
        }
        #expect(rate > 40 || salvagedPages > 3)
    }

    @Test("the limit of issues limits the report, never what is tolerated")
    func issueLimit() throws {
        var policy = MappingPolicy.salvaging
        policy.issueLimit = 5
        let items = (0..<2000).map { $0 % 3 == 0 ? #"{"sku":"a","parts":[]}"# : #"{"sku":1,"parts":[]}"# }
        let json = try Json.of(
            #"{"id":1,"items":[\#(items.joined(separator: ","))],"tags":{},"scores":[],"days":[],"inner":{"id":1}}"#
        )
        let reporter = CollectingReporter()
        let page = try reporter.mapping(policy: policy) { try Page.from(raw: json) }
        #expect(page.items.count == 667)
        let report = try #require(reporter.reports.first)
        #expect(report.issues.count == 5 && report.omittedIssueCount == 1333 - 5)
    }

    private enum Kind: String, OpenEnum { case known }

    @Test("an issue beyond the limit is counted once, and not if the part that reported it is left out")
    func omittedIssues() throws {
        struct List: Codable, RawMappable {
            struct Line: Codable {
                let kind: Open<Kind>
                let count: Int?
                let parts: [Open<Kind>]
                let number: Int
            }
            let lines: [Line]
        }
        var policy = MappingPolicy.salvaging
        policy.issueLimit = 3
        let good = #"{"kind":"new","parts":["a","b"],"number":1}"#
        let bad = #"{"kind":"new","count":"x","parts":["a","b"],"number":1}"#
        let lost = #"{"kind":"new","parts":["a","b"]}"#
        let json = try Json.of(#"{"lines":[\#([good, good, bad, lost, good].joined(separator: ","))]}"#)
        let reporter = CollectingReporter()
        let list = try reporter.mapping(policy: policy) { try List.from(raw: json) }
        #expect(list.lines.count == 4)
        let report = try #require(reporter.reports.first)
        #expect(
            report.issues.map(\.path.description) == ["$.lines[0].kind", "$.lines[0].parts[0]", "$.lines[0].parts[1]"]
        )
        // Three issues for each line that is kept, one for the bad count, and one for the line that is left out.
        #expect(report.issues.count + report.omittedIssueCount == 4 * 3 + 1 + 1)
    }

    @Test("a collection that lost too much says so with the causes, and costs the optional around it")
    func tooMuch() throws {
        struct Feed: Codable, RawMappable {
            struct Item: Codable { let sku: String }
            let items: [Item]
        }
        struct Outer: Codable, RawMappable { let feed: Feed? }
        let feed = try Json.of(#"{"items":[{"sku":1}]}"#)
        let lone = mapping(.salvaging) { try Feed.from(raw: feed) }
        #expect(lone.issues.map(\.kind) == [.tooManyDropped])
        #expect(lone.issues.first?.causes.map(\.path.description) == ["$.items[0].sku"])
        let outer = mapping(.salvaging) { try Outer.from(raw: ["feed": feed]) }
        #expect(outer.value != nil && outer.value?.feed == nil)
        #expect(outer.lines == ["warning dropped $.feed"])
        #expect(outer.issues.first?.causes.map { "\($0.kind) \($0.path)" } == ["too many dropped $.feed.items"])

        var strict = MappingPolicy.salvaging
        strict.toleratedLoss = 0.25
        let scores = { (text: String) in mapping(strict) { try [String: [String: Int]].from(raw: .of(text)) } }
        #expect(scores(#"{"a":{"x":1,"y":2,"z":3,"v":"bad"}}"#).value == ["a": ["x": 1, "y": 2, "z": 3]])
        #expect(scores(#"{"a":{"x":1,"v":"bad"}}"#).value == nil)
    }

    @Test("a type's own alternatives are chosen as under the standard policy")
    func alternatives() throws {
        struct Short: Codable, Equatable { let id: Int? }
        struct Long: Codable, Equatable { let id: String }
        struct Either: Codable, Equatable {
            let short: Short?
            let long: Long?
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                short = try? container.decode(Short.self)
                long = short == nil ? try container.decode(Long.self) : nil
            }
        }
        struct Box: Codable, RawMappable, Equatable { let value: Either }
        let json = try Json.of(#"{"value":{"id":"a"}}"#)
        #expect(mapping(.salvaging) { try Box.from(raw: json) }.value == (try Box.from(raw: json)))
    }

    @Test("an error of other code costs what it was thrown in")
    func foreign() throws {
        struct Refusal: Error {}
        struct Picky: Codable, Equatable {
            let id: Int
            init(from decoder: any Decoder) throws {
                id = try decoder.singleValueContainer().decode(Int.self)
                if id == 3 { throw Refusal() }
            }
        }
        struct List: Codable, RawMappable {
            let all: [Picky]
            let one: Picky?
        }
        let mapped = mapping(.salvaging) { try List.from(raw: .of(#"{"all":[1,3,5],"one":3}"#)) }
        #expect(mapped.value?.all.map(\.id) == [1, 5])
        #expect(mapped.lines == ["warning dropped $.all[1]", "warning dropped $.one"])
        #expect(mapped.issues.allSatisfy { $0.causes.first?.underlyingError is Refusal })
    }

    @Test("the owner of a cause is the type that declares the field")
    func owners() throws {
        let json = try Json.of(
            #"{"id":1,"owner":{"id":"x"},"items":[{"sku":1,"parts":[]},{"sku":"a","price":"x","parts":[]}],"tags":{},"scores":[],"days":[],"inner":{"id":1},"note":7}"#
        )
        let causes = mapping(.salvaging) { try Page.from(raw: json) }.issues.flatMap(\.causes)
        #expect(
            causes.map { "\($0.path) \($0.owner ?? "-")" } == [
                "$.note Page", "$.owner.id Page.Owner", "$.items[0].sku Page.Item", "$.items[1].price Page.Item",
            ]
        )
    }

    @Test("the owner of a value is the type around it, whatever an element's own type is")
    func ownersOfElements() throws {
        struct In: Codable { let a: Int }
        struct Out: Codable, RawMappable {
            let maybe: [In?]
            let named: [String: In?]
            let rows: [In]
            let scores: [Double]
        }
        let json = try Json.of(
            #"{"maybe":[null,{"a":"x"}],"named":{"k":{"a":"x"},"l":null},"rows":[{"a":1},7],"scores":[1,"x"]}"#
        )
        let mapped = mapping(.salvaging) { try Out.from(raw: json) }
        let owners = mapped.issues.flatMap(\.causes).map { "\($0.path) \($0.owner?.split(separator: ".").last ?? "-")" }
        #expect(owners == ["$.maybe[1].a In", "$.named.*.a In", "$.rows[1] Out", "$.scores[1] Out"])
    }

    @Test("what was left out before an error that ends the entry has its owner, too")
    func ownersBeforeAnError() throws {
        let json = try Json.of(#"{"id":1,"note":7,"owner":5,"items":"x","tags":{},"scores":[],"days":[]}"#)
        let mapped = mapping(.salvaging) { try Page.from(raw: json) }
        #expect(mapped.lines == ["error wrong type $.items", "warning dropped $.note", "warning dropped $.owner"])
        #expect(mapped.issues.allSatisfy { $0.owner == "Page" && $0.causes.allSatisfy { $0.owner == "Page" } })
    }

    private enum Zero: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }
    private enum NoReviews: DefaultProvider { static let defaults = Defaults<[Int]>(ifNull: []) }

    @Test(
        "a field that may be missing or null takes its default",
        arguments: [MappingPolicy.UnknownKeys.ignore, .report]
    )
    func defaults(unknownKeys: MappingPolicy.UnknownKeys) throws {
        struct Entry: Codable, RawMappable {
            @Default<Zero> var count: Int
            @Default<NoReviews> var reviews: [Int]
        }
        let json = try Json.of(#"{"count":"x","reviews":true}"#)
        let mapped = mapping(policy(unknownKeys)) { try Entry.from(raw: json) }
        #expect(mapped.value?.count == 0 && mapped.value?.reviews == [])
        #expect(mapped.lines == ["warning dropped $.count", "warning dropped $.reviews"])
        #expect(mapped.issues.flatMap(\.causes).map(\.kind) == [.wrongType, .wrongType])
        #expect(throws: MappingError.self) { try Entry.from(raw: json) }
    }

    @Test("paths have the server's keys under a naming")
    func naming() throws {
        struct Entry: Codable, RawMappable {
            struct Part: Codable { let unitPrice: Int }
            let firstPart: Part?
            let allParts: [Part]
        }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let reporter = CollectingReporter()
        let json = try Json.of(#"{"first_part":{"unit_price":"x"},"all_parts":[{"unit_price":1},{}]}"#)
        _ = try reporter.mapping(policy: .salvaging, conventions: conventions) { try Entry.from(raw: json) }
        #expect(reporter.issues.map(\.path.description) == ["$.first_part", "$.all_parts[1]"])
        #expect(
            reporter.issues.flatMap(\.causes).map(\.path.description) == [
                "$.first_part.unit_price", "$.all_parts[1].unit_price",
            ]
        )
    }
}
