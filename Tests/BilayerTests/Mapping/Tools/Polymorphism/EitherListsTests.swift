import Bilayer
import Testing

private struct CratePartEntry: Codable, RawMappable, Hashable { let sku: Int }

private struct CrateEntry: Codable, RawMappable {
    let parts: Either<CratePartEntry, [CratePartEntry]>?
    let named: Either<Int, [String: CratePartEntry]>?
}

/// Under a policy that salvages, a collection without a good element fails with the errors of its elements as causes.
@Suite("One of two types: collections of bad elements")
struct EitherListsTests {
    private let list = #"[{"sku":"x"},{"sku":"y"}]"#
    private let object = #"{"first":{"sku":"x"}}"#

    /// The paths of the error, or of its causes if it has any.
    private func reasons<Value>(_ mapped: Mapped<Value>) -> [String] {
        mapped.issues.flatMap(leaves).map { "\($0.kind) \($0.path.exactDescription)" }
    }

    private func leaves(of issue: MappingIssue) -> [MappingIssue] {
        issue.causes.isEmpty ? [issue] : issue.causes.flatMap(leaves)
    }

    @Test("the error is that of the bad elements", arguments: [MappingPolicy.standard, .salvaging])
    func elements(policy: MappingPolicy) throws {
        let list = try Json.of(list)
        let object = try Json.of(object)
        let parts = mapping(policy) { try Either<CratePartEntry, [CratePartEntry]>.from(raw: list) }
        #expect(parts.error != nil && reasons(parts).first == "wrong type $[0].sku")
        let named = mapping(policy) { try Either<Int, [String: CratePartEntry]>.from(raw: object) }
        #expect(named.error != nil && reasons(named) == ["wrong type $.first.sku"])
        let lists = try Json.of("[\(self.list)]")
        let nested = mapping(policy) { try Either<CratePartEntry, [[CratePartEntry]]>.from(raw: lists) }
        #expect(nested.error != nil && reasons(nested).first == "wrong type $[0][0].sku")
    }

    @Test("so is the cause of what a `Codable` entry leaves out")
    func entries() throws {
        let json = try Json.of(#"{"parts":\#(list),"named":\#(object)}"#)
        let crate = mapping(.salvaging) { try CrateEntry.from(raw: json) }
        #expect(crate.lines == ["warning dropped $.parts", "warning dropped $.named"])
        let expected = ["$.parts[0].sku", "$.parts[1].sku", "$.named.first.sku"]
        #expect(reasons(crate) == expected.map { "wrong type \($0)" })
        var careful = MappingPolicy.salvaging
        careful.toleratedLoss = 0
        let lost = try Json.of(#"{"parts":[{"sku":1},{"sku":"x"}]}"#)
        #expect(reasons(mapping(careful) { try CrateEntry.from(raw: lost) }) == ["wrong type $.parts[1].sku"])
    }

    @Test("a value that is of neither form is of neither type", arguments: [MappingPolicy.standard, .salvaging])
    func neither(policy: MappingPolicy) throws {
        let mapped = mapping(policy) { try Either<CratePartEntry, [CratePartEntry]>.from(raw: "x") }
        #expect(mapped.issues.map(\.expected) == ["CratePartEntry or Array<CratePartEntry>"])
    }
}
