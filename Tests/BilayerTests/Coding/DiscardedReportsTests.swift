import Bilayer
import Testing

private enum TriedKey: String, CodingKey { case kept, bad, list, members, nothing }

private struct KeptValues: Decodable { @Lossy var values: [Int] }

/// Reports that it has left out a value, and then misses another one.
private struct BadValues: Decodable {
    @Lossy var values: [Int]
    let missing: Int
}

/// An entry that reads a value with a warning, and then tries another one.
private struct TriedEntry: Decodable, RawDecodable {
    typealias Attempt = @Sendable (any Decoder, KeyedDecodingContainer<TriedKey>) throws -> Void
    @TaskLocal static var attempt: Attempt = { _, _ in }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: TriedKey.self)
        _ = try members.decode(KeptValues.self, forKey: .kept)
        try Self.attempt(decoder, members)
    }
}

@Suite("What a value has reported that then failed does not count, if code discards the error")
struct DiscardedReportsTests {
    private static let text = """
        {"kept":{"values":["x",1]},"bad":{"values":["x",1]},"values":["x",1],"nothing":null,
        "list":[{"values":["x",1],"missing":1},{"values":["x",1]}],
        "members":{"a":{"values":["x",1],"missing":1},"b":{"values":["x",1]}}}
        """

    private static let attempts: [String: TriedEntry.Attempt] = [
        "a member": { _, members in #expect((try? members.decode(BadValues.self, forKey: .bad)) == nil) },
        "an optional member": { _, members in
            #expect((try? members.decodeIfPresent(BadValues.self, forKey: .bad)) == nil)
        },
        "an optional": { _, members in #expect((try? members.decode(BadValues?.self, forKey: .bad)) == nil) },
        "a list": { _, members in #expect((try? members.decode([BadValues].self, forKey: .list)) == nil) },
        "a dictionary": { _, members in
            #expect((try? members.decode([String: BadValues].self, forKey: .members)) == nil)
        },
        "the value itself": { decoder, _ in #expect((try? decoder.singleValueContainer().decode(BadValues.self)) == nil)
        },
        "an element": { _, members in
            var list = try members.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decode(Json.self)
            #expect((try? list.decode(BadValues.self)) == nil)
        },
        "several": { decoder, members in
            for _ in 0..<3 {
                #expect((try? members.decode([BadValues].self, forKey: .list)) == nil)
                #expect((try? decoder.singleValueContainer().decode(BadValues.self)) == nil)
            }
        },
    ]

    @Test("an entry alone", arguments: attempts.keys.sorted(), [MappingPolicy.standard, .collectingAll()])
    func alone(name: String, policy: MappingPolicy) throws {
        let attempt = try #require(Self.attempts[name])
        let mapped = mapping(policy) {
            try TriedEntry.$attempt.withValue(attempt) { try TriedEntry.from(raw: .of(Self.text)) }
        }
        #expect(mapped.value != nil)
        #expect(mapped.lines == ["warning dropped $.kept.values[0]"])
    }

    @Test("entries in a list", arguments: attempts.keys.sorted())
    func inAList(name: String) throws {
        let attempt = try #require(Self.attempts[name])
        let list = "[\(Self.text),\(Self.text)]"
        let mapped = mapping { try TriedEntry.$attempt.withValue(attempt) { try [TriedEntry].from(raw: .of(list)) } }
        #expect(mapped.value?.count == 2)
        #expect(mapped.lines == (0..<2).map { "warning dropped $[\($0)].kept.values[0]" })
    }
}
