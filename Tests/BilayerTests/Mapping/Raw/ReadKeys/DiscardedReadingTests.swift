import Bilayer
import Foundation
import Testing

private struct SampleEntry: Codable, RawMappable {
    struct Origin: Codable { var name: String? }
    var unit: String?
    var origin: Origin?
    var at: Int
}

private struct NoteEntry: Codable { var at: String }

/// Reads samples. If that fails, it reads the same array as notes, if `readsNotes` is set.
private struct LogEntry: Codable, RawMappable {
    @TaskLocal static var readsNotes = true
    enum CodingKeys: String, CodingKey { case lines, count }
    var lines = 0
    var count: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let samples = try? container.decode([SampleEntry].self, forKey: .lines) {
            lines = samples.count
        } else if Self.readsNotes {
            lines = try container.decode([NoteEntry].self, forKey: .lines).count
        }
        count = try container.decode(Int.self, forKey: .count)
    }
}

private struct OneEntry: Codable { var a: Int }
private struct TwoEntry: Codable { var a, b: Int }
private enum PartKey: CodingKey { case p, n }

/// Reads a member as one type, and afterwards in vain as another.
private struct TwiceEntry<First: Codable & Sendable, Second: Codable & Sendable>: Codable, RawMappable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PartKey.self)
        _ = try container.decode(First.self, forKey: .p)
        _ = try? container.decode(Second.self, forKey: .p)
    }

    func encode(to encoder: any Encoder) throws {}
}

/// Reads a member, and afterwards in vain all members as numbers.
private struct ExtrasEntry: Codable, RawMappable {
    var n: Int
    var extras: [String: Int]

    init(from decoder: any Decoder) throws {
        n = try decoder.container(keyedBy: PartKey.self).decode(Int.self, forKey: .n)
        extras = (try? decoder.singleValueContainer().decode([String: Int].self)) ?? [:]
    }
}

/// Reads a member of a nested container, and afterwards in vain the nested value as a dictionary.
private struct NestedEntry: Codable, RawMappable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PartKey.self)
        _ = try container.nestedContainer(keyedBy: PartKey.self, forKey: .p).decode(Int.self, forKey: .n)
        _ = try? container.decode([String: Int].self, forKey: .p)
    }

    func encode(to encoder: any Encoder) throws {}
}

private struct HeldEntry<Value: Codable & Sendable>: Codable, RawMappable { var xs: Value }

/// Requests its value as an optional.
private struct AskingEntry: Codable, RawMappable {
    enum CodingKeys: CodingKey { case xs }
    var xs: OneEntry?

    init(from decoder: any Decoder) throws {
        xs = try decoder.container(keyedBy: CodingKeys.self).decode(OneEntry?.self, forKey: .xs)
    }
}

@Suite("The keys of a reading whose error a type discards")
struct DiscardedReadingTests {
    private static let lines =
        #"[{"at":"a","unit":"m","new":0},{"at":"b","origin":{"other":1}},{"at":"c"}]"#

    @Test("are neither known nor unknown keys of what is read instead", arguments: [1, "x"] as [Json])
    func readAgain(count: Json) throws {
        let raw = try Json.of(#"[{"lines":\#(Self.lines),"count":\#(count)}]"#)
        let unknown = ["[0].unit", "[0].new", "[1].origin"].map { "error unknown key $[0].lines\($0)" }
        let other = count == 1 ? [] : ["error wrong type $[0].count"]
        let read = mapping(strictCollecting) { try [LogEntry].from(raw: raw) }
        #expect(read.lines == other + unknown)
        #expect(read.issues.filter { $0.kind == .unknownKey }.allSatisfy { $0.owner == "NoteEntry" })
        // Without `collectsAll` the unknown keys are thrown if nothing else fails.
        #expect(mapping(.strict) { try [LogEntry].from(raw: raw) }.lines == (other.isEmpty ? unknown : other))
    }

    @Test("are not unknown keys, if nothing is read instead", arguments: [1, "x"] as [Json])
    func readOnce(count: Json) throws {
        let raw = try Json.of(#"[{"lines":\#(Self.lines),"count":\#(count)}]"#)
        for policy in [strictCollecting, .strict] {
            let read = LogEntry.$readsNotes.withValue(false) {
                mapping(policy) { try [LogEntry].from(raw: raw) }
            }
            #expect(read.lines == (count == 1 ? [] : ["error wrong type $[0].count"]))
        }
    }

    @Test("are unknown keys beside the reading's errors, if the type does not discard them")
    func thrown() throws {
        let raw = try Json.of(Self.lines)
        let read = mapping(strictCollecting) { try [SampleEntry].from(raw: raw) }
        #expect(
            read.lines == [
                "error wrong type $[0].at", "error unknown key $[0].new", "error wrong type $[1].at",
                "error unknown key $[1].origin.other", "error wrong type $[2].at",
            ]
        )
    }

    /// Expects one unknown key at `path`, and nothing else.
    private func expect<Entry: RawDecodable>(
        _ path: String,
        of type: Entry.Type,
        in text: String
    ) throws where Entry.Raw == Json {
        let raw = try Json.of(text)
        var reporting = MappingPolicy.standard
        reporting.unknownKeys = .report
        for policy in [.strict, strictCollecting] {
            #expect(mapping(policy) { try Entry.from(raw: raw) }.lines == ["error unknown key \(path)"], "\(type)")
        }
        #expect(mapping(reporting) { try Entry.from(raw: raw) }.lines == ["warning unknown key \(path)"], "\(type)")
    }

    @Test("are unknown keys of an object that was read before")
    func readBefore() throws {
        try expect("$.p.b", of: TwiceEntry<OneEntry, TwoEntry>.self, in: #"{"p":{"a":1,"b":"x"}}"#)
        try expect("$.p.q", of: TwiceEntry<OneEntry, [String: Int]>.self, in: #"{"p":{"a":1,"q":"x"}}"#)
        try expect("$.p[0].b", of: TwiceEntry<[OneEntry], [TwoEntry]>.self, in: #"{"p":[{"a":1,"b":1},{"a":1}]}"#)
        try expect("$.q", of: ExtrasEntry.self, in: #"{"n":1,"q":"x"}"#)
        try expect("$.p.q", of: NestedEntry.self, in: #"{"p":{"n":1,"q":"x"}}"#)
    }

    @Test("do not hide unknown keys beside an error, whatever the limit", arguments: 1...4)
    func limited(limit: Int) throws {
        let raw = try Json.of(#"{"p":{"a":"x","q":1}}"#)
        var policy = strictCollecting
        policy.issueLimit = limit
        let read = mapping(policy) { try TwiceEntry<OneEntry, TwoEntry>.from(raw: raw) }
        let all = ["error wrong type $.p.a", "error unknown key $.p.q"]
        #expect(read.lines == Array(all.prefix(limit)))
    }

    @Test("are checked beside the errors of an optional entry")
    func optionals() throws {
        func errors<Entry: RawDecodable>(_ type: Entry.Type, _ text: String) throws -> [String]
        where Entry.Raw == Json {
            let raw = try Json.of(text)
            return mapping(strictCollecting) { try Entry.from(raw: raw) }.lines
        }
        let entry = #"{"a":"x","q":1}"#
        func expected(_ place: String) -> [String] { ["error wrong type \(place).a", "error unknown key \(place).q"] }
        #expect(try errors(HeldEntry<OneEntry?>.self, "{\"xs\":\(entry)}") == expected("$.xs"))
        #expect(try errors(HeldEntry<[OneEntry?]>.self, "{\"xs\":[\(entry)]}") == expected("$.xs[0]"))
        #expect(try errors(HeldEntry<[String: OneEntry?]>.self, "{\"xs\":{\"k\":\(entry)}}") == expected("$.xs.k"))
        #expect(try errors(AskingEntry.self, "{\"xs\":\(entry)}") == expected("$.xs"))
    }

    /// Its value for `n` is read from a nested container, whose reading fails.
    private struct InnerEntry: Codable {
        enum CodingKeys: CodingKey { case n }
        enum PartKeys: CodingKey { case a }
        var a: Int?

        init(from decoder: any Decoder) throws {
            let part = try decoder.container(keyedBy: CodingKeys.self)
                .nestedContainer(keyedBy: PartKeys.self, forKey: .n)
            a = try? part.decode(Int.self, forKey: .a)
        }

        func encode(to encoder: any Encoder) throws {}
    }

    private struct OuterEntry: Codable {
        var inner: InnerEntry
        @Lossy var list: [SampleEntry]
        var x: Int
    }

    private struct RootEntry: Codable, RawMappable { var outer: OuterEntry }

    @Test("stay unchecked in a nested container whose reading failed, and in elements that are left out")
    func uncheckedParts() throws {
        let raw = try Json.of(#"{"outer":{"inner":{"n":{"a":"q","b":1}},"list":[{"z":1},{"at":1,"y":0}],"x":"bad"}}"#)
        var reporting = MappingPolicy.collectingAll()
        reporting.unknownKeys = .report
        #expect(
            mapping(reporting) { try RootEntry.from(raw: raw) }.lines.sorted() == [
                "error wrong type $.outer.x", "warning dropped $.outer.list[0]",
                "warning unknown key $.outer.list[1].y",
            ]
        )
    }

    private var strictCollecting: MappingPolicy {
        var policy = MappingPolicy.strict
        policy.collectsAll = true
        return policy
    }
}
