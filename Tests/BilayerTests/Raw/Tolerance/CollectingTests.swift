import Bilayer
import Foundation
import Testing

/// Generic, so that each test can have types of its own that were never read before.
private struct Person<Tag>: Codable, RawMappable {
    enum Kind: String, Codable { case user, bot }
    let id: Int
    let kind: Kind
    let born: UUID
    let site: URL?
    @Formatted<RFC3339> var joined: Date
}

private struct Team<Tag>: Codable, RawMappable {
    let name: String
    let owner: Person<Tag>
    let members: [Person<Tag>]
    let byRole: [String: Person<Tag>]?
    var limits: [Int]
    var isOpen: Bool?
    @Lossy var tags: [String]
}

private enum MildNumber: DefaultProvider { static let defaults = Defaults(ifMissing: 1, ifInvalid: 0) }
private enum First {}
private enum Second {}

private let goodPerson =
    #"{"id":1,"kind":"bot","born":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","site":"https://a.example","joined":"2026-01-01T00:00:00Z"}"#
private let goodTeam =
    #"{"name":"a","owner":\#(goodPerson),"members":[\#(goodPerson)],"byRole":{"x":\#(goodPerson)},"limits":[1],"isOpen":true,"tags":["a"]}"#

private func errors<Value: RawDecodable>(_ type: Value.Type, _ text: String, limit: Int = 1000) throws -> [String]
where Value.Raw == Json {
    let json = try Json.of(text)
    let mapped = mapping(.collectingAll(limit: limit)) { try Value.from(raw: json) }
    return mapped.lines
}

@Suite("Collecting: every error of a Codable entry, and none that is not in the JSON")
struct CollectingTests {
    @Test(
        "what is wrong is told, and nothing that follows from it",
        arguments: [
            (#""license":17"#, "error wrong type $.license"),
            (#""license":{"key":1}"#, "error wrong type $.license.key, error missing $.license.name"),
            (
                #""at":"soon","title":1,"count":"x""#,
                "error invalid value $.at, error wrong type $.title, error wrong type $.count"
            ),
            (
                #""title":1,"count":"x","at":"soon""#,
                "error invalid value $.at, error wrong type $.title, error wrong type $.count"
            ),
            (#""at":null,"title":null"#, "error null $.at, error null $.title"),
            (#""title":[]"#, "error wrong type $.title"),
        ]
    )
    func exactly(members: String, expected: String) throws {
        struct License: Codable {
            let key: String
            let name: String
        }
        struct Repo: Codable, RawMappable {
            @Formatted<RFC3339> var at: Date
            let title: String
            let count: Int
            let license: License?
        }
        var text = #"{"at":"2026-01-01T00:00:00Z","title":"a","count":1}"#
        text = try Json.of(text).replacing(with: .of("{\(members)}")).text
        let told = try errors(Repo.self, text).joined(separator: ", ")
        #expect(told == expected)
    }

    @Test("siblings of a bad enum, UUID, URL or date are found at any depth, once a value of the type was read")
    func siblings() throws {
        #expect(try errors(Team<First>.self, goodTeam).isEmpty)
        let bad = #"{"id":"x","kind":"alien","born":"no","site":"","joined":"soon"}"#
        let text =
            #"{"name":1,"owner":\#(bad),"members":[\#(goodPerson),\#(bad)],"byRole":{"y":\#(bad)},"limits":["1"],"tags":7}"#
        let person = { (path: String) in
            [
                "error wrong type \(path).id", "error invalid value \(path).kind", "error invalid value \(path).born",
                "error invalid value \(path).site", "error invalid value \(path).joined",
            ]
        }
        #expect(
            try errors(Team<First>.self, text)
                == ["error wrong type $.name"] + person("$.owner") + person("$.members[1]") + person("$.byRole.y")
                + ["error wrong type $.limits[0]", "error wrong type $.tags"]
        )
    }

    @Test("a type that was never read is read with placeholders, up to a value that has none")
    func unknownType() throws {
        struct Event: Codable, RawMappable {
            @Formatted<RFC3339> var at: Date
            let id: UUID
            let page: URL
            let title: String
            let flags: [Bool]
            let count: Int
        }
        #expect(
            try errors(Event.self, #"{"at":"soon","id":"1","page":1,"title":null,"flags":[1],"count":1.5}"#) == [
                "error invalid value $.at", "error invalid value $.id", "error wrong type $.page", "error null $.title",
                "error wrong type $.flags[0]", "error out of range $.count",
            ]
        )
        #expect(
            try errors(Person<Second>.self, #"{"id":"x","kind":"alien","born":1}"#) == [
                "error wrong type $.id", "error invalid value $.kind", "error wrong type $.born",
                "error missing $.joined",
            ]
        )
        struct Stay: Codable, RawMappable {
            struct Place: Codable { let name: String }
            let night: Int
            let place: Place
            let guests: [Place]
            let paid: Bool
        }
        // There is no placeholder for a list of the app's type.
        #expect(
            try errors(Stay.self, #"{"night":"x","place":7,"guests":1,"paid":1}"#) == [
                "error wrong type $.night", "error wrong type $.place",
            ]
        )
    }

    @Test("a field of which a made-up value decides is no error, also if each such value decides so")
    func chosenFields() throws {
        enum Kind: String, Decodable, CaseIterable { case text, image, caption }
        struct Part: Decodable, RawDecodable {
            let kind: Kind
            var text: String?
            var image: URL?
            enum CodingKeys: CodingKey { case kind, text, image }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                kind = try container.decode(Kind.self, forKey: .kind)
                if kind == .image {
                    image = try container.decode(URL.self, forKey: .image)
                } else {
                    text = try container.decode(String.self, forKey: .text)
                }
            }
        }
        #expect(
            try errors(Part.self, #"{"kind":"film","image":"https://a.example"}"#) == ["error invalid value $.kind"]
        )
        #expect(try errors(Part.self, #"{"kind":"text","text":1}"#) == ["error wrong type $.text"])
    }

    @Test(
        "generated breaches: exactly those of an independent check are told, each once",
        arguments: 0..<40 as Range<UInt64>
    )
    func generated(seed: UInt64) throws {
        _ = try errors(Team<First>.self, goodTeam)
        var random = SplitMix64(seed: seed)
        let (text, faults) = Breaches(random: random).team()
        _ = random.next()
        let told = try errors(Team<First>.self, text)
        #expect(Set(told) == Set(faults), "seed \(seed): \(text)")
        #expect(told.count == Set(told).count, "seed \(seed): \(text)")
        let limited = try errors(Team<First>.self, text, limit: 3)
        #expect(limited == Array(told.prefix(3)), "seed \(seed): \(text)")
    }

    @Test("generated breaches of types that were never read: nothing is invented, and each object tells its first")
    func generatedUnknown() throws {
        func check<Tag>(_ tag: Tag.Type, _ seed: UInt64) throws {
            let (text, faults) = Breaches(random: SplitMix64(seed: seed)).team()
            let told = try errors(Team<Tag>.self, text)
            #expect(Set(told).isSubset(of: faults), "seed \(seed): \(text)")
            #expect(told.isEmpty == faults.isEmpty, "seed \(seed): \(text)")
            if seed < 25 { try check([Tag].self, seed + 1) }
        }
        try check(Int.self, 0)
    }
}

@Suite("Collecting: what a type's own init decides")
struct CollectingOwnInitTests {
    /// Chooses its fields by a value.
    private struct Block: Decodable, RawDecodable {
        enum Kind: String, Decodable, CaseIterable { case text, image }
        let kind: Kind
        var text: String?
        var image: URL?
        enum CodingKeys: CodingKey { case kind, text, image }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            switch kind {
            case .text: text = try container.decode(String.self, forKey: .text)
            case .image: image = try container.decode(URL.self, forKey: .image)
            }
        }
    }

    @Test("fields that depend on a bad value are not missed")
    func discriminator() throws {
        for text in [#"{"kind":"text","text":"a"}"#, #"{"kind":"video","image":"https://a.example"}"#] {
            let told = try errors(Block.self, text)
            #expect(told == (text.contains("video") ? ["error invalid value $.kind"] : []))
        }
        #expect(try errors(Block.self, #"{"kind":"text"}"#) == ["error missing $.text"])
        #expect(try errors(Block.self, #"{"kind":7}"#) == ["error wrong type $.kind"])
    }

    @Test("legal alternatives are no errors, beside one that is")
    func alternatives() throws {
        struct Flexible: Decodable, RawDecodable {
            let id: Int
            let number: Int
            let note: String
            enum CodingKeys: CodingKey { case id, number, note }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Int.self, forKey: .id)
                if let number = try? container.decode(Int.self, forKey: .number) {
                    self.number = number
                } else {
                    number = Int(try container.decode(String.self, forKey: .number)) ?? 0
                }
                do {
                    note = try container.decode(String.self, forKey: .note)
                } catch DecodingError.keyNotFound {
                    note = "-"
                }
            }
        }
        #expect(try errors(Flexible.self, #"{"id":"x","number":"7"}"#) == ["error wrong type $.id"])
        #expect(
            try errors(Flexible.self, #"{"id":1,"number":"7","note":1}"#) == ["error wrong type $.note"]
        )
    }

    @Test("alternatives of a type are none of its errors, also after values that needed none")
    func learnedAlternatives() throws {
        struct Either2: Decodable, RawDecodable {
            let id: Int
            let number: Int
            enum CodingKeys: CodingKey { case id, number }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Int.self, forKey: .id)
                number =
                    try (try? container.decode(Int.self, forKey: .number))
                    ?? Int(container.decode(String.self, forKey: .number)) ?? 0
            }
        }
        struct Choosing: Decodable, RawDecodable {
            let kind: String
            let body: String
            enum CodingKeys: CodingKey { case kind, text, image }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                kind = try container.decode(String.self, forKey: .kind)
                body = try container.decode(String.self, forKey: kind == "text" ? .text : .image)
            }
        }
        #expect(
            try errors([Either2].self, #"[{"id":1,"number":7},{"id":"x","number":"7"}]"#) == [
                "error wrong type $[1].id"
            ]
        )
        #expect(
            try errors([Choosing].self, #"[{"kind":"text","text":"a"},{"kind":7,"image":"b"}]"#)
                == ["error wrong type $[1].kind"]
        )
    }

    @Test("fields that may be missing may be so behind an error, also after values that had them")
    func tolerantFields() throws {
        struct Mild: Codable, RawMappable {
            let a: Int
            @Default<MildNumber> var n: Int
            let f: Field<Int>
            @Lossy var l: [Int]
        }
        let good = #"{"a":1,"n":2,"f":3,"l":[1]}"#
        #expect(
            try errors([Mild].self, #"[\#(good),{"a":"x","l":[]}]"#).filter { $0.hasPrefix("error") } == [
                "error wrong type $[1].a"
            ]
        )
        let bad = #"{"a":"x","n":"y","f":null,"l":[]}"#
        #expect(
            try errors([Mild].self, "[\(good),\(bad)]").filter { $0.hasPrefix("error") } == ["error wrong type $[1].a"]
        )
        struct Patch: Codable, RawMappable {
            let a: Int
            let f: Field<Int>
        }
        #expect(
            try errors([Patch].self, #"[{"a":1,"f":2},{"a":"x"},{"a":"x","f":null},{"a":"x","f":"y"}]"#) == [
                "error wrong type $[1].a", "error wrong type $[2].a", "error wrong type $[3].a",
                "error wrong type $[3].f",
            ]
        )
    }

    @Test("no collection of the app's own is made for a bad value")
    func ownCollections() throws {
        struct Filled: Decodable, ExpressibleByArrayLiteral {
            let values: [Int]
            init(arrayLiteral elements: Int...) {
                precondition(!elements.isEmpty)
                values = elements
            }
            init(from decoder: any Decoder) throws { values = try [Int](from: decoder) }
        }
        struct Page: Decodable, RawDecodable {
            let list: Filled
            let next: Int
        }
        #expect(try errors(Page.self, #"{"list":7,"next":"x"}"#) == ["error wrong type $.list"])
    }

    @Test("what an app makes of an empty list does not follow from a bad one")
    func emptyLists() throws {
        struct Reasoned: Decodable, RawDecodable {
            let ids: [Int]
            let reason: String?
            enum CodingKeys: CodingKey { case ids, reason }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                ids = try container.decode([Int].self, forKey: .ids)
                reason = ids.isEmpty ? try container.decode(String.self, forKey: .reason) : nil
            }
        }
        #expect(try errors(Reasoned.self, #"{"ids":"x"}"#) == ["error wrong type $.ids"])
    }

    @Test("a rule that a placeholder breaks is no error")
    func rules() throws {
        struct Span: Decodable, RawDecodable {
            let start: Int
            let end: Int
            let name: String
            enum CodingKeys: CodingKey { case start, end, name }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                start = try container.decode(Int.self, forKey: .start)
                end = try container.decode(Int.self, forKey: .end)
                if start > end { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "order")) }
                name = try container.decode(String.self, forKey: .name)
            }
        }
        #expect(try errors(Span.self, #"{"start":"x","end":-5,"name":1}"#) == ["error wrong type $.start"])
        #expect(try errors(Span.self, #"{"start":1,"end":5,"name":"a"}"#).isEmpty)
        #expect(
            try errors(Span.self, #"{"start":"x","end":-5,"name":1}"#) == [
                "error wrong type $.start", "error wrong type $.name",
            ]
        )
        #expect(try errors(Span.self, #"{"start":7,"end":-5,"name":1}"#) == ["error invalid value $"])
    }

    @Test("no initialiser of the app runs on made-up values once a value of its type was read")
    func noPlaceholders() throws {
        struct Link: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                if text != "a" { MappingIssue(.brokenRule, severity: .warning).report() }
            }
        }
        struct Page: Decodable, RawDecodable {
            let id: Int
            let link: Link
            let title: String
        }
        #expect(try errors(Page.self, #"{"id":1,"link":"a","title":"b"}"#).isEmpty)
        #expect(
            try errors(Page.self, #"{"id":"x","link":7,"title":1}"#) == [
                "error wrong type $.id", "error wrong type $.link", "error wrong type $.title",
            ]
        )
    }

    @Test("what is tolerated is reported once, beside errors")
    func tolerated() throws {
        enum Size: String, OpenEnum { case small }
        struct Shelf: Codable, RawMappable {
            let size: Open<Size>
            @Lossy var tags: [String]
            let id: Int
            let name: String
        }
        #expect(
            Set(try errors(Shelf.self, #"{"size":"big","tags":[1,"a"],"id":"x","name":1}"#)) == [
                "warning unknown value $.size", "warning dropped $.tags[0]", "error wrong type $.id",
                "error wrong type $.name",
            ]
        )
    }

    @Test("a type that reads itself from the same value ends with an error")
    func endless() throws {
        struct Endless: Decodable, RawDecodable {
            init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Self.self) }
        }
        #expect(try errors([String: Endless].self, #"{"a":1}"#).count == 1)
    }
}

extension Json {
    /// The members of another object in the place of one's own.
    fileprivate func replacing(with other: Json) -> Json {
        var result = self
        for (key, value) in other.members { result[key] = value }
        return result
    }

    fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}

/// Makes teams with random faults, and says which, without decoding anything.
private struct Breaches {
    var random: SplitMix64
    private var faults: [String] = []

    init(random: SplitMix64) { self.random = random }

    func team() -> (text: String, faults: [String]) {
        var copy = self
        let text = copy.makeTeam()
        return (text, copy.faults)
    }

    private mutating func makeTeam() -> String {
        let members = [
            field("name", #""a""#, [("1", "wrong type"), ("null", "null")], at: "$"),
            member("owner", makePerson("$.owner")),
            list("members", at: "$.members"),
            dictionary("byRole", at: "$.byRole"),
            field("limits", "[1,2]", [("{}", "wrong type"), ("null", "null")], at: "$"),
            field("isOpen", "true", [("1", "wrong type")], at: "$", isOptional: true),
            field("tags", #"["a"]"#, [("7", "wrong type"), ("null", "null")], at: "$"),
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }

    private mutating func makePerson(_ path: String) -> String {
        let members = [
            field("id", "1", [(#""x""#, "wrong type"), ("1.5", "out of range"), ("null", "null")], at: path),
            field("kind", #""user""#, [(#""alien""#, "invalid value"), ("1", "wrong type")], at: path),
            field(
                "born",
                #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
                [(#""no""#, "invalid value"), ("[]", "wrong type")],
                at: path
            ),
            field("site", #""https://a.example""#, [("{}", "wrong type")], at: path, isOptional: true),
            field("joined", #""2026-01-01T00:00:00Z""#, [(#""soon""#, "invalid value")], at: path),
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }

    private mutating func list(_ key: String, at path: String) -> String {
        let count = random.next(below: 4)
        return member(key, "[\((0..<count).map { makePerson("\(path)[\($0)]") }.joined(separator: ","))]")
    }

    private mutating func dictionary(_ key: String, at path: String) -> String? {
        if random.next(below: 3) == 0 { return nil }
        let members = (0..<random.next(below: 3)).map { #""k\#($0)":"# + makePerson("\(path).k\($0)") }
        return member(key, "{\(members.joined(separator: ","))}")
    }

    private func member(_ key: String, _ value: String) -> String { "\"\(key)\":\(value)" }

    private mutating func field(
        _ key: String,
        _ good: String,
        _ bad: [(String, String)],
        at path: String,
        isOptional: Bool = false
    ) -> String? {
        switch random.next(below: 8) {
        case 0:
            if !isOptional { faults.append("error missing \(path).\(key)") }
            return nil
        case 1, 2:
            let (value, kind) = bad[Int(random.next(below: bad.count))]
            faults.append("error \(kind) \(path).\(key)")
            return member(key, value)
        default: return member(key, good)
        }
    }
}
