import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct PlainMembers: Codable, RawMappable, Sendable { let m: [Int: Int] }
private struct LossyMembers: Codable, RawMappable, Sendable { @Lossy var m: [Int: Int] }

@Suite("Members of a lossy dictionary are taken in the order of the text")
struct LossyMemberOrderTests {
    /// Spellings of the same integers.
    private static let texts: [(text: String, last: [Int: Int])] = [
        (#"{"m":{"01":20,"1":10,"+1":30,"001":40}}"#, [1: 40]),
        (#"{"m":{"1":1,"+1":2,"2":3,"02":4,"002":5}}"#, [1: 2, 2: 5]),
        (#"{"m":{"0005":1,"005":2,"05":3,"5":4,"+5":5,"+05":6,"7":7}}"#, [5: 6, 7: 7]),
    ]

    @Test("so of equal keys the last counts, as without Lossy", arguments: texts)
    func equalKeys(text: String, last: [Int: Int]) throws {
        let json = try Json(parsing: text)
        #expect(try PlainMembers.from(raw: json).m == last)
        #expect(try LossyMembers.from(raw: json).m == last)
        #expect(try JsonDecoder().decode(LossyMembers.self, from: Data(text.utf8)).m == last)
        let reported = mapping { try LossyMembers.from(raw: json) }
        #expect(reported.value?.m == last)
        let salvaged = mapping(.salvaging) { try PlainMembers.from(raw: json) }
        #expect(salvaged.value?.m == last)
    }

    @Test("also if another field makes the entry read again", arguments: texts)
    func readAgain(text: String, last: [Int: Int]) throws {
        struct Pair: Codable, RawMappable { let m: [Int: Int], x: Int? }
        let json = try Json(parsing: String(text.dropLast()) + #","x":"bad"}"#)
        #expect(mapping(.salvaging) { try Pair.from(raw: json) }.value?.m == last)
    }

    @Test func theFirstBadMemberIsTheCause() throws {
        struct Row: Codable, RawMappable { let i: Int }
        struct Holder: Codable, RawMappable { @Lossy var m: [String: Row] }
        let json = try Json(parsing: #"{"m":{"c":7,"a":"x","b":{}}}"#)
        let alone = try #require(#expect(throws: MappingError.self) { try Holder.from(raw: json) })
        let reported = mapping { try Holder.from(raw: json) }
        #expect("\(alone)" == "\(try #require(reported.error))")
        #expect("\(alone)".contains("found number"), "\(alone)")
    }
}
