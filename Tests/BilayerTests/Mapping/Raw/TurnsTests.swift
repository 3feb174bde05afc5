import Foundation
import Testing

@testable import Bilayer

private struct TurnEntry: Codable, RawDecodable {
    let lastValue: Int
    let nextTurn: TurnByHand?
}

private indirect enum TurnByHand: CodableByHand {
    case turn(TurnEntry)

    @TaskLocal static var readings = Locked(0)

    static func from(raw: Json) throws -> TurnByHand {
        readings.withLock { $0 += 1 }
        return .turn(try raw.decode("turn_entry"))
    }

    func toRaw() throws -> Json { .null }
}

private struct BranchEntry: Codable, RawDecodable {
    let lastValue: Int
    let branches: [BranchByHand]
}

private indirect enum BranchByHand: CodableByHand {
    case branch(BranchEntry)

    static func from(raw: Json) throws -> BranchByHand {
        TurnByHand.readings.withLock { $0 += 1 }
        return .branch(try raw.decode("branch_entry"))
    }

    func toRaw() throws -> Json { .null }
}

private struct ShelfItem: Codable, RawDecodable {
    let lastValue: Int
    let shelf: ShelfByHand?
}

private indirect enum ShelfByHand: CodableByHand {
    case items([ShelfItem])

    static func from(raw: Json) throws -> ShelfByHand {
        TurnByHand.readings.withLock { $0 += 1 }
        return .items(try raw.decode("all_items"))
    }

    func toRaw() throws -> Json { .null }
}

/// An entry that fails is read again. The entries inside of it are not read once more for each level around them.
@Suite("Types that are read through Codable and by hand in turns")
struct TurnsTests {
    private static let depth = 60

    private static let policies: [(MappingPolicy, MappingIssue.Kind)] = [
        (.salvaging, .dropped), (.collectingAll(), .wrongType),
    ]

    /// Reads entries in entries, of which the innermost has a bad value.
    private func read<Entry: RawDecodable>(
        _ type: Entry.Type,
        innermost: String,
        _ policy: MappingPolicy,
        around: (String) -> String
    ) throws -> (issues: [MappingIssue], readings: Int) where Entry.Raw == Json {
        var text = innermost
        for _ in 0..<Self.depth { text = around(text) }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let json = try Json.of(text)
        let readings = Locked(0)
        let mapped = TurnByHand.$readings.withValue(readings) {
            mapping(policy, conventions) { try Entry.from(raw: json) }
        }
        return (mapped.issues, readings.withLock { $0 })
    }

    @Test("each member is read a few times, and not once for each level around it", arguments: policies)
    func members(policy: MappingPolicy, kind: MappingIssue.Kind) throws {
        let (issues, readings) = try read(TurnEntry.self, innermost: #"{"last_value":"bad"}"#, policy) {
            #"{"last_value":1,"next_turn":{"turn_entry":\#($0)}}"#
        }
        #expect(issues.map(\.kind) == [kind])
        #expect(issues.first?.path.exactDescription.hasPrefix("$.next_turn.turn_entry.next_turn.") == true)
        #expect(readings <= 6 * Self.depth, "\(readings)")
    }

    @Test("each element is read a few times, and not once for each level around it", arguments: policies)
    func elements(policy: MappingPolicy, kind: MappingIssue.Kind) throws {
        let bad = #"{"last_value":"bad","branches":[]}"#
        let (issues, readings) = try read(BranchEntry.self, innermost: bad, policy) {
            #"{"last_value":1,"branches":[{"branch_entry":{"last_value":2,"branches":[]}},{"branch_entry":\#($0)}]}"#
        }
        #expect(issues.map(\.kind) == [kind])
        #expect(issues.first?.path.exactDescription.hasPrefix("$.branches[1].branch_entry.branches[1].") == true)
        #expect(readings <= 12 * Self.depth, "\(readings)")
    }

    @Test("each list by hand is read a few times, and not once for each level around it", arguments: policies)
    func lists(policy: MappingPolicy, kind: MappingIssue.Kind) throws {
        let (issues, readings) = try read(ShelfItem.self, innermost: #"{"last_value":"bad"}"#, policy) {
            #"{"last_value":1,"shelf":{"all_items":[{"last_value":2},\#($0)]}}"#
        }
        #expect(issues.map(\.kind) == [kind])
        #expect(issues.first?.path.exactDescription.hasPrefix("$.shelf.all_items[1].shelf.all_items[1].") == true)
        #expect(readings <= 6 * Self.depth, "\(readings)")
    }
}
