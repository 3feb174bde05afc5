import Bilayer
import Foundation
import Testing

private func errors<Value: RawDecodable>(
    _ type: Value.Type,
    _ text: String,
    unknownKeys: MappingPolicy.UnknownKeys = .ignore,
    _ conventions: CodingConventions = CodingConventions()
) throws -> [String] where Value.Raw == Json {
    let json = try Json.of(text)
    var policy = MappingPolicy.collectingAll(limit: 100_000)
    policy.unknownKeys = unknownKeys
    return mapping(policy, conventions) { try Value.from(raw: json) }.lines
}

private struct Twig: Codable, RawMappable {
    let name: String
    let children: [Twig]
}

private class Creature: Codable {
    let name: String
    let legs: Int
}

private final class Hound: Creature {
    let breed: String
    let age: Int
    enum CodingKeys: CodingKey { case breed, age }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        breed = try container.decode(String.self, forKey: .breed)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: decoder)
    }
}

private struct Pack: Codable, RawMappable { let dogs: [Hound] }

private enum Figure: Codable {
    case circle(radius: Double)
    case box(width: Int, height: Int)
}

private struct Drawing: Codable, RawMappable {
    let shapes: [Figure]
    let rows: [[Int?]]
    let byNumber: [Int: String]
    var patch: Field<Int> = .absent
}

/// An entry some of whose fields are read at paths.
private struct Parcel: Codable, RawMappable {
    enum Kind: String, Codable { case letter, box }
    struct Place: Codable {
        let street: String
        let floor: Int
    }
    enum Weight: DefaultProvider { static var defaults: Defaults<Int> { Defaults(ifMissing: 1) } }
    enum Count: DefaultProvider { static var defaults: Defaults<Int> { Defaults(ifMissing: 1, ifInvalid: 0) } }

    let id: Int
    let kind: Kind
    let place: Place
    let oldPlace: Place?
    @Default<Weight> var weight: Int
    @Default<Count> var count: Int
    let city: String
    let note: String?
    @Formatted<RFC3339> var sent: Date

    enum CodingKeys: String, PathCodingKey {
        case id, kind, place, oldPlace, weight, count, city, note, sent
        static var paths: [CodingKeys: [String]] {
            [
                .kind: ["meta.kind"], .place: ["address.place", "place"], .oldPlace: ["address.old.place"],
                .weight: ["meta.weight"], .city: ["address.city"], .note: ["meta.notes.first"], .sent: ["meta.sent"],
            ]
        }
    }
}

/// A parcel without paths.
private struct PlainParcel: Codable, RawMappable {
    let id: Int
    let kind: Parcel.Kind
    @Default<Parcel.Weight> var weight: Int
    @Default<Parcel.Count> var count: Int
    @Default<Parcel.Weight> var size: Int
    @Lossy var tags: [String]
    let note: Field<String>
    @Formatted<RFC3339> var sent: Date
}

@Suite("Collecting: shapes of types and of values")
struct CollectingShapesTests {
    /// Two faults in one entry are both reported, if each alone is. At each path six values are tried (`values`);
    /// `faultCount` is how many of them are faults there.
    private func expectAll<Value: RawDecodable>(
        _ type: Value.Type,
        of good: Json,
        after example: Json? = nil,
        _ paths: [(path: String, faultCount: Int)]
    )
        throws where Value.Raw == Json
    {
        func faults(_ json: Json, _ policy: MappingPolicy) -> Set<String> {
            let mapped = mapping(policy) {
                if let example { _ = try Value.from(raw: Json(parsing: example.serialized())) }
                return try Value.from(raw: json)
            }
            return Set(mapped.lines.filter { $0.hasPrefix("error") })
        }
        func replaced(_ json: Json, _ keys: ArraySlice<Substring>, _ value: Json?) -> Json {
            guard let key = keys.first.map(String.init) else { return json }
            var object = json
            object[key] = keys.count == 1 ? value : object[key].map { replaced($0, keys.dropFirst(), value) }
            return object
        }
        func broken(_ json: Json, _ path: String, _ value: Json?) throws -> Json {
            try Json(parsing: replaced(json, path.split(separator: ".")[...], value).serialized())
        }
        let values: [Json?] = [nil, .null, "soon", 2.5, [:], ["x"]]
        let faulty =
            try paths.flatMap { path, _ in
                try values.map { value in
                    let alone = faults(try broken(good, path, value), .standard)
                    return (path: path, value: value, alone: alone)
                }
            }
            .filter { !$0.alone.isEmpty }
        for (path, count) in paths {
            #expect(faulty.count { $0.path == path && $0.alone.count == 1 } == count, "\(path)")
        }
        // A fifth of the pairs, to save time.
        for (position, one) in faulty.enumerated() {
            for (number, other) in faulty.enumerated().dropFirst(position) where (position + number) % 5 == 0 {
                if other.path == one.path || other.path.hasPrefix(one.path + ".") { continue }
                let json = try broken(broken(good, one.path, one.value), other.path, other.value)
                let found = faults(json, .collectingAll())
                #expect(
                    found.isSuperset(of: one.alone.union(other.alone)),
                    "\(json) found \(found), expected \(one.alone) and \(other.alone)"
                )
            }
        }
    }

    @Test("entries whose keys have paths, and fields with defaults, report every fault")
    func pathsAndDefaults() throws {
        let place: Json = ["street": "Main Street", "floor": 2]
        let sent: Json = "2026-01-01T00:00:00Z"
        let parcel: Json = [
            "id": 1, "count": 2,
            "meta": ["kind": "box", "weight": 3, "notes": ["first": "a"], "sent": sent],
            "address": ["city": "Bonn", "place": place, "old": ["place": place]],
        ]
        let paths = [
            ("id", 6), ("count", 1), ("meta", 6), ("meta.kind", 6), ("meta.weight", 5), ("meta.notes", 3),
            ("meta.notes.first", 3), ("meta.sent", 6), ("address", 6), ("address.city", 5), ("address.place", 6),
            ("address.place.floor", 6), ("address.old", 3), ("address.old.place", 4), ("address.old.place.street", 5),
        ]
        // There is no placeholder for a whole `Place`, so without an earlier value the reading ends there.
        let placeholders = paths.filter { path, _ in path != "address" && path != "address.place" }
        try expectAll(Parcel.self, of: parcel, placeholders)
        try expectAll(Parcel.self, of: parcel, after: parcel, paths)

        let plain: Json = [
            "id": 1, "kind": "box", "weight": 1, "count": 1, "size": 1, "tags": ["a"], "note": "a", "sent": sent,
        ]
        let keys = [
            ("id", 6), ("kind", 6), ("weight", 5), ("count", 1), ("size", 5), ("tags", 5), ("note", 3), ("sent", 6),
        ]
        try expectAll(PlainParcel.self, of: plain, keys)
        try expectAll(PlainParcel.self, of: plain, after: plain, keys)
    }

    @Test("a default for an invalid value hides no other fault")
    func usedDefaults() throws {
        for members in [#""count":"x","id":"x","kind":7,"size":"x""#, #""id":"x","count":"x","size":"x","kind":7"#] {
            let text = #"{"tags":[],"sent":"2026-01-01T00:00:00Z","note":"a",\#(members)}"#
            let expected = ["error wrong type $.id", "error wrong type $.kind", "error wrong type $.size"]
            let told = try errors(PlainParcel.self, text).filter { $0.hasPrefix("error") }.sorted()
            #expect(told == expected)
        }
    }

    @Test("a recursive type tells all levels, also when it is deeper than the stack")
    func recursive() throws {
        let leaf = #"{"name":1,"children":[]}"#
        #expect(
            try errors(Twig.self, #"{"name":1,"children":[\#(leaf),{"name":"a","children":[\#(leaf),7]}]}"#) == [
                "error wrong type $.name", "error wrong type $.children[0].name",
                "error wrong type $.children[1].children[0].name", "error wrong type $.children[1].children[1]",
            ]
        )
        let depth = 250
        let open = String(repeating: #"{"name":"a","children":["#, count: depth)
        let deep = open + leaf + String(repeating: "]}", count: depth)
        // Whether the error is that of the leaf or that of the stack depends on the size of the stack's frames.
        #expect(try errors(Twig.self, deep).count == 1)
    }

    @Test("a class tells the errors of its superclass, too")
    func classes() throws {
        let good = #"{"breed":"a","age":1,"name":"b","legs":4}"#
        let bad = #"{"breed":1,"age":"x","name":2,"legs":"y"}"#
        #expect(
            Set(try errors(Pack.self, #"{"dogs":[\#(good),\#(bad)]}"#)) == [
                "error wrong type $.dogs[1].breed", "error wrong type $.dogs[1].age", "error wrong type $.dogs[1].name",
                "error wrong type $.dogs[1].legs",
            ]
        )
    }

    @Test("enums with payloads, lists of optionals and other keys of dictionaries")
    func others() throws {
        let text =
            #"{"shapes":[{"circle":{"radius":1}},{"circle":{"radius":"x"}},{"line":{}},7],"rows":[[1,null,"x"],7],"byNumber":{"1":"a","2":2,"x":"b"},"patch":"p"}"#
        let found = Set(try errors(Drawing.self, text))
        #expect(
            found == [
                "error wrong type $.shapes[1].circle.radius", "error wrong type $.shapes[2]",
                "error wrong type $.shapes[3]", "error wrong type $.rows[0][2]", "error wrong type $.rows[1]",
                #"error wrong type $.byNumber["2"]"#, "error invalid value $.byNumber.x", "error wrong type $.patch",
            ]
        )
    }

    @Test("keys of an object that could not be read to its end are not called unknown")
    func unknownKeys() throws {
        enum Kind: String, Codable { case a }
        struct Item: Codable {
            let id: Int
            let kind: Kind
            let name: String
        }
        struct List: Codable, RawMappable { let items: [Item] }
        #expect(
            try errors(List.self, #"{"items":[{"id":1,"kind":"b","name":"n","odd":1}],"more":2}"#, unknownKeys: .fail)
                == [
                    "error invalid value $.items[0].kind", "error unknown key $.more",
                    "error unknown key $.items[0].odd",
                ]
        )
        let good = #"{"id":1,"kind":"a","name":"n"}"#
        #expect(
            try errors(
                List.self,
                #"{"items":[\#(good),{"id":1,"kind":"b","name":"n","odd":1}],"more":2}"#,
                unknownKeys: .fail
            ) == [
                "error invalid value $.items[1].kind", "error unknown key $.more", "error unknown key $.items[1].odd",
            ]
        )
    }

    @Test("a good value that lacks what a field looks for hides no fault, and makes no key unknown")
    func lookedFor() throws {
        enum Zero: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }
        struct Note: Codable, RawMappable {
            let a: Int
            let note: Field<Int>
            @Default<Zero> var n: Int
            let b: Int
        }
        let texts = [
            #"{"a":"x","note":null,"n":1,"b":1}"#, #"{"a":1,"note":"x","b":"y"}"#, #"{"a":"x","n":1,"b":"y"}"#,
            #"{"a":"x","note":"x","n":"x","b":1}"#,
        ]
        func faults(_ text: String) throws -> [String] {
            try errors(Note.self, text, unknownKeys: .fail).filter { $0.hasPrefix("error") }
        }
        let first = try texts.map(faults)
        #expect(
            first == [
                ["error wrong type $.a"], ["error wrong type $.note", "error wrong type $.b"],
                ["error wrong type $.a", "error wrong type $.b"],
                ["error wrong type $.a", "error wrong type $.note", "error wrong type $.n"],
            ]
        )
        for good in [#"{"a":1,"note":null,"b":1}"#, #"{"a":1,"n":1,"b":1}"#, #"{"a":1,"note":2,"n":3,"b":1}"#] {
            #expect(try faults(good).isEmpty)
            #expect(try texts.map(faults) == first)
        }
    }

    @Test(
        "keys of nested containers that could not be read to their end are not called unknown",
        arguments: [MappingPolicy.UnknownKeys.report, .fail]
    )
    func nestedContainers(choice: MappingPolicy.UnknownKeys) throws {
        enum Sketch: Codable, RawMappable { case two(x: Int, y: Int?) }
        struct Framed: Codable, RawMappable {
            let id: Int
            let sketch: Sketch
        }
        let wrong = "error wrong type "
        #expect(
            try errors(Framed.self, #"{"id":1,"sketch":{"two":{"x":"1","y":5}}}"#, unknownKeys: choice)
                == [wrong + "$.sketch.two.x"]
        )
        #expect(
            try errors(NestedPair.self, #"{"box":{"a":"x","b":{"c":1}},"end":1}"#, unknownKeys: choice)
                == [wrong + "$.box.a"]
        )
        #expect(
            try errors(Pup.self, #"{"tail":1,"super":{"leg":"q","arm":1}}"#, unknownKeys: choice)
                == [wrong + "$.super.leg"]
        )
        // A part that is complete is still checked for unknown keys.
        let unknown = choice == .fail ? "error unknown key " : "warning unknown key "
        let mixed = try errors(
            [NestedPair].self,
            #"[{"box":{"a":1,"b":{"c":1,"odd":2}},"end":1},{"box":{"a":1,"b":{"c":1,"odd":2}},"end":"x"}]"#,
            unknownKeys: choice
        )
        #expect(
            mixed.sorted() == [wrong + "$[1].end", unknown + "$[0].box.b.odd", unknown + "$[1].box.b.odd"].sorted()
        )
    }

    @Test("the conventions of a client hold")
    func conventions() throws {
        struct Visit: Codable, RawMappable {
            let startedAt: Date
            let userName: String
            let homeAddress: [String: Int]
        }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        conventions.scalars.register(Date.self, as: .rfc3339)
        #expect(
            try errors(
                Visit.self,
                #"{"started_at":"soon","user_name":1,"home_address":{"zip_code":"x"}}"#,
                unknownKeys: .fail,
                conventions
            ) == [
                "error invalid value $.started_at", "error wrong type $.user_name",
                "error wrong type $.home_address.zip_code",
            ]
        )
    }

    @Test("a list of entries that cannot be read does not hide the next field", arguments: ["{}", #"{"rows":3}"#])
    func listsOfEntries(text: String) throws {
        struct Row: Codable, RawMappable { let id: Int }
        struct Rows: Codable, RawMappable {
            let rows: [Row]
            let named: [String: Row]
            let count: Int
        }
        #expect(try errors(Rows.self, text).map { $0.split(separator: ":")[0] }.count == 3)
    }

    @Test("many errors are found in one pass over the values")
    func many() throws {
        struct Row: Codable, RawMappable {
            let id: Int
            let name: String
        }
        struct Rows: Codable, RawMappable { let rows: [Row] }
        let rows = Array(repeating: #"{"id":"x","name":1}"#, count: 1000).joined(separator: ",")
        #expect(try errors(Rows.self, #"{"rows":[\#(rows)]}"#).count == 2000)
    }

    @Test("tasks that collect at once find the same")
    func concurrent() async throws {
        let text = #"{"name":1,"children":[{"name":2,"children":[{"name":3,"children":7}]}]}"#
        let expected = try errors(Twig.self, text)
        #expect(expected.count == 4)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<16 { group.addTask { try errors(Twig.self, text) } }
            for try await found in group { #expect(found == expected) }
        }
    }
}

/// Reads its fields from a nested container.
private struct NestedPair: Decodable, RawDecodable {
    struct Inner: Decodable { let c: Int }
    private enum Keys: CodingKey { case box, end }
    private enum BoxKeys: CodingKey { case a, b }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let box = try container.nestedContainer(keyedBy: BoxKeys.self, forKey: .box)
        _ = try box.decode(Int.self, forKey: .a)
        _ = try box.decode(Inner.self, forKey: .b)
        _ = try container.decode(Int.self, forKey: .end)
    }
}

private class Limbs: Decodable {
    let leg: Int
    let arm: Int
}

/// Reads its superclass from the member `super`.
private final class Pup: Limbs, RawDecodable {
    private enum Keys: CodingKey { case tail }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        _ = try container.decode(Int.self, forKey: .tail)
        try super.init(from: container.superDecoder())
    }
}

private struct Price: Codable, RawMappable { let amount: Int }

private struct OrderLine: Codable, RawMappable {
    let price: Price
    let sku: String
    let count: Int
}

private struct LinedOrder: Codable, RawMappable {
    let id: Int
    let lines: [OrderLine]
}

/// Reads its line by hand.
private struct HandLine: DecodableByHand {
    let line: OrderLine
    static func from(raw: Json) throws -> HandLine { try HandLine(line: raw.decode("line")) }
}

/// Reads a value by hand with a decoder of the app.
private struct OwnDecoderItem: RawDecodable {
    static func from(raw: Json) throws -> OwnDecoderItem {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        _ = try raw.decode(HandLine.self, using: conventions.decoder)
        return OwnDecoderItem()
    }
}

@Suite("Collecting: what other entries have shown of a type")
struct CollectingExamplesTests {
    private static let empty = #"{"id":1,"lines":[]}"#
    private static let good = #"{"id":2,"lines":[{"price":{"amount":1},"sku":"a","count":1}]}"#
    private static let bad = #"{"id":3,"lines":[{"price":5,"sku":6,"count":"x"}]}"#

    @Test(
        "an entry with empty lists hides nothing",
        arguments: [
            [good, empty, bad], [empty, good, bad], [empty, empty, empty, good, bad], [empty, good, good, good, bad],
        ]
    )
    func emptyLists(entries: [String]) throws {
        let found = try errors([LinedOrder].self, "[\(entries.joined(separator: ","))]")
        let line = "$[\(entries.count - 1)].lines[0]"
        #expect(found == ["price", "sku", "count"].map { "error wrong type \(line).\($0)" })
    }

    @Test("values by hand in a decoder of the app show their types, too")
    func ownDecoder() throws {
        let lines = [#"{"price":{"amount":1},"sku":"a","count":1}"#, #"{"price":5,"sku":6,"count":"x"}"#]
        let list = "[" + lines.map { #"{"line":\#($0)}"# }.joined(separator: ",") + "]"
        #expect(
            try errors([OwnDecoderItem].self, list)
                == ["price", "sku", "count"].map { "error wrong type $[1].line.\($0)" }
        )
    }
}
