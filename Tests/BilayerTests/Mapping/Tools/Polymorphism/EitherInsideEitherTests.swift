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

private protocol Chained {
    static var key: String { get }
}

private enum Left: Chained { static let key = "a" }
private enum Right: Chained { static let key = "b" }

/// A link that reads its own field after the rest of the chain, so that a bad field fails late.
private final class Link<Side: Chained>: Decodable, RawDecodable, Sendable {
    let next: Either<Link<Left>, Link<Right>>?

    init(from decoder: any Decoder) throws {
        Readings.current?.add()
        let container = try decoder.container(keyedBy: LinkKey.self)
        next = try container.decodeIfPresent(Either<Link<Left>, Link<Right>>.self, forKey: LinkKey("next"))
        _ = try container.decode(Int.self, forKey: LinkKey(Side.key))
    }
}

/// A link that is read by hand.
private final class HandLink<Side: Chained>: RawDecodable, Sendable {
    let next: Either<HandLink<Left>, HandLink<Right>>?

    private init(_ next: Either<HandLink<Left>, HandLink<Right>>?) { self.next = next }

    static func from(raw: Json) throws -> HandLink {
        Readings.current?.add()
        let link = HandLink(try raw.decodeIfPresent("next"))
        _ = try raw.decode(Side.key) as Int
        return link
    }
}

/// A link that a tag chooses, and that is read by itself within an entry.
private enum Tagged: Discriminated, Decodable {
    case link(TaggedLink<Left>)
    static let discriminator = Discriminator<Tagged>.on("type", ["link": { .link(try .from(raw: $0)) }])
}

private final class TaggedLink<Side: Chained>: Decodable, RawDecodable, Sendable {
    let next: Either<Tagged, TaggedLink<Right>>?

    init(from decoder: any Decoder) throws {
        Readings.current?.add()
        let container = try decoder.container(keyedBy: LinkKey.self)
        next = try container.decodeIfPresent(Either<Tagged, TaggedLink<Right>>.self, forKey: LinkKey("next"))
        _ = try container.decode(Int.self, forKey: LinkKey(Side.key))
    }
}

/// A link whose next links are in a list. The `init(from:)` is the synthesized one, but counts.
private final class ListLink: Decodable, RawDecodable, Sendable {
    let value: Int
    let next: Either<[ListLink], String>?

    enum CodingKeys: String, CodingKey { case value, next }

    init(from decoder: any Decoder) throws {
        Readings.current?.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decode(Int.self, forKey: .value)
        next = try container.decodeIfPresent(Either<[ListLink], String>.self, forKey: .next)
    }
}

private struct LinkKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

private let reporting: MappingPolicy = {
    var policy = MappingPolicy.standard
    policy.unknownKeys = .report
    return policy
}()

/// The second type reads the inner values again that the first type has read. If each reading made the choice inside
/// anew, the work would double with each level, and these tests would not end.
@Suite("One of two types inside one of two types")
struct EitherInsideEitherTests {
    private static let policies: [MappingPolicy] = [.standard, reporting, .strict, .salvaging, .collectingAll()]
    private let levels = 50

    private func chain(_ link: String, end: String) throws -> Json {
        var text = "{\(end)}"
        for _ in 0..<levels { text = #"{"type":"link","next":\#(text),\#(link)}"# }
        return try Json(parsing: text)
    }

    private func readings<Value: RawDecodable>(
        of json: Json,
        as type: Value.Type,
        _ policy: MappingPolicy
    ) -> (count: Int, mapped: Mapped<Value>) where Value.Raw == Json {
        let readings = Readings()
        let mapped = Readings.$current.withValue(readings) { mapping(policy) { try Value.from(raw: json) } }
        return (readings.count, mapped)
    }

    /// The most readings that are allowed: a few of each value for each level around it.
    private var most: Int { 8 * levels * levels }

    @Test("where each first type fails after all inside, the second is chosen", arguments: policies)
    func second(policy: MappingPolicy) throws {
        let json = try chain(#""a":"x","b":1"#, end: #""type":"link","a":"x","b":1"#)
        let entries = readings(of: json, as: Either<Link<Left>, Link<Right>>.self, policy)
        let hands = readings(of: json, as: Either<HandLink<Left>, HandLink<Right>>.self, policy)
        let tagged = readings(of: json, as: Either<Tagged, TaggedLink<Right>>.self, policy)
        #expect(max(entries.count, hands.count, tagged.count) <= most)
        // Under the strict policy no link of an entry may have a key of the other type.
        let isStrict = policy == .strict
        #expect((entries.mapped.value == nil) == isStrict && (tagged.mapped.value == nil) == isStrict)
        var (link, count) = (entries.mapped.value?.second, 0)
        while let next = link {
            count += 1
            link = next.next?.second
        }
        #expect(count == (isStrict ? 0 : levels + 1))
        var (hand, handCount) = (hands.mapped.value?.second, 0)
        while let next = hand {
            handCount += 1
            hand = next.next?.second
        }
        #expect(handCount == levels + 1)
    }

    @Test("where the last value is of neither type, that is the error of the first link", arguments: policies)
    func neither(policy: MappingPolicy) throws {
        let json = try chain(#""a":1,"b":1"#, end: #""type":"link","a":"x","b":"x""#)
        let entries = readings(of: json, as: Link<Left>.self, policy)
        let hands = readings(of: json, as: HandLink<Left>.self, policy)
        let tagged = readings(of: json, as: Tagged.self, policy)
        #expect(max(entries.count, hands.count, tagged.count) <= most)
        for mapped in [entries.mapped.lines, hands.mapped.lines, tagged.mapped.lines] {
            if policy == .salvaging {
                #expect(mapped == ["warning dropped $" + String(repeating: ".next", count: levels)])
            } else {
                #expect(mapped.first == "error wrong type $.next")
            }
        }
    }

    @Test("where one type got further, its error is that of the value", arguments: policies.filter { !$0.salvages })
    func further(policy: MappingPolicy) throws {
        let json = try Json(parsing: #"{"a":1,"next":{"a":"x"}}"#)
        let lines = ["error wrong type $.next.a"]
        #expect(mapping(policy) { try Link<Left>.from(raw: json) }.lines == lines)
        #expect(mapping(policy) { try HandLink<Left>.from(raw: json) }.lines == lines)
    }

    /// If the choice of each level read all levels inside again, 80 levels would need 16 times the readings of 20.
    @Test("a bad end of a chain of lists is found with a number of readings that grows with the chain")
    func lists() throws {
        let counts = try [20, 80]
            .map { levels in
                var text = #"{"value":"x"}"#
                for _ in 0..<levels { text = #"{"value":1,"next":[\#(text)]}"# }
                let found = readings(of: try Json(parsing: text), as: ListLink.self, .collectingAll())
                let path = String(repeating: ".next[0]", count: levels)
                #expect(found.mapped.lines == ["error wrong type $\(path).value"])
                return found.count
            }
        #expect(counts[1] < 8 * counts[0], "\(counts)")
    }

    @Test("by the decoder alone, with settings of the app")
    func decoder() throws {
        let json = try chain(#""a":"x","b":1"#, end: #""a":"x","b":1"#)
        let readings = Readings()
        var decoder = Bilayer.JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let link = try Readings.$current.withValue(readings) {
            try decoder.decode(Link<Right>.self, from: json.serialized())
        }
        #expect(link.next?.second?.next?.second != nil)
        #expect(readings.count <= most)
    }

    @Test("a choice is that of its place: two texts in one value are two")
    func embeddedTexts() throws {
        /// Reads a string as a text of its own, whose offsets begin at 0 like those of the outer text.
        struct Embedded: RawDecodable {
            let inner: Either<HandLink<Left>, HandLink<Right>>
            static func from(raw: Json) throws -> Embedded {
                Embedded(inner: try .from(raw: Json(parsing: raw.string ?? "")))
            }
        }
        let json: Json = [#"{"a":"x","b":1}"#, #"{"a":1,"b":"x"}"#, #"{"a":"x","b":1}"#]
        let texts = try Either<[HandLink<Left>], [Embedded]>.from(raw: json).second
        #expect(texts?.map { $0.inner.first != nil } == [false, true, false])
    }
}
