import Bilayer
import Foundation
import Testing

/// Counts how often the reading of a value begins.
private final class Readings: Sendable {
    @TaskLocal static var current: Readings?
    private let total = Locked(0)
    var count: Int { total.withLock { $0 } }
    func add() { total.withLock { $0 += 1 } }
}

/// A tree whose nodes are counted when they are read.
private struct Branch: Decodable, RawDecodable {
    let name: String
    let children: [Branch]?

    enum CodingKeys: CodingKey { case name, children }

    init(from decoder: any Decoder) throws {
        Readings.current?.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        children = try container.decodeIfPresent([Branch].self, forKey: .children)
        name = try container.decode(String.self, forKey: .name)
    }
}

/// Entries by hand inside of `Codable` ones: each is read by itself, with a session of its own.
private enum Branching: Discriminated, Decodable {
    case box(Box)
    case leaf(Leaf)

    struct Box: Decodable, RawDecodable { let children: [Branching] }

    struct Leaf: RawDecodable {
        let name: String

        static func from(raw: Json) throws -> Leaf {
            Readings.current?.add()
            return try Leaf(name: raw.decode("name"))
        }
    }

    static let discriminator = Discriminator<Branching>
        .on("type", ["box": { .box(try .from(raw: $0)) }, "leaf": { .leaf(try .from(raw: $0)) }])
}

private struct Page<Item: Decodable>: Decodable, RawDecodable {
    let items: [Item]
}

/// A list of numbers, or anything else.
private struct Amount: Decodable {
    let numbers: [Int]?
    let other: Json?

    enum CodingKeys: CodingKey { case value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        numbers = try? container.decode([Int].self, forKey: .value)
        other = numbers == nil ? try container.decode(Json.self, forKey: .value) : nil
    }
}

private enum NoTags: DefaultProvider {
    static let defaults = Defaults<[Int]>(ifMissing: [])
}

/// Takes the whole list of lines, or none of them.
private struct Cart: Decodable, RawDecodable {
    struct Line: Decodable {
        let sku: Int
        @Default<NoTags> var tags: [Int]
    }
    let lines: [Line]
    let id: Int

    enum CodingKeys: CodingKey { case lines, id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        lines = (try? container.decode([Line].self, forKey: .lines)) ?? []
        id = try container.decode(Int.self, forKey: .id)
    }
}

private struct Person: Decodable {
    struct Address: Decodable {
        @Default<NoTags> var tags: [Int]
        let city: String
    }
    let name: String
    let address: Address
    let photos: [Int]
}

@Suite("Salvaging reads few values twice")
struct ReadingTwiceTests {
    private func salvage<Value: RawDecodable>(
        _ text: String,
        as type: Value.Type = Value.self
    ) throws -> (value: Value, issues: [String]) where Value.Raw == Json {
        let collected = CollectingReporter()
        let value = try collected.mapping(policy: .salvaging) { try Value.from(raw: Json(parsing: text)) }
        return (value, collected.issues.map(\.description))
    }

    private func readings(of text: String) throws -> Int {
        let readings = Readings()
        _ = try Readings.$current.withValue(readings) { try salvage(text, as: Page<Branch>.self) }
        return readings.count
    }

    private static func list(of count: Int, bad: (Int) -> Bool) -> String {
        "{\"items\":[" + (0..<count).map { "{\"\(bad($0) ? "nome" : "name")\":\"a\"}" }.joined(separator: ",") + "]}"
    }

    @Test("a default for a missing value is no reason to read again: the type chooses as under the standard policy")
    func defaultsChangeNoChoice() throws {
        let cart = try salvage(#"{"lines":[{"sku":1},{"sku":"two","tags":[2]}],"id":1}"#, as: Cart.self)
        #expect(cart.value.lines.isEmpty)
        #expect(cart.issues.isEmpty)
    }

    @Test("the elements before the first bad one, and of bad ones only some", arguments: [1, 20, 200, 1500, 1999])
    func elements(bad: Int) throws {
        let count = 2000
        // The bad elements are spread over the list.
        let text = Self.list(of: count) { ($0 + 1) * bad / count > $0 * bad / count }
        let upToFirstBad = count / bad + 1
        // Every element is read once, and those up to the first bad one once more. Of the bad ones, the first is read
        // again, and one more for every four good ones.
        let most = count + upToFirstBad + 1 + (count - bad) / 4
        let readings = try readings(of: text)
        #expect(readings <= most)
    }

    @Test("of arrays inside each other each value a few times, not once for each level")
    func arraysInsideEachOther() throws {
        let siblings = Array(repeating: "{\"name\":\"a\"}", count: 9).joined(separator: ",")
        var text = "{\"name\":1}"
        let levels = 60
        for _ in 0..<levels { text = "{\"name\":\"n\",\"children\":[\(siblings),\(text)]}" }
        let nodes = levels * 10 + 1
        #expect(try readings(of: "{\"items\":[\(text)]}") <= 4 * nodes)
    }

    @Test(
        "of entries by hand inside of `Codable` ones each leaf at most three times a level",
        arguments: [MappingPolicy.salvaging, .collectingAll()],
        [4, 8, 12]
    )
    func entriesByHand(policy: MappingPolicy, levels: Int) throws {
        var text = #"{"type":"leaf","name":"a"},{"type":"leaf","name":1}"#
        for _ in 0..<levels { text = #"{"type":"box","children":[\#(text)]}"# }
        let json = try Json(parsing: text)
        let readings = Readings()
        let collected = CollectingReporter()
        Readings.$current.withValue(readings) {
            _ = try? collected.mapping(policy: policy) { try Branching.from(raw: json) }
        }
        #expect(readings.count <= 2 * 3 * (levels + 1))
        if policy == .salvaging { #expect(collected.issues.count == 1) }
    }

    @Test("a good element beside a bad one is what the standard policy makes of it")
    func alternatives() throws {
        let good = #"{"value":["1",2]},{"value":[3]}"#
        let (page, issues) = try salvage("{\"items\":[\(good),{},\(good)]}", as: Page<Amount>.self)
        let expected = try Page<Amount>.from(raw: Json(parsing: "{\"items\":[\(good),\(good)]}"))
        #expect(page.items.map(\.numbers) == expected.items.map(\.numbers))
        #expect(page.items.map(\.other) == expected.items.map(\.other))
        #expect(issues == ["$.items[2]: dropped: $.items[2].value: missing, required by Amount"])
    }

    @Test("an issue of a good element keeps the type that declares the field, and is told once")
    func owners() throws {
        let person = #"{"name":"a","address":{"city":"x"},"photos":[1,2]}"#
        let (page, issues) = try salvage("{\"items\":[\(person),{\"name\":1},\(person)]}", as: Page<Person>.self)
        #expect(page.items.count == 2)
        #expect(
            issues == [
                "$.items[1]: dropped: $.items[1].name: wrong type: expected String, found number in Person",
                "$.items[0].address.tags: used default: expected Array<Int>, found nothing in Person.Address",
                "$.items[2].address.tags: used default: expected Array<Int>, found nothing in Person.Address",
            ]
        )
    }
}
