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
