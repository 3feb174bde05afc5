import Bilayer
import Foundation
import Testing

private struct CaughtTagEntry: Codable, RawMappable {
    let name: String?
    let count: Int
}

private struct CaughtTag: DTODecodable, DTOEncodable {
    let name: String

    static func from(dto: CaughtTagEntry) throws -> CaughtTag {
        let name = dto.name.default("none", "name")
        try require(that: dto.count >= 0, "a negative count", at: "count")
        return CaughtTag(name: name)
    }

    func toDTO() throws -> CaughtTagEntry {
        let entry = CaughtTagEntry(name: String?.none.default("none", "name"), count: 1)
        try require(that: name != "refused", "a refused name")
        return entry
    }
}

@Suite("Issues of models whose conversion failed with an error that was caught")
struct CaughtConversionsTests {
    enum Conversion: CaseIterable {
        case list, listOfField, dictionary, dictionaryOfField, writtenList, writtenDictionary, optional, writtenOptional
        case gathered, rawList

        /// Converts a good value and then a bad one.
        fileprivate func run() throws {
            let good = CaughtTagEntry(name: nil, count: 1)
            let bad = CaughtTagEntry(name: nil, count: -1)
            let tags = [CaughtTag(name: "new"), CaughtTag(name: "refused")]
            switch self {
            case .list: _ = try [CaughtTag].from(dto: [good, bad])
            case .listOfField: _ = try [CaughtTag].from(dto: [good, bad], at: "tags")
            case .dictionary: _ = try [String: CaughtTag].from(dto: ["a": good, "b": bad])
            case .dictionaryOfField: _ = try [String: CaughtTag].from(dto: ["a": good, "b": bad], at: "tags")
            case .writtenList: _ = try tags.toDTO()
            case .writtenDictionary: _ = try ["a": tags[0], "b": tags[1]].toDTO()
            case .optional: _ = try CaughtTag?.from(dto: bad)
            case .writtenOptional: _ = try CaughtTag?.some(tags[1]).toDTO()
            case .gathered:
                _ = try gathering(
                    { try CaughtTag.from(dto: good, at: "first") },
                    { try CaughtTag.from(dto: bad, at: "second") }
                )
            case .rawList: _ = try [ReportingEntry].from(raw: [1, -1])
            }
        }
    }

    /// An entry that is read by hand, and that reports an issue.
    private struct ReportingEntry: RawDecodable {
        static func from(raw: Json) throws -> ReportingEntry {
            MappingIssue(.usedDefault, severity: .info).report()
            if raw.int == -1 { throw MappingError(MappingIssue(.invalidValue)) }
            return ReportingEntry()
        }
    }

    @Test("are in no report of a mapping that succeeds", arguments: Conversion.allCases)
    func succeeding(conversion: Conversion) {
        for policy in [MappingPolicy.standard, .collectingAll()] {
            let mapped = mapping(policy) { (try? conversion.run()) == nil }
            #expect(mapped.value == true)
            #expect(mapped.lines.isEmpty)
        }
    }

    @Test("are in the report of a mapping that fails with the error")
    func failing() {
        let mapped = mapping { try Conversion.listOfField.run() }
        #expect(
            mapped.lines == [
                "error broken rule $.tags[1].count", "info used default $.tags[0].name",
                "info used default $.tags[1].name",
            ]
        )
    }
}
