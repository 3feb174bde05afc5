import Bilayer
import Foundation
import Testing

private struct Item: Codable, RawMappable, Hashable {
    let sku: String
    var price: Decimal?
    var at: Date?
}

private struct Order: Codable, RawMappable, Hashable {
    let id: Int
    let items: [Item]
    var byName: [String: Item]?
    var note: Field<String> = .absent
    var anything: Json?
    @Lossy var lossy: [Item]?
}

private struct Consent: Codable, RawMappable, ChecksUnknownKeys {
    static let unknownKeys = MappingPolicy.UnknownKeys.fail
    let accepted: Bool
}

private struct Accent: Codable, RawMappable, ChecksUnknownKeys {
    static let unknownKeys = MappingPolicy.UnknownKeys.fail
    let cafe: Int
    enum CodingKeys: String, CodingKey { case cafe = "caf\u{E9}" }
}

private enum Tagged: Discriminated {
    case item(Item)
    static let discriminator = Discriminator<Tagged>.on("type", ["item": { .item(try .from(raw: $0)) }])
}

/// Tries to read every element as an object first.
private struct Attempts: Decodable, RawDecodable {
    var ids: [Int] = []

    private enum Keys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            if let object = try? list.nestedContainer(keyedBy: Keys.self) {
                ids.append(try object.decode(Int.self, forKey: .id))
            } else {
                ids.append(try list.decode(Int.self))
            }
        }
    }
}

private struct Point: RawDecodable {
    let x: Int
    static func from(raw: Json) throws -> Point {
        try raw.expectOnly("x", "y")
        return try Point(x: raw.decode("x"))
    }
}

private class Beast: Codable { var name = "" }
private final class Tabby: Beast, RawDecodable {
    var lives = 9
    enum CodingKeys: CodingKey { case lives }
    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
        try super.init(from: decoder)
    }
}

private enum ItemOrConsent: Decodable, RawDecodable {
    case number(Item)
    case consent(Consent)
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        if let item = try? list.decode(Item.self) {
            self = .number(item)
        } else {
            self = .consent(try list.decode(Consent.self))
        }
    }
}

private func reporting(_ choice: MappingPolicy.UnknownKeys) -> MappingPolicy {
    var policy = MappingPolicy()
    policy.unknownKeys = choice
    return policy
}

private let text = """
    {"id":1,"new":{"a":1},"items":[{"sku":"a","price":12345678901234567.89},{"sku":"b","colour":"red","at":5}],\
    "byName":{"x":{"sku":"c","size":1}},"note":null,"anything":{"k":1.10},"lossy":[{"sku":"d","odd":1},7]}
    """
private let unknown = [
    "unknown key $.new", "unknown key $.items[1].colour", "unknown key $.byName.x.size", "unknown key $.lossy[0].odd",
]

@Suite("Unknown keys and what is read")
struct UnknownKeysReadingTests {
    @Test("looking for unknown keys takes no element that an attempt did not take", arguments: [false, true])
    func attempts(looks: Bool) throws {
        var policy = MappingPolicy()
        policy.unknownKeys = looks ? .report : .ignore
        let raw: Json = [1, ["id": 2], 3]
        #expect(try CollectingReporter().mapping(policy: policy) { try Attempts.from(raw: raw) }.ids == [1, 2, 3])
    }

    @Test("a key that stands twice is told of once")
    func twice() throws {
        var policy = MappingPolicy()
        policy.unknownKeys = .report
        let collected = CollectingReporter()
        let raw = try Json(parsing: #"{"x":1,"z":1,"z":2}"#)
        #expect(try collected.mapping(policy: policy) { try Point.from(raw: raw) }.x == 1)
        #expect(collected.issues.map(\.path) == [[.key("z")]])
    }
}

@Suite("Unknown keys")
struct UnknownKeysTests {
    @Test func areReportedAtAnyDepth() throws {
        let json = try Json.of(text)
        let mapped = mapping(reporting(.report)) { try ["a": Order.from(raw: json)] }
        #expect(mapped.value?["a"] == (try Order.from(raw: json)), "reading with a record reads the same")
        let issues = mapped.issues.filter { $0.kind == .unknownKey }
        #expect(issues.map { "\($0.kind) \($0.path.exactDescription)" } == unknown)
        #expect(issues.allSatisfy { $0.severity == .warning })
        #expect(issues.map(\.owner) == ["Order", "Item", "Item", "Item"])
        #expect(issues.first?.found?.description == "object (1 member)")
    }

    @Test func areErrorsWhenThePolicySaysSo() throws {
        let json: Json = ["orders": [try Json.of(text)]]
        let mapped = mapping(reporting(.fail)) { try [String: [Order]].from(raw: json) }
        #expect(mapped.value == nil)
        let errors = mapped.issues.filter { $0.severity == .error }
        #expect(
            errors.map { "\($0.kind) \($0.path.exactDescription)" }
                == unknown.map { $0.replacingOccurrences(of: "$", with: "$.orders[0]") }
        )
    }

    @Test func areNotSearchedOtherwise() throws {
        let json = try Json.of(text)
        #expect(mapping { try Order.from(raw: json) }.issues.map(\.kind) == [.dropped])
        #expect(try Order.from(raw: json).id == 1)
    }

    @Test func aTypeMayDecideForItself() throws {
        let json = try Json.of(#"[{"accepted":true},{"accepted":true,"x":1}]"#)
        let error = #expect(throws: MappingError.self) { try [Consent].from(raw: json) }
        #expect(error?.path.description == "$[1].x")
        #expect(error?.issues.first?.kind == .unknownKey)
        struct Page: Codable, RawMappable { let consent: Consent }
        let page = try Json.of(#"{"consent":{"accepted":true,"x":1},"y":2}"#)
        #expect(try Page.from(raw: page).consent.accepted, "the outer entry is not checked")
        let mapped = mapping(reporting(.report)) { try Page.from(raw: page) }
        #expect(mapped.lines == ["error unknown key $.consent.x", "warning unknown key $.y"])
    }

    @Test func theServersSpellingIsFollowed() async throws {
        struct Visit: Codable, RawMappable, Hashable {
            let visitorName: String
            let lastSeen: Date
            let countByDay: [String: Int]
        }
        struct Page: Codable, RawMappable { let allVisits: [Visit] }
        let visit = #"{"visitor_name":"a","last_seen":"1970-01-01T00:00:00Z","count_by_day":{"a_b":1},"extra_key":1}"#
        var client = Client(
            baseURL: try #require(URL(string: "https://example.org")),
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data(#"{"all_visits":[\#(visit)]}"#.utf8)) }
        )
        client.conventions.keys = .snakeCase
        client.conventions.scalars.register(Date.self, as: .rfc3339)
        client.mappingPolicy = reporting(.report)
        let collected = CollectingReporter()
        let page = try await client.fetch(Route<Page>.get("visits"), reporter: collected)
        #expect(page.allVisits.first?.countByDay == ["a_b": 1])
        #expect(page.allVisits.first?.lastSeen == Date(timeIntervalSince1970: 0))
        #expect(collected.issues.map { "\($0.kind) \($0.path)" } == ["unknown key $.all_visits[0].extra_key"])
        #expect(collected.issues.first?.found?.type == "number")
    }

    private struct Visitor: Codable, RawMappable {
        struct Place: Codable { let cityName: String }
        let userName: String
        let lastPlace: Place?
    }

    @Test(
        "a naming of any kind reports no key that it has read, and others as they are",
        arguments: ["fld_", "x-"]
    )
    func namings(prefix: String) throws {
        var conventions = CodingConventions()
        conventions.keys = KeyNaming { prefix + $0 }
        let read = #""\#(prefix)userName":"a","\#(prefix)lastPlace":{"\#(prefix)cityName":"b""#
        #expect(mapping(.strict, conventions) { try Visitor.from(raw: Json.of("{\(read)}}")) }.error == nil)
        let text = #"{\#(read),"city__name":1},"x__y":2,"Zip_Zap":"z"}"#
        let mapped = mapping(reporting(.report), conventions) { try Visitor.from(raw: Json.of(text)) }
        #expect(
            mapped.issues.map { "\($0.path) \($0.found?.type ?? "-")" } == [
                "$.x__y number", "$.Zip_Zap string",
                "\(JsonPath([.key(prefix + "lastPlace"), .key("city__name")])) number",
            ]
        )
    }

    @Test(
        "the path of an unknown key is that of the JSON",
        arguments: ["Zip_Zap", "x__y", "aB_c", "zip1_2", "user_url"]
    )
    func pathsUnderBuiltInNamings(key: String) throws {
        for naming in [KeyNaming.snakeCase, .kebabCase, KeyNaming { $0.prefix(1).uppercased() + $0.dropFirst() }] {
            var conventions = CodingConventions()
            conventions.keys = naming
            let json = try Json.of(#"{"userName":"a","\#(key)":1}"#)
            let mapped = mapping(reporting(.report), conventions) { try Visitor.from(raw: json) }
            #expect(mapped.lines == ["warning unknown key $.\(key)"])
            #expect(mapped.issues.first?.found?.type == "number")
        }
    }

    @Test(arguments: [MappingPolicy.UnknownKeys.report, .fail])
    func aTagIsRead(choice: MappingPolicy.UnknownKeys) throws {
        let json = try Json.of(#"[{"type":"item","sku":"a"},{"type":"item","sku":"b","x":1}]"#)
        let mapped = mapping(reporting(choice)) { try [Tagged].from(raw: json) }
        #expect(mapped.issues.map { "\($0.kind) \($0.path)" } == ["unknown key $[1].x"])
        #expect((mapped.value == nil) == (choice == .fail))
    }

    @Test func byHand() throws {
        let json = try Json.of(#"[{"x":1,"y":2},{"x":1,"z":2,"w":3}]"#)
        #expect(try [Point].from(raw: json).count == 2)
        #expect(
            mapping(reporting(.report)) { try [Point].from(raw: json) }.lines == [
                "warning unknown key $[1].z", "warning unknown key $[1].w",
            ]
        )
        let failed = mapping(reporting(.fail)) { try [Point].from(raw: json) }
        #expect(failed.lines == ["error unknown key $[1].z", "error unknown key $[1].w"])
        #expect(failed.issues.first?.owner == "Point")
        #expect(throws: MappingError.self) { try json[1]?.expectOnly("x", unknownKeys: .fail) }
    }

    @Test func anObjectReadInPartsIsOneObject() throws {
        let json = try Json.of(#"{"lives":7,"name":"Tom","tail":1}"#)
        let mapped = mapping(reporting(.report)) { try Tabby.from(raw: json).name }
        #expect(mapped.value == "Tom")
        #expect(mapped.lines == ["warning unknown key $.tail"])
    }

    @Test func aSecondAttemptAtAnElementSeesTheSameElement() throws {
        let mapped = mapping(reporting(.report)) { try ItemOrConsent.from(raw: .of(#"[{"accepted":true}]"#)) }
        guard case .consent(let consent)? = mapped.value else { return #expect(Bool(false), "\(mapped)") }
        #expect(consent.accepted && mapped.issues.isEmpty)
    }

    @Test func errorsAreTheSameWithARecord() throws {
        for text in [#"{"items":[]}"#, #"{"id":"x","items":[]}"#, #"{"id":1,"items":[{"sku":null}]}"#, "[]", "null"] {
            let json = try Json.of(text)
            let plain = #expect(throws: MappingError.self) { try Order.from(raw: json) }
            let recorded = mapping(reporting(.report)) { try Order.from(raw: json) }.error as? MappingError
            #expect(plain?.description == recorded?.description)
        }
    }

    @Test("the entries in a dictionary are checked under each policy, with and without a naming")
    func inDictionaries() throws {
        enum Side: String, Codable, CodingKeyRepresentable { case left }
        struct Spot: Codable, RawMappable { let pX: Int }
        struct Spots: Codable, RawMappable {
            let byName: [String: Spot]
            let bySide: [Side: Spot]
        }
        for naming in [nil, KeyNaming.snakeCase] {
            var conventions = CodingConventions()
            conventions.keys = naming
            let key = { (name: String) in naming?.key(for: name) ?? name }
            let spot = #"{"\#(key("pX"))":1,"odd":2}"#
            let json = try Json.of(#"{"\#(key("byName"))":{"a":\#(spot)},"\#(key("bySide"))":{"left":\#(spot)}}"#)
            for policy in [MappingPolicy.standard, .salvaging, .collectingAll()] {
                for choice in [MappingPolicy.UnknownKeys.report, .fail] {
                    var policy = policy
                    policy.unknownKeys = choice
                    let mapped = mapping(policy, conventions) { try Spots.from(raw: json) }
                    let severity = choice == .fail ? "error" : "warning"
                    #expect(
                        mapped.lines == [
                            "\(severity) unknown key $.\(key("byName")).a.odd",
                            "\(severity) unknown key $.\(key("bySide")).left.odd",
                        ]
                    )
                    #expect((mapped.value == nil) == (choice == .fail))
                }
            }
        }
    }

    @Test("what is no collection is described as without the check", arguments: ["5", "null", #"{"a":1}"#, "[1]"])
    func nouns(text: String) throws {
        struct Lists: Codable, RawMappable {
            let list: [Item]?
            let numbers: [Int]?
            let table: [String: [Item]]?
        }
        for key in ["list", "numbers", "table"] {
            let json = try Json.of(#"{"\#(key)":\#(text)}"#)
            let plain = mapping { try Lists.from(raw: json) }.issues.map(\.description)
            #expect(mapping(reporting(.report)) { try Lists.from(raw: json) }.issues.map(\.description) == plain)
        }
    }

    @Test("a key that only looks like a known one is unknown")
    func keysAreToldApartByTheirBytes() throws {
        #expect(try Accent.from(raw: Json(parsing: #"{"caf\u00e9": 1}"#)).cafe == 1)
        #expect(throws: MappingError.self) {
            try Accent.from(raw: Json(parsing: #"{"caf\u00e9": 1, "cafe\u0301": 2}"#))
        }
    }

    @Test("keys that only an alternative saw that could not be read are not called unknown")
    func discardedAlternatives() throws {
        struct Wide: Decodable {
            let list: [Int]
            let size: Int
        }
        struct Narrow: Decodable { let size: Int }
        struct Flexible: Decodable, RawDecodable {
            let size: Int
            private enum Keys: CodingKey { case part }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                if let wide = try? container.decode(Wide.self, forKey: .part) {
                    size = wide.size
                } else if let narrow = try? container.decode(Narrow.self, forKey: .part) {
                    size = narrow.size
                } else {
                    size = -1
                }
            }
        }
        func size(_ text: String) -> (Int?, [String]) {
            let mapped = mapping(.strict) { try Flexible.from(raw: .of(text)).size }
            return (mapped.value, mapped.issues.map { "\($0.path)" })
        }
        #expect(size(#"{"part":{"list":[1],"size":2}}"#) == (2, []))
        #expect(size(#"{"part":{"list":["x"],"size":"y"}}"#) == (-1, []))
        #expect(size(#"{"part":{"list":["x"],"size":3}}"#) == (nil, ["$.part.list"]))
        #expect(size(#"{"part":{"size":3}}"#) == (3, []))
    }

    private struct Label: Decodable {
        let colour: String
        let size: Int
    }

    /// Reads its parts from nested containers, and discards the errors of some.
    private struct Nested: Decodable, RawDecodable {
        enum Keys: CodingKey { case label, frame, list, labels }
        enum FrameKeys: CodingKey { case width, sides, note }

        let hasLabel: Bool
        let width: Int?
        let note: String?
        let count: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            hasLabel = (try? Label(from: container.superDecoder(forKey: .label))) != nil
            let frame = try? container.nestedContainer(keyedBy: FrameKeys.self, forKey: .frame)
            width = try? frame?.decode(Int.self, forKey: .width)
            note = try? frame?.decodeIfPresent(String.self, forKey: .note)
            var labels = try container.nestedUnkeyedContainer(forKey: .labels)
            var count = 0
            while !labels.isAtEnd {
                let label = try labels.superDecoder()
                if (try? Label(from: label)) != nil { count += 1 }
            }
            self.count = count
        }
    }

    @Test(
        "keys of nested containers that could not be read to their end are not called unknown",
        arguments: [
            (#""label":{"colour":1,"size":2,"odd":3},"frame":{"width":1},"labels":[]"#, []),
            (#""label":{"size":2},"frame":{"width":1,"note":7,"odd":1},"labels":[]"#, []),
            (#""label":{"colour":"red","size":2,"odd":3},"frame":{},"labels":[]"#, ["$.label.odd"]),
            (#""label":{"size":2},"frame":{"width":"x","odd":1},"labels":[]"#, ["$.frame.odd"]),
            (
                #""label":{"size":2},"labels":[{"colour":1,"size":2},{"colour":"red","size":1,"odd":2},{"odd":3}]"#,
                ["$.labels[1].odd"]
            ),
        ]
    )
    func nestedFailures(members: String, unknown: [String]) throws {
        let mapped = mapping(.strict) { try Nested.from(raw: .of("{\(members)}")) }
        #expect(mapped.issues.map { "\($0.path)" } == unknown)
        #expect((mapped.value == nil) == !unknown.isEmpty)
    }
}
