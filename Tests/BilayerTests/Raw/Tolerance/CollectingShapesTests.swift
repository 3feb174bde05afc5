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

@Suite("Collecting: shapes of types and of values")
struct CollectingShapesTests {
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
