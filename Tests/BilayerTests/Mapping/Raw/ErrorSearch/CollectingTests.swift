import Bilayer
import Foundation
import Testing

private struct Person: Codable, RawMappable {
    enum Kind: String, Codable { case user, bot }
    let id: Int
    let kind: Kind
    let born: UUID
    let site: URL?
    @Formatted<RFC3339> var joined: Date
}

private struct Team: Codable, RawMappable {
    let name: String
    let owner: Person
    let members: [Person]
    let byRole: [String: Person]?
    var limits: [Int]
    var isOpen: Bool?
    @Lossy var tags: [String]
}

private let goodPerson =
    #"{"id":1,"kind":"bot","born":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","site":"https://a.example","joined":"2026-01-01T00:00:00Z"}"#
private let goodTeam =
    #"{"name":"a","owner":\#(goodPerson),"members":[\#(goodPerson)],"byRole":{"x":\#(goodPerson)},"limits":[1],"isOpen":true,"tags":["a"]}"#

/// The issues of a text that is read with all errors collected, after a good example in the same mapping.
func collectedErrors<Value: RawDecodable>(
    _ type: Value.Type,
    _ text: String,
    after example: String? = nil,
    limit: Int = 1000
) throws -> [String] where Value.Raw == Json {
    let json = try Json.of(text)
    let example = try example.map(Json.of)
    let mapped = mapping(.collectingAll(limit: limit)) {
        if let example { _ = try Value.from(raw: example) }
        return try Value.from(raw: json)
    }
    return mapped.lines
}

private struct Replaced: Codable, RawMappable {
    enum Roles: DefaultProvider { static let defaults = Defaults<[String: Role]>(ifInvalid: [:]) }
    struct Role: Codable, RawMappable { let id: Int }

    @Default<Roles> var roles: [String: Role]
    let first: Int
    let second: Int
    let third: Int
}

@Suite("Collecting: every error of a Codable entry, and none that is not in the JSON")
struct CollectingTests {
    @Test("errors inside a value that a default replaced do not count against the limit", arguments: [2, 99, 100, 300])
    func replaced(count: Int) throws {
        let roles = (0..<count).map { #""r\#($0)":{}"# }.joined(separator: ",")
        let lines = try collectedErrors(Replaced.self, #"{"roles":{\#(roles)}}"#, limit: 100)
        let errors = ["first", "second", "third"].map { "error missing $.\($0)" }
        #expect(lines.filter { $0.hasPrefix("error") } == errors)
        #expect(lines.contains("warning used default $.roles"))
    }

    private struct Numbers: Codable, RawMappable {
        enum Sizes: DefaultProvider { static let defaults = Defaults<[Int]>(ifInvalid: []) }
        struct Item: Codable, RawMappable { let id: Int }
        @Default<Sizes> var sizes: [Int]
        let items: [Item]
    }

    @Test("errors of scalars that a default replaced do not raise the limit")
    func replacedScalars() throws {
        let sizes = Array(repeating: #""x""#, count: 300).joined(separator: ",")
        let items = Array(repeating: "{}", count: 300).joined(separator: ",")
        let text = #"{"sizes":[\#(sizes)],"items":[\#(items)]}"#
        let lines = try collectedErrors(Numbers.self, text, limit: 100)
        #expect(lines.count == 100)
    }

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
        let told = try collectedErrors(Repo.self, text).joined(separator: ", ")
        #expect(told == expected)
    }

    @Test("siblings of a bad enum, UUID, URL or date are found at any depth, once a value of the type was read")
    func siblings() throws {
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
            try collectedErrors(Team.self, text, after: goodTeam)
                == ["error wrong type $.name"] + person("$.owner") + person("$.members[1]") + person("$.byRole.y")
                + ["error wrong type $.limits[0]", "error wrong type $.tags"]
        )
    }

    @Test("a type of which no value was read is read with placeholders, up to a value that has none")
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
            try collectedErrors(Event.self, #"{"at":"soon","id":"1","page":1,"title":null,"flags":[1],"count":1.5}"#)
                == [
                    "error invalid value $.at", "error invalid value $.id", "error wrong type $.page",
                    "error null $.title",
                    "error wrong type $.flags[0]", "error out of range $.count",
                ]
        )
        #expect(
            try collectedErrors(Person.self, #"{"id":"x","kind":"alien","born":1}"#) == [
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
            try collectedErrors(Stay.self, #"{"night":"x","place":7,"guests":1,"paid":1}"#) == [
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
            try collectedErrors(Part.self, #"{"kind":"film","image":"https://a.example"}"#) == [
                "error invalid value $.kind"
            ]
        )
        #expect(try collectedErrors(Part.self, #"{"kind":"text","text":1}"#) == ["error wrong type $.text"])
    }

    @Test(
        "generated breaches: exactly those of an independent check are told, each once",
        arguments: 0..<40 as Range<UInt64>
    )
    func generated(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, faults) = Breaches(random: random).team()
        _ = random.next()
        let told = try collectedErrors(Team.self, text, after: goodTeam)
        #expect(Set(told) == Set(faults), "seed \(seed): \(text)")
        #expect(told.count == Set(told).count, "seed \(seed): \(text)")
        let limited = try collectedErrors(Team.self, text, after: goodTeam, limit: 3)
        #expect(limited == Array(told.prefix(3)), "seed \(seed): \(text)")
    }

    @Test(
        "generated breaches without an example: nothing is invented, and an error is told where there is one",
        arguments: 0..<26 as Range<UInt64>
    )
    func generatedUnknown(seed: UInt64) throws {
        let (text, faults) = Breaches(random: SplitMix64(seed: seed)).team()
        let told = try collectedErrors(Team.self, text)
        #expect(Set(told).isSubset(of: faults), "seed \(seed): \(text)")
        #expect(told.isEmpty == faults.isEmpty, "seed \(seed): \(text)")
    }

    @Test("what is found depends on the mapping alone, not on what the process has read before")
    func noHistory() throws {
        let found = { try (0..<10 as Range<UInt64>).map { try collectedErrors(Team.self, Breaches.team(seed: $0)) } }
        let first = try found()
        #expect(try collectedErrors(Team.self, goodTeam).isEmpty)
        let bad = try collectedErrors(Team.self, Breaches.team(seed: 3), after: goodTeam)
        #expect(!bad.isEmpty)
        #expect(try found() == first)
        // The errors do not depend on the order of the members, either.
        let person = #"{"id":"x","kind":"alien","born":1}"#
        let count = { (members: [String]) in
            let list = "[\(members.joined(separator: ","))]"
            let text = #"{"name":"a","owner":\#(goodPerson),"members":\#(list),"limits":[],"tags":[]}"#
            return try collectedErrors(Team.self, text).count
        }
        #expect(try count([goodPerson, person]) == count([person, goodPerson]))
    }
}

extension Json {
    /// Returns this object with the members of another one set; members with other keys are kept.
    fileprivate func replacing(with other: Json) -> Json {
        var result = self
        for (key, value) in other.members { result[key] = value }
        return result
    }

    fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}

/// Makes teams with random faults, and lists the faults without decoding anything.
private struct Breaches {
    var random: SplitMix64
    private var faults: [String] = []

    init(random: SplitMix64) { self.random = random }

    static func team(seed: UInt64) -> String { Self(random: SplitMix64(seed: seed)).team().text }

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
