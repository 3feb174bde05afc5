import Foundation
import Testing

@testable import Bilayer

/// Keys of a naming are looked up by their bytes. The values and the reported issues must be those of a look-up by
/// name.
@Suite("Key naming: look-up", .smallStack)
struct KeyNamingLookupTests {
    struct Entry: Decodable, Equatable {
        var userName: Int?
        var userURL: Int?
        var id: Int?
        var lastSeenAt: Int?
        var inner: [Entry]?
    }

    /// Two properties with one key.
    struct ClashEntry: Decodable, Equatable {
        var id: Int?
        var userURL: Int?
        var userUrl: Int?
    }

    struct OneEntry: Decodable, Equatable { var userName: Int }

    private static let keys = [
        "user_name", "userName", "user_url", "userURL", "userUrl", "id", "last_seen_at", "lastSeenAt", "other",
        "user\\u005fname",
    ]

    private static func object(_ random: inout SplitMix64, _ inner: String) -> String {
        var members = (0..<random.next(below: 7))
            .map { _ in
                "\"\(keys[random.next(below: keys.count)])\":\(random.next(below: 100))"
            }
        if !inner.isEmpty { members.insert("\"inner\":[\(inner)]", at: random.next(below: members.count + 1)) }
        return "{\(members.joined(separator: ","))}"
    }

    private static func list(_ random: inout SplitMix64) -> String {
        let objects = (0..<6)
            .map { _ in
                object(&random, random.next(below: 3) == 0 ? object(&random, "") : "")
            }
        return "[\(objects.joined(separator: ","))]"
    }

    private func expectSame<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String, _ note: String) {
        var fast = JsonDecoder()
        fast.keys = .naming(.snakeCase)
        var byName = fast
        byName.optimizations = .all.subtracting(.keyTables)
        let data = Data(text.utf8)
        let expected = mapping { try byName.decode(type, from: data) }
        let mapped = mapping { try fast.decode(type, from: data) }
        #expect(mapped.value == expected.value, "\(note): \(text)")
        #expect(
            mapped.issues.map(\.description).sorted() == expected.issues.map(\.description).sorted(),
            "\(note): \(text)"
        )
    }

    @Test("random objects are read, and clashes reported, as by name", arguments: 0..<300 as Range<UInt64>)
    func randomObjects(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let text = Self.list(&random)
        expectSame([Entry].self, text, "seed \(seed)")
        expectSame([ClashEntry].self, text, "seed \(seed)")
    }

    @Test("a session goes from one naming to another, and to none")
    func severalNamings() throws {
        let texts = [#"[{"user_name":1}]"#, #"[{"user-name":2}]"#, #"[{"USERNAME":3}]"#, #"[{"userName":4}]"#]
        let namings: [KeyNaming?] = [.snakeCase, .kebabCase, KeyNaming { $0.uppercased() }, nil]
        for _ in 0..<3 {
            for (number, (text, naming)) in zip(texts, namings).enumerated() {
                var decoder = JsonDecoder()
                if let naming { decoder.keys = .naming(naming) }
                #expect(try decoder.decode([OneEntry].self, from: Data(text.utf8)) == [OneEntry(userName: number + 1)])
                // The property's own name is read under each naming.
                #expect(try decoder.decode([OneEntry].self, from: Data(texts[3].utf8)) == [OneEntry(userName: 4)])
            }
            var decoder = JsonDecoder()
            decoder.keys = .convertFromSnakeCase
            #expect(try decoder.decode([OneEntry].self, from: Data(texts[0].utf8)) == [OneEntry(userName: 1)])
        }
    }
}
