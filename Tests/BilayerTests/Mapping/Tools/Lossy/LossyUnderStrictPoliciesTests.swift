import Bilayer
import Foundation
import Testing

private enum Zero: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }

private struct LeafEntry: Codable {
    @Default<Zero> var number: Int
    var other: Int
}

private struct ListEntry: Codable, RawMappable { var leaves: [LeafEntry] }
private struct LossyListEntry: Codable, RawMappable { @Lossy var leaves: [LeafEntry] }
private struct MembersEntry: Codable, RawMappable { var leaves: [String: LeafEntry] }
private struct LossyMembersEntry: Codable, RawMappable { @Lossy var leaves: [String: LeafEntry] }
private struct LossyNumbersEntry: Codable, RawMappable { @Lossy var leaves: [Int: LeafEntry] }

@Suite("A lossy collection under the strict policy is read as a plain one")
struct LossyUnderStrictPoliciesTests {
    private static let bodies = [
        #"{"other":"bad"}|{"other":1}|{"number":2,"other":2}"#, #"{"other":1}|{"other":"bad"}|{"other":2}|{}"#,
        #"{"number":"x","other":"y"}|{"number":[],"other":{}}"#, #"{"other":1}"#, "7|null",
    ]

    @Test(arguments: bodies)
    fileprivate func lists(body: String) throws {
        let text = body.replacingOccurrences(of: "|", with: ",")
        let json = try Json.of("{\"leaves\":[\(text)]}")
        let plain = mapping(.strict) { try ListEntry.from(raw: json) }
        #expect(mapping(.strict) { try LossyListEntry.from(raw: json) }.lines == plain.lines)
        #expect(!plain.lines.isEmpty)
    }

    @Test(arguments: bodies)
    fileprivate func dictionaries(body: String) throws {
        let text = body.split(separator: "|").enumerated().map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let json = try Json.of("{\"leaves\":{\(text)}}")
        let plain = mapping(.strict) { try MembersEntry.from(raw: json) }
        #expect(mapping(.strict) { try LossyMembersEntry.from(raw: json) }.lines == plain.lines)
        #expect(mapping(.strict) { try LossyNumbersEntry.from(raw: json) }.lines == plain.lines)
    }

    @Test("a key that is none is an error at its path, and of equal numbers the last member counts")
    func keys() throws {
        let refused = mapping(.strict) {
            try LossyNumbersEntry.from(
                raw: Json.of(#"{"leaves":{"1":{"number":1,"other":1},"x":{"number":2,"other":2}}}"#)
            )
        }
        #expect(refused.issues.map(\.path.exactDescription) == ["$.leaves.x"])
        let equal = mapping(.strict) {
            try LossyNumbersEntry.from(
                raw: Json.of(#"{"leaves":{"1":{"number":1,"other":1},"01":{"number":2,"other":2}}}"#)
            )
        }
        #expect(equal.value?.leaves[1]?.other == 2)
    }
}
