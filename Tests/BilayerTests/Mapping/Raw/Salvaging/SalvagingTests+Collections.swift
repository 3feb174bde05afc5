import Bilayer
import Foundation
import Testing

/// Collections that are lossy or have optional elements.
extension SalvagingTests {
    private struct Row: Codable, RawMappable, Equatable {
        let sku: String
        let weight: Double?
    }

    private struct LossyRows: Codable, RawMappable {
        @Lossy var rows: [Row]
        @Lossy var named: [String: Row]
        let note: String?
    }

    @Test("a lossy collection loses no more than another one, whatever else is bad", arguments: ["\"ok\"", "5"])
    func lossyCollections(note: String) throws {
        let row = #"{"sku":"a","weight":"heavy"}"#
        let text = #"{"rows":[\#(row),{"weight":1}],"named":{"k":\#(row)},"note":\#(note)}"#
        let expected = [
            "warning dropped $.rows[0].weight", "warning dropped $.rows[1]", "warning dropped $.named.k.weight",
        ]
        let mapped = mapping(.salvaging) { try LossyRows.from(raw: Json.of(text)) }
        #expect(mapped.value?.rows == [Row(sku: "a", weight: nil)])
        #expect(mapped.value?.named == ["k": Row(sku: "a", weight: nil)])
        #expect(mapped.lines == expected + (note == "5" ? ["warning dropped $.note"] : []))
        let list = mapping(.salvaging) { try [LossyRows].from(raw: Json.of("[\(text),7,\(text)]")) }
        #expect(list.value?.map(\.rows) == [[Row(sku: "a", weight: nil)], [Row(sku: "a", weight: nil)]])
        #expect(list.lines.count == 2 * mapped.lines.count + 1)
        #expect(mapping { try LossyRows.from(raw: Json.of(#"{"rows":[],"named":{}}"#)) }.value != nil)
    }

    private struct MaybeEntry: Codable, RawMappable {
        let list: [Int?]
        let map: [String: Int?]
    }

    private struct MaybeByHand: RawDecodable {
        let list: [Int?]
        let map: [String: Int?]
        static func from(raw: Json) throws -> MaybeByHand {
            try MaybeByHand(list: raw.decode("list"), map: raw.decode("map"))
        }
    }

    @Test(
        "an optional element or member that cannot be read is nil, by hand as by Codable",
        arguments: [MappingPolicy.UnknownKeys.ignore, .report]
    )
    func optionalElements(unknownKeys: MappingPolicy.UnknownKeys) throws {
        let json = try Json.of(#"{"list":["x",1,null,[]],"map":{"a":"x","b":1,"c":null}}"#)
        let byCodable = mapping(policy(unknownKeys)) { try MaybeEntry.from(raw: json) }
        let byHand = mapping(policy(unknownKeys)) { try MaybeByHand.from(raw: json) }
        #expect(byCodable.value?.list == [nil, 1, nil, nil] && byHand.value?.list == [nil, 1, nil, nil])
        #expect(
            byCodable.value?.map == ["a": nil, "b": 1, "c": nil] && byHand.value?.map == ["a": nil, "b": 1, "c": nil]
        )
        #expect(byCodable.lines == byHand.lines)
        #expect(
            byCodable.lines == ["warning dropped $.list[0]", "warning dropped $.list[3]", "warning dropped $.map.a"]
        )
    }
}
