import Foundation
import Testing

@testable import Bilayer

@Suite("Looking up members and elements in any order")
struct LookupHintTests {
    /// Keys of every sort that look-up treats differently: of at most 8 bytes (one machine word), longer, with the same
    /// start, and with escapes.
    static let keys = [
        "", "a", "b", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq",
        "abcdefghijklmnoPq", "abcdefghijklmnopqrstuvwx", "abcdefghiJklmnopqrstuvwx", "abcdefghijklmnopQrstuvwx",
        "abcdefghijklmnopqrstuvwxyzabcdefgh", "abcdefghijklmnopqrSTuvwxyzabcdefgh", "e\u{301}", "\u{E9}", "\"", "\\n",
        "tab\t", "профиль", "id", "name",
    ]

    /// An object with some of the keys, some of them twice. Each value is its own position or null, with nested values
    /// between.
    static func object(_ random: inout SplitMix64) -> (text: String, first: [JsonKey: Int?]) {
        var first: [JsonKey: Int?] = [:]
        var members: [String] = []
        for place in 0..<Int.random(in: 0...24, using: &random) {
            guard let key = keys.randomElement(using: &random) else { continue }
            let value = place % 4 == 3 ? nil : place
            first[JsonKey(text: key)] = first[JsonKey(text: key)] ?? value
            let nested = place % 3 == 0 ? #","\#(place)":[{"id":[1,2]},{}]"# : ""
            members.append(Json(key).serializedText + ":\(value.map(String.init) ?? "null")" + nested)
        }
        return ("{" + members.joined(separator: ",") + "}", first)
    }

    @Test("of equal keys the first one counts, whatever was asked for before", arguments: 0..<200 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, first) = Self.object(&random)
        let json = try Json(parsing: text)
        for _ in 0..<60 {
            guard let key = Self.keys.randomElement(using: &random) else { continue }
            #expect(
                try json.decodeIfPresent(key) == first[JsonKey(text: key)] ?? nil,
                "seed \(seed): \(key) of \(text)"
            )
            #expect(json[key]?.int == first[JsonKey(text: key)] ?? nil, "seed \(seed): \(key) of \(text)")
        }
    }

    @Test(
        "a large object gets no table of its keys while they are read in their order",
        arguments: ["k", "a key of more than 15 bytes "]
    )
    func noTable(start: String) throws {
        let members = (100..<300).map { "\"\(start)\($0)\":\($0)" }.joined(separator: ",")
        let document = try JsonDocument.parse(copying: Array("{\(members)}".utf8), options: IndexOptions())
        let json = Json(document: document)
        for number in 100..<112 { #expect(json["\(start)\(number)"]?.int == number) }
        let makeTable = { document.withNodes { MemberTable($0, of: 0, lastWins: false) } }
        #expect(document.table(of: 0, build: makeTable) == nil)
        for number in (100..<150).reversed() { #expect(json["\(start)\(number)"]?.int == number) }
        #expect(document.table(of: 0, build: makeTable) != nil)
    }

    /// An object of 20 to 60 members. In half of the cases its keys are distinct, otherwise one is repeated.
    static func largeObject(_ random: inout SplitMix64) -> (text: String, first: [String: Int], isDistinct: Bool) {
        var keys = (0..<Int.random(in: 20...60, using: &random))
            .map { $0 % 3 == 0 ? "profile_background_\($0)" : $0 % 7 == 0 ? "\u{E9}\($0)" : "k\($0)" }
        keys.shuffle(using: &random)
        let isDistinct = Bool.random(using: &random)
        if !isDistinct, let key = keys.randomElement(using: &random) { keys.append(key) }
        let members = keys.enumerated().map { Json($1).serializedText + ":\($0)" }
        let first = [String: Int](zip(keys, 0...), uniquingKeysWith: { first, _ in first })
        return ("{" + members.joined(separator: ",") + "}", first, isDistinct)
    }

    @Test("whether all keys are distinct is told", arguments: 0..<200 as Range<UInt64>)
    func distinctKeys(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, _, isDistinct) = Self.largeObject(&random)
        // With blanks at the end: there are no hints for a key among the last bytes of a text.
        let document = try JsonDocument.parse(Data((text + "        ").utf8), options: .init())
        #expect(document.withNodes { $0.keysAreDistinct(in: 0) } == isDistinct, "seed \(seed): \(text)")
    }

    @Test(
        "a large object is read in any order, and keys that are not there are not found",
        arguments: 0..<100 as Range<UInt64>
    )
    func largeObjects(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, first, _) = Self.largeObject(&random)
        let json = try Json(parsing: text)
        let keys = first.keys.sorted() + ["k", "profile_background_", "k1000", "profile_background_1000"]
        // First in the order of the members, as entries read them, and then in random order.
        for key in first.sorted(by: { $0.value < $1.value }).map(\.key)
            + (0..<200).compactMap({ _ in keys.randomElement(using: &random) })
        {
            #expect(try json.decodeIfPresent(key) == first[key], "seed \(seed): \(key) of \(text)")
        }
    }

    @Test("a member may stand farther away than a hint can say")
    func farMembers() throws {
        let filler = "[" + Array(repeating: "[]", count: 30_000).joined(separator: ",") + "]"
        let json = try Json(parsing: #"{"a":1,"filler":\#(filler),"b":2,"c":3,"a":4}"#)
        for _ in 0..<3 {
            for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { #expect(try json.decode(key) == value) }
        }
    }

    @Test("elements of different lengths are found by index in any order", arguments: 0..<50 as Range<UInt64>)
    func anyIndex(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let elements = (0..<Int.random(in: 1...40, using: &random))
            .map { $0 % 2 == 0 ? "\($0)" : #"[\#($0),{"a":[]}]"# }
        let json = try Json(parsing: "[" + elements.joined(separator: ",") + "]")
        for _ in 0..<60 {
            let index = Int.random(in: -1...elements.count, using: &random)
            let expected = elements.indices.contains(index) ? elements[index] : nil
            #expect(json[index]?.serializedText == expected, "seed \(seed), index \(index)")
        }
    }

    @Test("readers that leave hints for each other all find what is there")
    func racingReaders() async throws {
        for round in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: round)
            let (text, first) = Self.object(&random)
            let json = try Json(parsing: "[0,[1],\(text),[2],3]")
            let found = try await withThrowingTaskGroup(of: Bool.self) { readers in
                for reader in 0..<4 as Range<UInt64> {
                    readers.addTask {
                        var random = SplitMix64(seed: round &* 4 &+ reader)
                        return try (0..<40)
                            .allSatisfy { _ in
                                let key = Self.keys.randomElement(using: &random) ?? ""
                                let value: Int? = try json[2]?.decodeIfPresent(key)
                                return value == first[JsonKey(text: key)] ?? nil && json[3]?[0]?.int == 2
                            }
                    }
                }
                return try await readers.reduce(true) { $0 && $1 }
            }
            #expect(found, "round \(round): \(text)")
        }
    }
}

extension Json {
    fileprivate var serializedText: String { String(decoding: serialized(), as: UTF8.self) }
}
