import Bilayer
import Foundation
import Testing

private struct Ticket: Codable, Equatable, RawMappable {
    enum Status: String, OpenEnum { case open, closed }
    let ticketId: Int
    let status: Open<Status>
    let note: String?
    @Lossy var tags: [String]
    let createdAt: Date
}

/// A ticket with a `from(raw:)` and a `toRaw()` of its own, so that each is read and written by itself.
private struct TicketAlone: RawMappable {
    let ticket: Ticket
    static func from(raw: Json) throws -> TicketAlone { TicketAlone(ticket: try Ticket.from(raw: raw)) }
    func toRaw() throws -> Json { try ticket.toRaw() }
}

private func conventions() -> CodingConventions {
    var conventions = CodingConventions()
    conventions.keys = .snakeCase
    conventions.scalars.register(Date.self, as: .firstOf(.rfc3339, .unixSeconds))
    return conventions
}

extension SplitMix64 {
    /// A member's value: in seven of eight cases the good one.
    fileprivate mutating func value(_ good: Json, _ others: [Json]) -> Json {
        next(below: 8) == 0 ? others[next(below: others.count)] : good
    }

    fileprivate mutating func ticket() -> Json {
        var ticket: Json = [
            "ticket_id": value(7, ["x", .null, 1.5]),
            "status": value("open", ["lost", 1]),
            "note": value("n", [.null, 3]),
            "tags": value(["a", "b"], [["a", 1], 2, []]),
            "created_at": value("2026-11-21T09:41:00Z", [0, "soon", .null]),
        ]
        if next(below: 12) == 0 { ticket["ticket_id"] = nil }
        return next(below: 20) == 0 ? "no ticket" : ticket
    }
}

/// The issues as texts that can be compared. They name the element's type, so one of the two names is replaced.
private func lines(of issues: [MappingIssue]) -> [String] {
    issues.map { issue in
        "\(issue.severity) \(issue.kind) \(issue.path) \(issue.message) \(lines(of: issue.causes))"
            .replacingOccurrences(of: "TicketAlone", with: "Ticket")
    }
}

@Suite("Lists of Codable entries: read and written in one go, as if each element was alone")
struct EntryListsTests {
    @Test("values, errors and warnings are those of the elements alone", arguments: 0..<40 as Range<UInt64>)
    func likeAlone(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let policies: [MappingPolicy] = [.standard, .salvaging, .strict, .collectingAll()]
        for round in 0..<15 {
            let elements = (0..<random.next(below: 6)).map { _ in random.ticket() }
            let json = try Json(parsing: Json(elements).serialized())
            for policy in policies {
                let together = mapping(policy, conventions()) { try [Ticket].from(raw: json) }
                let alone = mapping(policy, conventions()) { try [TicketAlone].from(raw: json) }
                let place: Comment = "seed \(seed), round \(round), \(policy): \(json)"
                #expect(together.value == alone.value?.map(\.ticket), place)
                #expect(lines(of: together.issues) == lines(of: alone.issues), place)
                #expect((together.error == nil) == (alone.error == nil), place)
            }
        }
    }

    @Test("a policy for unknown keys tells them for each element")
    func unknownKeys() throws {
        struct Point: Codable, RawMappable { let x: Int }
        var policy = MappingPolicy.standard
        policy.unknownKeys = .report
        let json = try Json(parsing: #"[{"x":1},{"x":2,"y":3},{"x":4,"z":5}]"#)
        let mapped = mapping(policy) { try [Point].from(raw: json) }
        #expect(mapped.value?.map(\.x) == [1, 2, 4])
        #expect(mapped.lines == ["warning unknown key $[1].y", "warning unknown key $[2].z"])
    }

    @Test("an entry that fails leaves nothing behind for the next one")
    func afterAFailure() throws {
        struct Inner: Codable, RawMappable { let name: String }
        struct Outer: Codable, RawMappable { let inner: [Inner] }
        let json = try Json(
            parsing: #"[{"inner":[{"name":"a"}]},{"inner":[{"name":"b"},{}]},{"inner":[{"name":"c"}]}]"#
        )
        let mapped = mapping(.salvaging) { try [Outer].from(raw: json) }
        #expect(mapped.value?.map { $0.inner.map(\.name) } == [["a"], ["b"], ["c"]])
        #expect(mapped.lines == ["warning dropped $[1].inner[1]"])
    }

    @Test("a written list is the same whether its type was written before or not")
    func writtenTwice() throws {
        struct Nothing: Codable, RawMappable {}
        struct Point: Codable, RawMappable { let userName: Double }
        let first = mapping(.standard, conventions()) { try [Point(userName: 1), Point(userName: 2)].toRaw() }
        let second = mapping(.standard, conventions()) { try [Point(userName: 1), Point(userName: 2)].toRaw() }
        #expect(first.value == [["user_name": 1], ["user_name": 2]])
        #expect(second.value?.serialized() == first.value?.serialized())
        for _ in 0..<2 { #expect(try [Nothing(), Nothing()].toRaw() == [[:], [:]]) }
    }

    @Test("each element is written once, in the first list of its type and in the second")
    func writtenOnce() throws {
        for _ in 0..<2 {
            let elements = [CountedWrites(), CountedWrites(), CountedWrites()]
            #expect(try elements.toRaw() == [["writes": 1], ["writes": 1], ["writes": 1]])
            #expect(elements.map(\.writes) == [1, 1, 1])
        }
    }

    @Test("an error while writing has the element's path, the second time, too")
    func unwritable() throws {
        struct Point: Codable, RawMappable {
            let x: Double
            @Formatted<RFC3339> var at: Date
        }
        let good = Point(x: 1, at: Date(timeIntervalSince1970: 0))
        let noNumber = Point(x: .nan, at: good.at)
        let noDate = Point(x: 1, at: .distantFuture.addingTimeInterval(1e12))
        _ = try [good, good].toRaw()
        for (bad, path) in [(noNumber, "$[1].x"), (noDate, "$[1].at")] {
            let messages = (0..<2)
                .map { _ in mapping { try [good, bad, good].toRaw() } }
                .map { mapped -> [String] in
                    #expect(mapped.value == nil)
                    return mapped.issues.map { "\($0.path) \($0.message)" }
                }
            #expect(messages[0] == messages[1])
            #expect(messages[0].first?.hasPrefix(path) == true, "\(messages[0])")
        }
    }

    @Test("elements that are subclasses are written as what they are")
    func subclasses() throws {
        #expect(try [ListedBase(), ListedLeaf()].toRaw() == [["base": 1], ["base": 1, "leaf": 2]])
        #expect(try [ListedBase(), ListedLeaf()].toRaw() == [["base": 1], ["base": 1, "leaf": 2]])
    }
}

private class ListedBase: Encodable, RawEncodable {
    var base = 1
}

private final class ListedLeaf: ListedBase {
    enum Key: CodingKey { case leaf }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(2, forKey: .leaf)
    }
}

/// An entry that counts how often it is written.
private final class CountedWrites: Encodable, RawEncodable {
    private enum Key: CodingKey { case writes }
    private(set) var writes = 0

    func encode(to encoder: any Encoder) throws {
        writes += 1
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(writes, forKey: .writes)
    }
}
