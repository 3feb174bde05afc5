import Bilayer
import Testing

private struct ChartEntry: Codable, RawMappable {
    var points: [Int]?
    var marks: Set<Int>?
    var names: [String: String]?
    @Lossy var notes: [String]?
}

private struct ChartByHand: RawDecodable {
    static func from(raw: Json) throws -> ChartByHand {
        _ = try raw.decodeIfPresent("points") as [Int]?
        _ = try raw.decodeIfPresent("marks") as Set<Int>?
        _ = try raw.decodeIfPresent("names") as [String: String]?
        if raw["notes"] != nil { _ = try raw.decodeLossy("notes") as [String] }
        if raw["labels"] != nil { _ = try raw.decodeLossy("labels") as [String: String] }
        return ChartByHand()
    }
}

private struct PointByHand: RawDecodable {
    static func from(raw: Json) throws -> PointByHand {
        guard raw.kind == .object else { throw MappingError(MappingIssue(.wrongType, expected: "an object")) }
        _ = try raw.decodeIfPresent("points") as [Int]?
        return PointByHand()
    }
}

@Suite("The owner of an issue of an entry by hand")
struct OwnersByHandTests {
    @Test(
        "is the entry for a bad element of a list of scalars, as in a `Codable` entry",
        arguments: [
            #"{"points":[1,"x"]}"#, #"{"marks":[1,"x"]}"#, #"{"names":{"a":"b","c":7}}"#, #"{"notes":["a",7]}"#,
        ],
        [MappingPolicy.standard, .salvaging, .collectingAll()]
    )
    func scalars(text: String, policy: MappingPolicy) throws {
        let json = try Json.of(text)
        let byHand = try #require(mapping(policy) { try [ChartByHand].from(raw: [json]) }.issues.first)
        #expect(byHand.owner == "ChartByHand")
        #expect(byHand.causes.allSatisfy { ($0.owner ?? "ChartByHand") == "ChartByHand" })
        let read = try #require(mapping(policy) { try [ChartEntry].from(raw: [json]) }.issues.first)
        #expect(byHand.groupingKey == read.groupingKey.replacing("ChartEntry", with: "ChartByHand"))
    }

    @Test("is the same without a reporter", arguments: [#"[{"points":[1]},{"points":["x"]}]"#, "[{},1]", "[1]"])
    func withoutReporter(text: String) throws {
        let json = try Json.of(text)
        let reported = mapping { try [PointByHand].from(raw: json) }
        let alone = try #require(#expect(throws: MappingError.self) { try [PointByHand].from(raw: json) })
        #expect("\(alone)" == "\(try #require(reported.error))")
        #expect(alone.issues.map(\.owner) == ["PointByHand"])
        let members = try Json.of(#"{"a":{"points":"x"}}"#)
        let one = try #require(#expect(throws: MappingError.self) { try [String: PointByHand].from(raw: members) })
        #expect(one.issues.map(\.owner) == ["PointByHand"])
    }

    @Test("is no type of the language")
    func lone() throws {
        let points = mapping { try ChartByHand.from(raw: Json.of(#"{"points":[1,"x"]}"#)) }
        #expect(points.issues.map(\.message) == ["wrong type: expected Int, found string (1 character)"])
        let labels = mapping { try ChartByHand.from(raw: Json.of(#"{"labels":{"a":"b","c":7}}"#)) }
        #expect(labels.issues.map(\.owner) == [nil])
    }
}
