import Bilayer
import Foundation
import Testing

private struct CustomerEntry: Codable, RawMappable, Hashable {
    let id: Int
    let city: String?
    let name: String
    let price: Decimal
    var note: Field<String> = .absent
    @Lossy var tags: [String]?

    enum CodingKeys: String, PathCodingKey {
        case id, city, name, price, note, tags
        static let paths: [CodingKeys: [String]] = [
            .city: ["address.city"],
            .name: ["name", "user_name", "profile.names.full"],
            .price: [#"money["unit.price"]"#],
            .note: ["address.note"],
            .tags: ["meta.tags"],
        ]
    }
}

private struct PageEntry: Codable, RawMappable, Hashable {
    let customers: [CustomerEntry]
    var best: [String: CustomerEntry]?
}

private let full =
    #"{"id":1,"address":{"city":"Bonn","note":null},"name":"Ann","money":{"unit.price":1.10},"meta":{"tags":["a"]}}"#

private func customer(_ members: String) throws -> Json { try .of(#"{"id":1,"money":{"unit.price":1},\#(members)}"#) }

@Suite("Coding keys with paths", .smallStack)
struct PathCodingKeyTests {
    @Test("fields deeper in the JSON are read and written where they stand, at any depth of an entry")
    func roundTrip() throws {
        let json = try Json.of(#"{"customers":[\#(full),\#(full)],"best":{"x":\#(full)}}"#)
        let page = try PageEntry.from(raw: json)
        let customer = try #require(page.customers.last)
        #expect(customer.city == "Bonn" && customer.name == "Ann" && customer.note == .null && customer.tags == ["a"])
        #expect(customer.price == Decimal(string: "1.10"))
        #expect(try page.toRaw() == json)
        #expect(try PageEntry.from(raw: page.toRaw()) == page)
        #expect(try JsonDecoder().decode(PageEntry.self, from: JsonEncoder().encode(page)) == page)
    }

    @Test("what is nil opens no object")
    func nothingIsWritten() throws {
        let entry = try CustomerEntry.from(raw: customer(#""name":"Ann""#))
        #expect(entry.city == nil && entry.note == .absent && entry.tags == nil)
        #expect(
            try String(decoding: JsonEncoder().encode(entry), as: UTF8.self)
                == #"{"id":1,"name":"Ann","money":{"unit.price":1}}"#
        )
    }

    @Test(
        "the first name that is there counts, with a value if possible",
        arguments: [
            (#""name":"a""#, "a"), (#""user_name":"b""#, "b"), (#""profile":{"names":{"full":"c"}}"#, "c"),
            (#""name":null,"user_name":"b""#, "b"), (#""profile":null,"user_name":"b""#, "b"),
            (#""user_name":"b","name":"b""#, "b"),
        ]
    )
    func alternatives(members: String, name: String) throws {
        let (entry, issues) = try reported { try CustomerEntry.from(raw: customer(members)) }
        #expect(entry.name == name)
        #expect(issues.isEmpty)
    }

    @Test("differing values under two names are reported once, and refused by a strict policy")
    func clash() throws {
        let json: Json = ["customers": [try customer(#""name":"a","profile":{"names":{"full":"b"}}"#)]]
        let clash =
            #"$.customers[0].profile.names.full: key clash: found string (1 character); differs from name"#
        let (page, issues) = try reported { try PageEntry.from(raw: json) }
        #expect(page.customers.first?.name == "a")
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix(clash + "; name was read") == true, "\(issues)")
        #expect(failure(.strict) { try PageEntry.from(raw: json) }.hasPrefix(clash + " (property name) in"))
    }

    @Test(
        "errors say where in the JSON, and which property",
        arguments: [
            (
                #""name":"a","address":{"city":5}"#,
                "$.address.city: wrong type: expected String, found number in CustomerEntry"
            ),
            (
                #""name":"a","address":5"#,
                "$.address: wrong type: expected an object, found number (property city) in CustomerEntry"
            ),
            (
                #""name":"a","meta":{"tags":5}"#,
                "$.meta.tags: wrong type: expected Array<String>, found number in CustomerEntry"
            ),
            (
                #""address":null"#,
                #"$.name: missing: nor is there user_name, profile.names.full, required by CustomerEntry"#
            ),
            (#""user_name":null"#, "$.user_name: null: expected String, found null (property name) in CustomerEntry"),
        ]
    )
    func errors(members: String, message: String) throws {
        let json: Json = ["customers": [try .of(full), try customer(members)]]
        #expect(
            failure { try PageEntry.from(raw: json) }
                == message.replacing("$", with: "$.customers[1]", maxReplacements: 1)
        )
    }

    @Test("an error names no type of the decoder, under policies that read in another way, too")
    func nouns() throws {
        struct Related: Codable, RawMappable {
            struct Part: Codable { let number: Int }
            enum CodingKeys: String, PathCodingKey {
                case part
                static let paths: [CodingKeys: [String]] = [.part: ["rel.part"]]
            }
            let part: Part
        }
        for text in [#"{"rel":null}"#, #"{"rel":{"part":null}}"#, #"{"rel":{}}"#, "{}"] {
            for policy in [MappingPolicy.standard, .salvaging, .collectingAll()] {
                let mapped = mapping(policy) { try Related.from(raw: .of(text)) }
                #expect(mapped.issues.count == 1, "\(text), \(policy)")
                #expect(!mapped.issues.contains { $0.description.contains("Decoder") }, "\(mapped.issues)")
            }
        }
    }

    @Test(
        "a value that several paths go through is told once, and what is behind it as well",
        arguments: [
            (#""rel":5"#, "$.rel: wrong type: expected an object, found number (property title) in Resource"),
            (#""rel":null"#, "$.rel: null: expected an object, found null (property title) in Resource"),
            (#""other":1"#, "$.rel: missing (property title), required by Resource"),
        ]
    )
    func severalThroughOne(member: String, message: String) {
        struct Resource: Codable, RawMappable {
            enum CodingKeys: String, PathCodingKey {
                case title, body, id
                static let paths: [CodingKeys: [String]] = [.title: ["rel.title"], .body: ["rel.body"]]
            }
            let title: String
            let body: Int
            let id: Int
        }
        let mapped = mapping(.collectingAll()) { try Resource.from(raw: .of(#"{"id":"x",\#(member)}"#)) }
        #expect(
            mapped.issues.map { $0.description.replacing("PathCodingKeyTests.", with: "") } == [
                message, "$.id: wrong type: expected Int, found string (1 character) in Resource",
            ]
        )
    }

    @Test("the way to a required value that is not there ends in the error")
    func missing() throws {
        #expect(
            failure { try CustomerEntry.from(raw: ["id": 1, "name": "a"]) }
                == "$.money: missing (property price), required by CustomerEntry"
        )
        #expect(
            failure { try CustomerEntry.from(raw: ["id": 1, "name": "a", "money": [:]]) }
                == #"$.money["unit.price"]: missing (property price), required by CustomerEntry"#
        )
        #expect(
            failure { try CustomerEntry.from(raw: ["id": 1, "name": "a", "money": .null]) }
                == "$.money: null: expected an object, found null (property price) in CustomerEntry"
        )
        let issue = try #require(
            mapping { try CustomerEntry.from(raw: ["id": 1, "name": "a", "money": ["unit.price": "x"]]) }.issues.first
        )
        #expect(issue.propertyName == "price" && issue.jsonKey == "unit.price")
    }

    @Test("a key that is only another name is named beside the property, too")
    func renamed() throws {
        struct Entry: Codable, RawMappable {
            let createdAt: Int
            enum CodingKeys: PathCodingKey {
                case createdAt
                static let paths: [CodingKeys: [String]] = [.createdAt: ["crtd"]]
            }
        }
        let message = "$[0].crtd: missing (property createdAt), required by PathCodingKeyTests.Entry"
        #expect(failure { try [Entry].from(raw: [[:]]) } == message)
    }

    @Test("unknown keys are looked for on the way, too")
    func unknownKeys() throws {
        var policy = MappingPolicy()
        policy.unknownKeys = .report
        let json = try customer(#""user_name":"a","address":{"city":"b","street":"c"},"odd":1"#)
        let mapped = mapping(policy) { try CustomerEntry.from(raw: json) }
        #expect(mapped.lines == ["warning unknown key $.odd", "warning unknown key $.address.street"])
    }

    @Test("a bad field deep inside is salvaged and collected like any other")
    func tolerance() throws {
        let json: Json = ["customers": [try customer(#""name":"a","address":{"city":5}"#)]]
        let salvaged = mapping(.salvaging) { try PageEntry.from(raw: json) }
        #expect(salvaged.value?.customers.map(\.city) == [nil])
        #expect(salvaged.lines == ["warning dropped $.customers[0].address.city"])
        struct NickEntry: Codable, RawMappable {
            let nick: String?
            enum CodingKeys: String, PathCodingKey {
                case nick
                static let paths: [CodingKeys: [String]] = [.nick: ["nick", "profile.nick"]]
            }
        }
        let other = mapping(.salvaging) { try NickEntry.from(raw: ["profile": ["nick": 5]]) }
        #expect(other.lines == ["warning dropped $.profile.nick"])
        let broken: Json = ["customers": [try .of(#"{"id":"x","address":{"city":5}}"#)]]
        #expect(
            mapping(.collectingAll()) { try PageEntry.from(raw: broken) }.issues.map(\.path.description) == [
                "$.customers[0].id", "$.customers[0].address.city", "$.customers[0].name", "$.customers[0].money",
            ]
        )
    }

    @Test("a naming holds for the steps of paths")
    func naming() throws {
        struct Entry: Codable, Hashable {
            let firstCity: String
            let zip: Int
            enum CodingKeys: PathCodingKey {
                case firstCity, zip
                static let paths: [CodingKeys: [String]] = [.zip: ["homeAddress.zipCode"]]
            }
        }
        let json = try Json.of(#"{"first_city":"Bonn","home_address":{"zip_code":53111}}"#)
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        var encoder = JsonEncoder()
        encoder.keys = .naming(.snakeCase)
        let entry = try decoder.decode(Entry.self, from: json)
        #expect(entry == Entry(firstCity: "Bonn", zip: 53111))
        #expect(try encoder.encodeJson(entry) == json)
    }

    struct LineEntry: Codable {
        let first: Int?
        let third: Int?
        enum CodingKeys: String, PathCodingKey {
            case first, third
            static let paths: [CodingKeys: [String]] = [.first: ["lines[0].count"], .third: ["lines[2].count"]]
        }
    }

    @Test("an element is read by its index, and not written")
    func indices() throws {
        let line = try Json.of(#"{"lines":[{"count":7},{"count":8}]}"#).decode(LineEntry.self)
        #expect(line.first == 7 && line.third == nil)
        let error = #expect(throws: EncodingError.self) { try JsonEncoder().encode(line) }
        #expect("\(try #require(error))".contains("has an index and can be read only"))
    }

    @Test("paths that cannot be are said to be wrong")
    func wrongPaths() throws {
        struct Broken: Codable, RawMappable {
            var city: String?
            enum CodingKeys: PathCodingKey {
                case city
                static let paths: [CodingKeys: [String]] = [.city: ["address..city"]]
            }
        }
        #expect(failure { try Broken.from(raw: [:]) }.contains(#""address..city" in the code is no path"#))
        #expect(throws: EncodingError.self) { try Broken().toRaw() }
        struct Crossing: Codable, RawMappable {
            var address = "a"
            var city = "b"
            enum CodingKeys: PathCodingKey {
                case address, city
                static let paths: [CodingKeys: [String]] = [.city: ["address.city"]]
            }
        }
        #expect(throws: EncodingError.self) { try Crossing().toRaw() }
    }

    @Test("a decoder that is kept reads the same after the call")
    func kept() throws {
        struct Keeper: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let kept = try Json.of(full).decode(Keeper.self)
        #expect(try CustomerEntry(from: kept.decoder) == Json.of(full).decode())
    }

    @Test("generated entries come back as they were, whatever deep objects they share")
    func generated() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            func text() -> String { String((0..<random.next(below: 5)).map { _ in "ab.\"é🙂"[random.next(below: 6)] }) }
            var entry = CustomerEntry(
                id: random.next(below: 100),
                city: random.next(below: 2) == 0 ? nil : text(),
                name: text(),
                price: Decimal(random.next(below: 10_000)) / 100,
                tags: random.next(below: 2) == 0 ? nil : [text()]
            )
            entry.note = [.absent, .null, .value(text())][random.next(below: 3)]
            let page = PageEntry(customers: [entry, entry])
            #expect(try PageEntry.from(raw: page.toRaw()) == page, "seed \(seed)")
        }
    }
}

extension String {
    fileprivate subscript(_ offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}

/// Salvaged optionals, also under policies that report unknown keys.
@Suite("Salvaged optionals with paths", .smallStack)
struct SalvagedPathTests {
    private struct Entry: Codable, RawMappable {
        let id: Int
        let age: Int?
        enum CodingKeys: String, PathCodingKey {
            case id, age
            static let paths: [CodingKeys: [String]] = [.age: ["meta.age", "years"]]
        }
    }

    @Test(
        "the report names the path of the value that was left out",
        arguments: [
            (#"{"id": 1, "years": "x"}"#, "$.years", "$.years"),
            (#"{"id": 1, "meta": {"age": "x"}}"#, "$.meta.age", "$.meta.age"),
            (#"{"id": 1, "meta": 7}"#, "$.meta.age", "$.meta"),
        ]
    )
    func places(text: String, dropped: String, cause: String) throws {
        let json = try Json(parsing: text)
        for unknownKeys in [MappingPolicy.UnknownKeys.ignore, .report] {
            var policy = MappingPolicy.salvaging
            policy.unknownKeys = unknownKeys
            let mapped = mapping(policy) { try Entry.from(raw: json) }
            #expect(mapped.value?.id == 1 && mapped.value?.age == nil)
            let issues = mapped.issues.filter { $0.kind == .dropped }
            #expect(issues.map(\.path.description) == [dropped], "\(unknownKeys)")
            #expect(issues.flatMap(\.causes).map(\.path.description) == [cause], "\(unknownKeys)")
        }
    }

    struct ClashEntry: Codable, RawMappable {
        var first = 1
        var second = 2
        var third = 3
        var z = 4

        enum CodingKeys: String, PathCodingKey {
            case first, second, third, z
            static let paths: [CodingKeys: [String]] = [.first: ["x.y"], .second: ["x.y"], .third: ["z"]]
        }
    }

    @Test("two properties that are written at one path are reported, and the last one counts")
    func twoPropertiesAtOnePath() {
        let mapped = mapping(.standard) { try ClashEntry().toRaw() }
        #expect(mapped.value == ["x": ["y": 2], "z": 4])
        #expect(mapped.issues.map(\.kind) == [.keyClash, .keyClash])
        #expect(mapped.issues.map(\.path.description) == ["$.x.y", "$.z"])
        let refused = mapping(.strict) { try ClashEntry().toRaw() }.error as? MappingError
        #expect(refused?.issues.map(\.path.description) == ["$.x.y", "$.z"])
        #expect(refused?.issues.map(\.kind) == [.keyClash, .keyClash])
    }
}

@Suite("Property names of values with paths", .smallStack)
struct PathPropertyNameTests {
    enum Size: DefaultProvider { static let defaults = Defaults(ifMissing: 3, ifInvalid: 9) }
    enum Kind: String, OpenEnum { case small, large }

    struct Entry: Codable, RawMappable {
        @Default<Size> var pageSize: Int
        @Formatted<Lenient<Int>> var count: Int
        @Lossy var names: [String]
        let kind: Open<Kind>

        enum CodingKeys: String, PathCodingKey {
            case pageSize, count, names, kind
            static let paths: [CodingKeys: [String]] = [
                .pageSize: ["meta.pageSize", "oldSize"], .count: ["meta.count", "oldCount"],
                .names: ["meta.names", "oldNames"], .kind: ["meta.kind", "oldKind"],
            ]
        }
    }

    private func conventions(_ naming: KeyNaming?) -> CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = naming
        return conventions
    }

    @Test("a warning at a path has the name of the property, with a naming and without", arguments: [true, false])
    func warnings(hasNaming: Bool) throws {
        let json: Json =
            hasNaming
            ? ["old_size": "s", "old_count": "7", "old_names": ["a", 1], "old_kind": "huge"]
            : ["oldSize": "s", "oldCount": "7", "oldNames": ["a", 1], "oldKind": "huge"]
        for unknownKeys in [MappingPolicy.UnknownKeys.ignore, .report] {
            var policy = MappingPolicy.standard
            policy.unknownKeys = unknownKeys
            let mapped = mapping(policy, conventions(hasNaming ? .snakeCase : nil)) { try Entry.from(raw: json) }
            let entry = try #require(mapped.value)
            #expect(entry.pageSize == 9 && entry.count == 7 && entry.names == ["a"])
            let named = mapped.issues.filter { $0.path.components.count == 1 }
            #expect(named.map(\.propertyName) == ["pageSize", "count", "kind"], "\(unknownKeys)")
            let keys = ["old_size", "old_count", "old_kind"]
            #expect(named.map(\.jsonKey) == (hasNaming ? keys : ["oldSize", "oldCount", "oldKind"]))
            // The element of a list is no property.
            #expect(mapped.issues.filter { $0.path.components.count == 2 }.map(\.propertyName) == [nil])
            #expect(mapped.issues.first?.causes.map(\.propertyName) == ["pageSize"])
            #expect(mapped.issues.first?.message.components(separatedBy: "(property pageSize)").count == 2)
        }
    }

    @Test("the error of a lost list at a path has the name of the property")
    func lostList() throws {
        let json: Json = ["old_count": 7, "old_names": [1, 2], "old_kind": "small"]
        let failed = mapping(.standard, conventions(.snakeCase)) { try Entry.from(raw: json) }
        let issue = (failed.error as? MappingError)?.issues.first
        #expect(issue?.kind == .tooManyDropped && issue?.propertyName == "names")
        #expect(issue?.path.description == "$.old_names" && issue?.jsonKey == "old_names")
    }

    struct SizeEntry: Codable, RawMappable {
        @Default<Size> var pageSize: Int

        enum CodingKeys: String, PathCodingKey {
            case pageSize
            static let paths: [CodingKeys: [String]] = [.pageSize: ["meta.pageSize"]]
        }
    }

    @Test(
        "a default for invalid values also replaces a value whose path leads through a number, under every policy",
        arguments: [MappingPolicy.standard, .salvaging, .collectingAll()]
    )
    func defaultBehindNumber(policy: MappingPolicy) {
        let mapped = mapping(policy) { try SizeEntry.from(raw: ["meta": 7]) }
        #expect(mapped.value?.pageSize == 9 && mapped.error == nil)
        #expect(mapped.issues.map(\.kind) == [.usedDefault])
        #expect(mapped.issues.map(\.path.description) == ["$.meta.pageSize"])
        #expect(mapped.issues.flatMap(\.causes).map(\.path.description) == ["$.meta"])
    }

    @Test("a policy that treats warnings as errors does not use the default")
    func strictDefaultBehindNumber() {
        let refused = mapping(.strict) { try SizeEntry.from(raw: ["meta": 7]) }
        #expect((refused.error as? MappingError)?.issues.map(\.kind) == [.usedDefault])
        #expect(refused.issues.map(\.severity) == [.error])
    }

    enum Missing: DefaultProvider { static let defaults = Defaults(ifMissing: 3) }

    struct SalvagedEntry: Codable, RawMappable {
        let age: Int?
        let first: Int?
        @Default<Missing> var pageSize: Int
        let total: Int?

        enum CodingKeys: String, PathCodingKey {
            case age, first, pageSize, total
            static let paths: [CodingKeys: [String]] = [
                .age: ["meta.years"], .first: ["list[0]"], .pageSize: ["meta.size"], .total: ["meta.sum", "sum"],
            ]
        }
    }

    @Test("what is left out, and a second value, have the name of the property, too")
    func leftOut() {
        let json: Json = ["meta": ["years": "x", "size": "x", "sum": 1], "list": ["x"], "sum": 2]
        let mapped = mapping(.salvaging) { try SalvagedEntry.from(raw: json) }
        #expect(mapped.value?.pageSize == 3 && mapped.value?.total == 1)
        let names = mapped.issues.map { "\($0.kind) \($0.path) \($0.propertyName ?? "-")" }
        #expect(
            names.sorted() == [
                "dropped $.list[0] first", "dropped $.meta.size pageSize", "dropped $.meta.years age",
                "key clash $.sum total",
            ]
        )
    }

    struct PagedEntry: Codable, RawMappable {
        @Default<Missing> var pageSize: Int

        enum CodingKeys: String, PathCodingKey {
            case pageSize
            static let paths: [CodingKeys: [String]] = [.pageSize: ["metaData.sizeOfPage", "oldSize"]]
        }
    }

    @Test(
        "a value behind a number that is left out has the name of its property",
        arguments: [nil, KeyNaming.snakeCase]
    )
    func leftOutBehindANumber(naming: KeyNaming?) throws {
        let json: Json = naming == nil ? ["metaData": 7] : ["meta_data": 7]
        let mapped = mapping(.salvaging, conventions(naming)) { try PagedEntry.from(raw: json) }
        #expect(mapped.value?.pageSize == 3)
        #expect(mapped.issues.map(\.kind) == [.dropped])
        #expect(mapped.issues.map(\.propertyName) == ["pageSize"])
        #expect(mapped.issues.first?.description.contains("property sizeOfPage") == false)
    }

    @Test("a clash of a value that is left out is reported once by a decoder of the app")
    func leftOutWithAClash() {
        let json: Json = ["metaData": ["sizeOfPage": "x"], "oldSize": 4]
        let mapped = mapping(.salvaging) { try JsonDecoder().decode(PagedEntry.self, from: json) }
        #expect(mapped.value?.pageSize == 3)
        #expect(mapped.issues.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.dropped, .keyClash])
    }

    enum Colour: String, OpenEnum {
        case red
        static let isFrozen = true
    }
    enum MissingColour: DefaultProvider { static let defaults = Defaults(ifMissing: Open<Colour>.known(.red)) }

    struct ColourEntry: Codable, RawMappable {
        @Default<MissingColour> var colour: Open<Colour>
        let id: Int

        enum CodingKeys: String, PathCodingKey {
            case colour, id
            static let paths: [CodingKeys: [String]] = [.colour: ["meta.colour"]]
        }
    }

    @Test("the error of a field with a default hides no other error")
    func allErrors() {
        let json: Json = ["meta": ["colour": "x"], "id": "y"]
        let failed = mapping(.collectingAll()) { try ColourEntry.from(raw: json) }
        let issues = (failed.error as? MappingError)?.issues ?? []
        #expect(issues.map(\.path.description) == ["$.meta.colour", "$.id"])
        #expect(issues.map(\.propertyName) == ["colour", "id"])
    }

    struct BrokenEntry: Codable, RawMappable {
        @Default<Size> var size: Int

        enum CodingKeys: String, PathCodingKey {
            case size
            static let paths: [CodingKeys: [String]] = [.size: ["meta..size"]]
        }
    }

    @Test("a default does not replace a path in the code that is none")
    func brokenPath() {
        let failed = mapping { try BrokenEntry.from(raw: ["meta": ["size": 1]]) }
        #expect((failed.error as? MappingError)?.issues.first?.kind == .brokenRule)
    }
}

@Suite("Paths through null", .smallStack)
struct PathThroughNullTests {
    struct Entry: Codable, RawMappable {
        let x: Json

        enum CodingKeys: String, PathCodingKey {
            case x
            static let paths: [CodingKeys: [String]] = [.x: ["a.b", "c"]]
        }
    }

    @Test(
        "a null at the end of a path counts before one on the way",
        arguments: [
            (#"{"c":null}"#, Json.null), (#"{"a":{},"c":null}"#, .null), (#"{"a":{"b":null},"c":null}"#, .null),
            (#"{"a":null,"c":null}"#, .null), (#"{"a":null,"c":5}"#, 5), (#"{"a":null}"#, nil), ("{}", nil),
        ] as [(String, Json?)]
    )
    func order(text: String, value: Json?) throws {
        let json = try Json(parsing: text)
        #expect((try? Entry.from(raw: json))?.x == value)
    }
}
