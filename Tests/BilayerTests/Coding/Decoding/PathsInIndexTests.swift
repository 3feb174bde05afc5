import Foundation
import Testing

@testable import Bilayer

/// Paths of keys are followed in the index. Without this optimization they are followed step by step, by a decoder for
/// each step: slower, and for every kind of decoder.
@Suite("Paths followed in the index lead where they lead step by step", .smallStack)
struct PathsInIndexTests {
    private static let keys = ["value", "id", "items", "name", "ratio", "rows", "flag", "level"]
    private static let scalars = [
        "null", "null", "true", "0", "7", "2.5", "1e300", #""a""#, #""""#, "[1,2]", "[]", "{}",
    ]

    private func text(_ random: inout SplitMix64, depth: Int) -> String {
        if depth == 0 || random.next(below: 10) < 4 { return Self.scalars[random.next(below: Self.scalars.count)] }
        let members = (0..<random.next(below: 6))
            .map { _ in #""\#(Self.keys[random.next(below: Self.keys.count)])":\#(text(&random, depth: depth - 1))"# }
        return "{\(members.joined(separator: ","))}"
    }

    private func outcome(
        _ text: String,
        _ policy: MappingPolicy,
        _ optimizations: CoderOptimizations
    ) throws -> (value: [Routed]?, error: String, issues: [String]) {
        var decoder = JsonDecoder()
        decoder.optimizations = optimizations
        let json = try Json(parsing: text)
        let mapped = mapping(policy) { try decoder.decode([Routed].self, from: json) }
        return (mapped.value, mapped.error.map { "\($0)" } ?? "", mapped.issues.map(\.description))
    }

    @Test(
        "values, errors and issues are the same, under every policy",
        arguments: [MappingPolicy.standard, .strict, .salvaging, .collectingAll()],
        [1, 2, 3] as [UInt64]
    )
    func same(policy: MappingPolicy, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_500 {
            let text = "[\(text(&random, depth: 3)),\(text(&random, depth: 3))]"
            let found = try outcome(text, policy, .all)
            let expected = try outcome(text, policy, .all.subtracting(.pathsInIndex))
            #expect(found == expected, "seed \(seed): \(text)")
        }
    }

    @Test("objects of many members are looked up in linear time, so step by step")
    func largeObjects() throws {
        let members = (0..<400).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let text = #"{\#(members),"value":{\#(members),"id":7},"name":"n"}"#
        let routed = try JsonDecoder().decode(Routed.self, from: Data(text.utf8))
        #expect(routed.id == 7 && routed.name == "n")
    }

    @Test("a container that outlives its call still follows its paths")
    func keptContainers() throws {
        final class Kept: Decodable {
            let container: KeyedDecodingContainer<Routed.CodingKeys>
            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Routed.CodingKeys.self)
            }
        }
        let kept = try JsonDecoder().decode([Kept].self, from: Data(#"[{"value":{"id":1}},{"value":{"id":2}}]"#.utf8))
        for _ in 0..<3 { _ = try JsonDecoder().decode([Routed].self, from: Data(#"[{"id":3},{"id":4}]"#.utf8)) }
        #expect(try kept.map { try $0.container.decode(Int.self, forKey: .id) } == [1, 2])
    }
}
