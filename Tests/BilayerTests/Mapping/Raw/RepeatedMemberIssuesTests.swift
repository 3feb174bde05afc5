import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private enum CatMood: String, OpenEnum { case glad, sad }

private struct ShelterCat: Codable, RawMappable, Sendable {
    let mood: Open<CatMood>
    let age: Int
}

private struct Shelter: Codable, RawMappable, Sendable {
    let cats: [String: ShelterCat]
}

private let odd = #"{"mood":"odd","age":1}"#
private let good = #"{"mood":"sad","age":2}"#
private let broken = #"{"mood":"odd","age":"x"}"#

@Suite("A member with a repeated key that is not used has no issues")
struct RepeatedMemberIssuesTests {
    private func read(
        _ members: [String],
        _ policy: MappingPolicy,
        _ duplicates: Json.ParsingOptions.DuplicateKeys
    ) throws -> Mapped<Shelter> {
        let text = #"{"cats":{\#(members.map { "\"tom\":\($0)" }.joined(separator: ","))}}"#
        let json = try Json(parsing: text, options: .init(duplicateKeys: duplicates))
        return mapping(policy) { try Shelter.from(raw: json) }
    }

    @Test(
        "in a dictionary of a Codable entry",
        arguments: [MappingPolicy.standard, .strict, .salvaging, .collectingAll()],
        [[good, odd], [good, broken], [good, odd, broken, odd]]
    )
    func firstWins(policy: MappingPolicy, members: [String]) throws {
        let mapped = try read(members, policy, .firstWins)
        #expect(mapped.value?.cats["tom"]?.age == 2)
        #expect(mapped.lines.isEmpty, "\(mapped.lines)")
    }

    @Test(
        "also if the last one is used",
        arguments: [MappingPolicy.standard, .strict, .salvaging, .collectingAll()],
        [[odd, good], [broken, good], [odd, broken, odd, good]]
    )
    func lastWins(policy: MappingPolicy, members: [String]) throws {
        let mapped = try read(members, policy, .lastWins)
        #expect(mapped.value?.cats["tom"]?.age == 2)
        #expect(mapped.lines.isEmpty, "\(mapped.lines)")
    }

    @Test("the one that is used keeps its issue", arguments: [Json.ParsingOptions.DuplicateKeys.firstWins, .lastWins])
    func used(duplicates: Json.ParsingOptions.DuplicateKeys) throws {
        let mapped = try read([odd, good, odd], .standard, duplicates)
        #expect(mapped.value?.cats["tom"]?.age == 1)
        #expect(mapped.lines.count == 1, "\(mapped.lines)")
    }
}
