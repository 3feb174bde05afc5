import Bilayer
import Foundation
import Testing

private enum Status: String, OpenEnum { case paid }

private struct OrderEntry: Codable, RawMappable {
    enum Count: DefaultProvider { static let defaults = Defaults(ifMissing: 0, ifInvalid: 0) }
    var orderStatus: Open<Status>
    @Default<Count> var itemCount: Int
    @Lossy var openTags: [String]
    @Formatted<Lenient<Int>> var maxAge: Int
    var homeAddress: AddressEntry?

    struct AddressEntry: Codable { var streetName: String }
}

private struct ClashEntry: Codable, RawMappable {
    var userURL: String
    var userUrl: String
}

private struct LinkEntry: Codable, RawMappable { var userURL: String }

private var snakeCase: CodingConventions {
    var conventions = CodingConventions()
    conventions.keys = .snakeCase
    return conventions
}

@Suite("Issues under a key naming")
struct KeyNamingIssuesTests {
    @Test("what was tolerated names the JSON's key and the property")
    func toleratedNames() throws {
        let json = try Json.of(#"{"order_status":"lost","item_count":"x","open_tags":["a",1],"max_age":"7"}"#)
        let mapped = mapping(.standard, snakeCase) { try [OrderEntry].from(raw: [json]) }
        let names = mapped.issues.map { "\($0.kind) \($0.path) \($0.jsonKey ?? "-") \($0.propertyName ?? "-")" }
        #expect(
            names == [
                "unknown value $[0].order_status order_status orderStatus",
                "used default $[0].item_count item_count itemCount",
                "dropped $[0].open_tags[1] - -",
                "coerced $[0].max_age max_age maxAge",
            ]
        )
        #expect(mapped.issues.flatMap(\.causes).map(\.path.description) == ["$[0].item_count", "$[0].open_tags[1]"])
        #expect(mapped.issues.first?.message.contains("(property orderStatus)") == true)
    }

    @Test("the second layer names the keys of a list and of an object that code has made of entries")
    func secondLayerOfMadeContainers() throws {
        struct Order: DTODecodable {
            let street: String
            static func from(dto: OrderEntry) throws -> Order {
                try Order(street: dto.homeAddress.require("homeAddress").streetName)
            }
        }
        let good: Json = ["order_status": "paid", "item_count": 1, "open_tags": [], "max_age": "7"]
        let list = mapping(.standard, snakeCase) { try [Order].from(dto: [OrderEntry].from(raw: [good])) }
        #expect(list.issues.contains { $0.kind == .missing && $0.path.exactDescription == "$[0].home_address" })
        let object = mapping(.standard, snakeCase) {
            try [String: Order].from(dto: [String: OrderEntry].from(raw: ["a": good]))
        }
        #expect(object.issues.contains { $0.kind == .missing && $0.path.exactDescription == "$.a.home_address" })
    }

    @Test("so does what a salvaging or collecting policy finds")
    func tolerated() throws {
        let json = try Json.of(
            #"{"order_status":1,"open_tags":[],"max_age":"x","home_address":{"street_name":7}}"#
        )
        #expect(
            mapping(.collectingAll(), snakeCase) { try OrderEntry.from(raw: json) }.issues.map(\.path.description) == [
                "$.order_status", "$.max_age", "$.home_address.street_name", "$.item_count",
            ]
        )
    }

    @Test("two keys for one property are refused by a strict policy")
    func clashingKeys() throws {
        let json: Json = [["userURL": "camel", "user_url": "snake"]]
        let clash = #"$[0].user_url: key clash: "userURL" is there as well, and was not read"#
        #expect(
            mapping(.standard, snakeCase) { try [LinkEntry].from(raw: json) }.lines == [
                "warning key clash $[0].user_url"
            ]
        )
        let strict = mapping(.strict, snakeCase) { try [LinkEntry].from(raw: json) }
        #expect(strict.lines.first == "error key clash $[0].user_url")
        #expect(strict.issues.first?.description.hasPrefix(clash) == true)
    }

    @Test("errors name the key that was read, if the JSON has the property's name as well")
    func bothSpellings() throws {
        struct ProfileEntry: Codable, RawMappable {
            var maxAge: Int
            var homeAddress: AddressEntry?
            @Formatted<Lenient<Int>> var minAge: Int

            struct AddressEntry: Codable { var streetName: String }
        }
        func told(_ members: String, _ policy: MappingPolicy = .standard) throws -> [String] {
            var object: Json = ["max_age": 1, "min_age": 1]
            let others = try Json(parsing: "{\(members)}")
            for (key, value) in others.members { object[key] = value }
            let json = try Json(parsing: object.serialized())
            return mapping(policy, snakeCase) { try [ProfileEntry].from(raw: [json]) }.issues
                .map { "\($0.kind) \($0.path) \($0.found?.description ?? "-") \($0.propertyName ?? "-")" }
        }
        let clash = "key clash $[0].max_age - -"
        #expect(
            try told(#""max_age":"old","maxAge":7"#).contains("wrong type $[0].max_age string (3 characters) maxAge")
        )
        let address = #""home_address":{"street_name":[]},"homeAddress":{"streetName":"Main Street"}"#
        #expect(
            try told(address).contains("wrong type $[0].home_address.street_name array (0 elements) streetName")
        )
        #expect(try told(#""maxAge":7"#) == [clash])
        #expect(try told(#""maxAge":7"#, .strict) == [clash])
        #expect(try told(#""minAge":7,"min_age":"9""#).contains("coerced $[0].min_age string (1 character) minAge"))
    }

    @Test("what a failed element of a lossy list has used is reported beside its error", arguments: [false, true])
    func infosOfAFailedElement(isFirst: Bool) {
        struct InnerEntry: Codable {
            enum Count: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }
            @Default<Count> var userCount: Int
        }
        struct ElementEntry: Codable {
            var fooBar: InnerEntry
            var bazQux: Int
        }
        struct ListEntry: Codable, RawMappable { @Lossy var itemsList: [ElementEntry] }
        let good = isFirst ? "" : #"{"foo_bar":{"user_count":1},"baz_qux":1},"#
        let text = "[{\"items_list\":[\(good){\"foo_bar\":{},\"baz_qux\":\"bad\"}]}]"
        let place = isFirst ? 0 : 1
        let mapped = mapping(.strict, snakeCase) { try [ListEntry].from(raw: Json.of(text)) }
        #expect(
            mapped.lines == [
                "error wrong type $[0].items_list[\(place)].baz_qux",
                "info used default $[0].items_list[\(place)].foo_bar.user_count",
            ]
        )
    }

    @Test("so is what a failed member of a lossy dictionary has used", arguments: [true, false], [true, false])
    func infosOfAFailedMember(isFirst: Bool, isNamed: Bool) throws {
        struct InnerEntry: Codable {
            enum Count: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }
            @Default<Count> var count: Int
        }
        struct ElementEntry: Codable {
            var inner: InnerEntry
            var other: Int
        }
        struct ShopEntry: Codable, RawMappable { @Lossy var items: [String: ElementEntry] }
        let good = isFirst ? "" : #""one":{"inner":{"count":1},"other":1},"#
        let json = try Json.of(#"[{"items":{\#(good)"two":{"inner":{},"other":"bad"}}}]"#)
        let expected = ["error wrong type $[0].items.two.other", "info used default $[0].items.two.inner.count"]
        let conventions = isNamed ? snakeCase : CodingConventions()
        #expect(mapping(.strict, conventions) { try [ShopEntry].from(raw: json) }.lines == expected)
        // A member that is left out takes with it what it has used.
        #expect(
            mapping(.standard, conventions) { try [ShopEntry].from(raw: json) }.lines
                == (isFirst ? ["error too many dropped $[0].items"] : ["warning dropped $[0].items.two"])
        )
    }

    @Test("a clash is reported once, however often the key is looked up", arguments: [MappingPolicy.standard, .strict])
    func clashOnce(_ policy: MappingPolicy) throws {
        struct ShopEntry: Codable, RawMappable {
            var shopName: String?
            @Default<Floor> var floorNumber: Int
            var openSince: Field<Int>

            enum Floor: DefaultProvider { static let defaults = Defaults(ifMissing: 0, ifInvalid: 0) }
        }
        let json = try Json.of(
            #"{"shop_name":"a","shopName":"b","floor_number":1,"floorNumber":2,"open_since":3,"openSince":4}"#
        )
        let mapped = mapping(policy, snakeCase) { try [ShopEntry].from(raw: [json]) }
        #expect(
            mapped.issues.map(\.path.description) == ["$[0].shop_name", "$[0].floor_number", "$[0].open_since"]
        )
    }

    @Test("a naming is applied once, also if it converts its own keys further")
    func appliedOnce() async throws {
        struct NoteEntry: Codable, RawMappable {
            var title: String
            var author: AuthorEntry?
            struct AuthorEntry: Codable { var name: String }
        }
        struct Note: DTODecodable, Sendable {
            static func from(dto: NoteEntry) throws -> Note {
                _ = try (nil as String?).require("title")
                return Note()
            }
        }
        var prefixed = CodingConventions()
        prefixed.keys = KeyNaming { "x_" + $0 }
        for policy in [MappingPolicy.standard, .strict, .salvaging, .collectingAll()] {
            let missing = mapping(policy, prefixed) { try [NoteEntry].from(raw: [["x_author": ["x_name": "a"]]]) }
            let issue = missing.issues.first.map { $0.causes.first ?? $0 }
            #expect(issue?.path.description == "$[0].x_title")
            #expect(issue?.propertyName == "title" && issue?.jsonKey == "x_title")
        }
        let inner = mapping(.standard, prefixed) { try [NoteEntry].from(raw: [["x_title": "a", "x_author": [:]]]) }
        #expect(inner.issues.map(\.path.description) == ["$[0].x_author.x_name"])
        let upper = mapping(.standard, prefixed) {
            try [Note].from(dto: try [NoteEntry].from(raw: .of(#"[{"x_title":"a"}]"#)))
        }
        #expect(upper.issues.map(\.path.description) == ["$[0].x_title"])
        var client = Client(
            baseURL: URL("https://example.com"),
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("[{}]".utf8)) }
        )
        client.conventions = prefixed
        let collected = CollectingReporter()
        _ = try? await client.fetch(Route<[Note]>.get("notes"), reporter: collected)
        #expect(collected.issues.map(\.path.description) == ["$[0].x_title"])
    }

    @Test("errors of a body that cannot be written name the keys of the JSON")
    func writing() async throws {
        struct PlaceEntry: Codable, RawMappable, Sendable {
            var placeName: String
            var geoPoint: PointEntry
            var byHostName: [String: Double]
            struct PointEntry: Codable, Sendable { var exactLatitude: Double }
        }
        let broken = PlaceEntry(placeName: "a", geoPoint: .init(exactLatitude: .nan), byHostName: [:])
        let written = mapping(.standard, snakeCase) { try [broken].toRaw() }
        #expect(written.issues.map(\.path.description) == ["$[0].geo_point.exact_latitude"])
        #expect(written.issues.first?.propertyName == "exactLatitude")
        let keyed = PlaceEntry(placeName: "a", geoPoint: .init(exactLatitude: 1), byHostName: ["exampleHost": .nan])
        #expect(
            mapping(.standard, snakeCase) { try keyed.toRaw() }.issues.map(\.path.exactDescription)
                == ["$.by_host_name.exampleHost"]
        )
        var client = Client(
            baseURL: URL("https://example.com"),
            transport: AnyNode { _, _ in HTTPResponse(status: 200) }
        )
        client.conventions = snakeCase
        let collected = CollectingReporter()
        for body in [RouteBody.json(broken), .form(broken)] {
            try? await client.fetch(Route<Void>.post("places", body: body), reporter: collected)
        }
        _ = try? await client.fetch(Route<Void>.post("places", body: broken), reporter: collected)
        #expect(
            collected.issues.map(\.path.description)
                == Array(repeating: "$.geo_point.exact_latitude", count: 3)
        )
    }

    @Test("a key that a naming finds is no unknown key")
    func unknownKeys() throws {
        #expect(mapping(.strict, snakeCase) { try LinkEntry.from(raw: ["user_url": "a"]) }.value?.userURL == "a")
        let more: Json = ["user_url": "a", "userID": 1, "other_url": 2]
        #expect(
            mapping(.strict, snakeCase) { try LinkEntry.from(raw: more) }.lines == [
                "error unknown key $.userID", "error unknown key $.other_url",
            ]
        )
    }

    @Test("two properties with one key are refused by a strict policy, reading and writing")
    func clashingProperties() throws {
        let json: Json = [["user_url": "a"]]
        #expect(
            mapping(.strict, snakeCase) { try [ClashEntry].from(raw: json) }.lines == ["error key clash $[0].user_url"]
        )
        let entries = [ClashEntry(userURL: "a", userUrl: "b")]
        #expect(mapping(.standard, snakeCase) { try entries.toRaw() }.lines == ["warning key clash $[0].user_url"])
        #expect(mapping(.strict, snakeCase) { try entries.toRaw() }.lines == ["error key clash $[0].user_url"])
        #expect(mapping(.strict, snakeCase) { try [LinkEntry(userURL: "a")].toRaw() }.value == json)
    }

    @Test("the upper layer names the JSON's keys, too")
    func upperLayer() async throws {
        struct Address: DTODecodable, Sendable {
            let street: String
            static func from(dto: OrderEntry.AddressEntry) throws -> Address {
                try Address(street: (dto.streetName.isEmpty ? nil : dto.streetName).require("streetName"))
            }
        }
        struct Order: DTODecodable, Sendable {
            let age: Int
            static func from(dto: OrderEntry) throws -> Order {
                _ = try Address?.from(dto: dto.homeAddress, at: "homeAddress")
                return Order(age: Int?.none.default(0, "maxAge"))
            }
        }
        func told(street: String) async -> [MappingIssue] {
            let body =
                #"[{"order_status":"paid","item_count":1,"open_tags":[],"max_age":7,"home_address":{"street_name":"\#(street)"}}]"#
            var client = Client(
                baseURL: URL("https://example.com"),
                transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data(body.utf8)) }
            )
            client.conventions = snakeCase
            let collected = CollectingReporter()
            _ = try? await client.fetch(Route<[Order]>.get("orders"), reporter: collected)
            return collected.issues
        }
        let missing = try #require(await told(street: "").first)
        #expect(missing.path.description == "$[0].home_address.street_name")
        #expect(missing.propertyName == "streetName" && missing.jsonKey == "street_name")
        let tolerated = try #require(await told(street: "a").first)
        #expect(tolerated.path.description == "$[0].max_age" && tolerated.propertyName == "maxAge")
    }

    @Test("generated names, abbreviations side by side and all: they come back, or two of them are said to clash")
    func roundTrip() throws {
        let parts = ["user", "URL", "ID", "Id", "Url", "a", "B", "2", "HTTP", "s", "IDs", "_", "Straße"]
        for seed in 0..<500 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let names = Set(
                (0..<1 + random.next(below: 4))
                    .map { _ in
                        "x" + (0..<random.next(below: 4)).map { _ in parts[random.next(below: parts.count)] }.joined()
                    }
            )
            let bag = Bag(values: Dictionary(uniqueKeysWithValues: names.sorted().enumerated().map { ($1, $0) }))
            var encoder = JsonEncoder()
            encoder.keys = .naming(.snakeCase)
            var decoder = JsonDecoder()
            decoder.keys = .naming(.snakeCase)
            decoder.userInfo[try #require(Bag.names)] = names
            let keys = names.map { KeyNaming.snakeCase.key(for: $0) }
            let mapped = mapping { try decoder.decode(Bag.self, from: encoder.encode(bag)) }
            if Set(keys).count == keys.count {
                #expect(mapped.value == bag && mapped.issues.isEmpty, "seed \(seed): \(names)")
            } else {
                #expect(mapped.issues.contains { $0.kind == .keyClash }, "seed \(seed): \(names)")
            }
        }
    }
}

/// An object with properties of any names.
private struct Bag: Codable, Equatable {
    static let names = CodingUserInfoKey(rawValue: "names")

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var values: [String: Int]

    init(values: [String: Int]) { self.values = values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        let names = Bag.names.flatMap { decoder.userInfo[$0] } as? Set<String> ?? []
        values = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try container.decode(Int.self, forKey: Name(stringValue: $0))) }
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
