import Bilayer
import Testing

private struct ShotEntry: Codable, RawMappable { let ref: String? }

private struct Shot: DTODecodable {
    let ref: String
    static func from(dto: ShotEntry) throws -> Shot { Shot(ref: try dto.ref.require("ref")) }
}

private struct FeedEntry: Codable, RawMappable { let photos: [ShotEntry?] }

private struct Feed: DTODecodable {
    let photos: [Shot]
    static func from(dto: FeedEntry) throws -> Feed { Feed(photos: try .compact(from: dto.photos, at: "photos")) }
}

@Suite("Lists with nulls")
struct CompactTests {
    @Test("nulls are left out without a report; errors count them")
    func compact() throws {
        let json = try Json.of(#"{"photos":[null,{"ref":"a"},null,{}]}"#)
        let failed = mapping { try Feed.from(dto: FeedEntry.from(raw: json)) }
        #expect(failed.lines == ["error missing $.photos[3].ref"])
        let salvaged = mapping(.salvaging) { try Feed.from(dto: FeedEntry.from(raw: json)) }
        #expect(salvaged.value?.photos.map(\.ref) == ["a"])
        #expect(salvaged.lines == ["warning dropped $.photos[3]"])
        let good = try Json.of(#"{"photos":[null,{"ref":"a"},null]}"#)
        let mapped = mapping(.strict) { try Feed.from(dto: FeedEntry.from(raw: good)) }
        #expect(mapped.value?.photos.count == 1 && mapped.issues.isEmpty)
        #expect(try Feed.from(dto: FeedEntry(photos: [nil])).photos.isEmpty)
        let none = mapping(.salvaging) { try Feed.from(dto: FeedEntry.from(raw: .of(#"{"photos":[{},null]}"#))) }
        #expect(none.lines == ["error too many dropped $.photos"])
    }

    @Test("a lossy list of optionals keeps its nulls and leaves out what is bad")
    func lossy() throws {
        struct Row: Codable, RawMappable { @Lossy var names: [String?] }
        let mapped = mapping { try Row.from(raw: .of(#"{"names":["a",null,7]}"#)) }
        #expect(mapped.value?.names == ["a", nil] && mapped.lines == ["warning dropped $.names[2]"])
    }
}
