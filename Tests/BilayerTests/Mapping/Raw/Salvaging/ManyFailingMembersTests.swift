import Bilayer
import Foundation
import Testing

private enum FailingMemberStatus: String, OpenEnum { case open }

@Suite("Dictionaries many of whose members cannot be read")
struct ManyFailingMembersTests {
    private struct Lists: Codable, RawMappable { let byName: [String: [Int]] }

    private struct Statuses: Codable, RawMappable { @Lossy var byNumber: [Int: Open<FailingMemberStatus>] }

    /// If each member that fails searched all losses, this test would run for minutes.
    @Test("are read once, whatever the others have lost")
    func lists() throws {
        let count = 10_000
        let members = (0..<count).map { $0 % 2 == 0 ? #""a\#($0)":[1,"x"]"# : #""b\#($0)":5"# }
        let raw = try Json.of(#"{"byName":{\#(members.joined(separator: ","))}}"#)
        let mapped = mapping(.salvaging) { try Lists.from(raw: raw) }
        #expect(mapped.value?.byName.count == count / 2)
        #expect(mapped.value?.byName.values.allSatisfy { $0 == [1] } == true)
    }

    @Test("report nothing of a value whose key is none, and of the others each once")
    func keys() throws {
        let raw = try Json.of(#"{"byNumber":{"1":"lost","one":"gone","2":"open"}}"#)
        for policy in [MappingPolicy.standard, .salvaging] {
            let mapped = mapping(policy) { try Statuses.from(raw: raw) }
            #expect(mapped.value?.byNumber.keys.sorted() == [1, 2])
            #expect(mapped.lines == ["warning unknown value $.byNumber[\"1\"]", "warning dropped $.byNumber.one"])
        }
    }

    @Test("report a key of an open enum once, also beside values that report")
    func openKeys() throws {
        struct Counts: Codable, RawMappable {
            @Lossy var byStatus: [Open<FailingMemberStatus>: Open<FailingMemberStatus>]
        }
        let raw = try Json.of(#"{"byStatus":{"lost":"open","open":"gone"}}"#)
        let mapped = mapping { try Counts.from(raw: raw) }
        #expect(mapped.value?.byStatus.count == 2)
        #expect(
            mapped.lines.sorted() == ["warning unknown value $.byStatus.lost", "warning unknown value $.byStatus.open"]
        )
    }
}
