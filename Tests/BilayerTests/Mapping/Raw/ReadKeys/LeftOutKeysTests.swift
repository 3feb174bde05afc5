import Bilayer
import Foundation
import Testing

private enum LeftOutSlot: String, OpenEnum {
    case morning
    static let isFrozen = true
}

private struct LeftOutShift: Codable, RawMappable { let hours: Int }

private enum LeftOutDefault: DefaultProvider {
    static let defaults = Defaults<[Open<LeftOutSlot>: LeftOutShift]>(ifMissing: [:], ifInvalid: [:])
}

@Suite("Unknown keys of members that are left out for their keys")
struct LeftOutKeysTests {
    private struct Week: Codable, RawMappable {
        let number: Int?
        let shifts: [Int: LeftOutShift]
    }

    private struct LossyWeek: Codable, RawMappable { @Lossy var shifts: [Int: LeftOutShift] }

    private struct DefaultWeek: Codable, RawMappable {
        @Default<LeftOutDefault> var shifts: [Open<LeftOutSlot>: LeftOutShift]
    }

    private func policy(_ base: MappingPolicy, _ choice: MappingPolicy.UnknownKeys, limit: Int = 100) -> MappingPolicy {
        var policy = base
        policy.unknownKeys = choice
        policy.issueLimit = limit
        return policy
    }

    private let week = #"{"number":1,"shifts":{"monday":{"hours":1,"room":2},"1":{"hours":8}}}"#

    @Test("do not cost an entry under a policy that salvages, however few issues it keeps", arguments: [1, 100, 1_000])
    func salvaging(limit: Int) throws {
        let raw = try Json.of("[" + Array(repeating: week, count: 150).joined(separator: ",") + "]")
        let weeks = mapping(policy(.salvaging, .fail, limit: limit)) { try [Week].from(raw: raw) }
        #expect(weeks.value?.count == 150 && weeks.value?.allSatisfy { $0.shifts.keys.sorted() == [1] } == true)
        let lone = mapping(policy(.salvaging, .fail, limit: limit)) { try Week.from(raw: Json.of(week)) }
        #expect(lone.value?.shifts.count == 1)
    }

    @Test("do not count in a lossy dictionary, as those of a lossy list do not")
    func lossy() throws {
        let raw = try Json.of(#"{"shifts":{"monday":{"hours":1,"room":2},"1":{"hours":8}}}"#)
        for choice in [MappingPolicy.UnknownKeys.fail, .report] {
            let mapped = mapping(policy(.standard, choice)) { try LossyWeek.from(raw: raw) }
            #expect(mapped.value?.shifts.count == 1)
            #expect(mapped.lines == ["warning dropped $.shifts.monday"])
        }
    }

    @Test("those of the members that are kept count")
    func kept() throws {
        let raw = try Json.of(#"{"shifts":{"monday":{"hours":1},"1":{"hours":8,"room":2},"2":{"hours":8,"room":3}}}"#)
        let mapped = mapping(policy(.standard, .report)) { try LossyWeek.from(raw: raw) }
        let unknown = mapped.lines.filter { $0.contains("unknown key") }
        #expect(unknown == ["warning unknown key $.shifts[\"1\"].room", "warning unknown key $.shifts[\"2\"].room"])
        #expect(mapping(policy(.standard, .fail)) { try LossyWeek.from(raw: raw) }.error != nil)
    }

    @Test("do not count in a dictionary that a default replaces for one of its keys")
    func replaced() throws {
        let raw = try Json.of(#"{"shifts":{"night":{"hours":1,"room":2}}}"#)
        let mapped = mapping(policy(.standard, .fail)) { try DefaultWeek.from(raw: raw) }
        #expect(mapped.value?.shifts.isEmpty == true, "\(String(describing: mapped.error))")
    }
}
