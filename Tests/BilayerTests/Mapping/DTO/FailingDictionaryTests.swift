import Bilayer
import Foundation
import Testing

/// A value that counts how often it is converted.
private final class CountedEntry {
    let fails: Bool
    let members: [String: CountedEntry]
    private(set) var conversions = 0

    init(fails: Bool = false, members: [String: CountedEntry] = [:]) {
        self.fails = fails
        self.members = members
    }

    func convert() throws {
        conversions += 1
        if fails { throw MappingError(MappingIssue(.invalidValue)) }
    }
}

private struct CountedModel: DTODecodable, DTOEncodable, RawEncodable {
    let entry: CountedEntry

    static func from(dto: CountedEntry) throws -> CountedModel {
        try dto.convert()
        _ = try [String: CountedModel].from(dto: dto.members)
        return CountedModel(entry: dto)
    }

    func toDTO() throws -> CountedEntry {
        try entry.convert()
        _ = try entry.members.mapValues(CountedModel.init).toDTO()
        return entry
    }

    func toRaw() throws -> Json {
        try entry.convert()
        return try entry.members.mapValues(CountedModel.init).toRaw()
    }
}

@Suite("A dictionary with members that cannot be mapped")
struct FailingDictionaryTests {
    enum Direction: CaseIterable {
        case fromDTO, toDTO, toRaw

        fileprivate func map(_ entries: [String: CountedEntry]) throws {
            switch self {
            case .fromDTO: _ = try [String: CountedModel].from(dto: entries)
            case .toDTO: _ = try entries.mapValues(CountedModel.init).toDTO()
            case .toRaw: _ = try entries.mapValues(CountedModel.init).toRaw()
            }
        }
    }

    @Test("fails with the first of them by name, and maps none twice", arguments: Direction.allCases)
    func firstByName(direction: Direction) {
        for _ in 0..<20 {
            let entries = Dictionary(
                uniqueKeysWithValues: (100..<200).map { ("\($0)", CountedEntry(fails: $0 % 10 == 5)) }
            )
            let error = #expect(throws: MappingError.self) { try direction.map(entries) }
            #expect(error?.path == [.entry("105")])
            #expect(error?.issues.count == 1)
            #expect(entries.values.allSatisfy { $0.conversions <= 1 })
        }
    }

    @Test("is mapped once at each of 60 levels", arguments: Direction.allCases)
    func levels(direction: Direction) {
        let innermost = CountedEntry(fails: true)
        var entry = innermost
        for _ in 0..<60 { entry = CountedEntry(members: ["inside": entry]) }
        let error = #expect(throws: MappingError.self) { try direction.map(["inside": entry]) }
        #expect(error?.path.components == Array(repeating: .entry("inside"), count: 61))
        #expect(innermost.conversions == 1)
    }
}
