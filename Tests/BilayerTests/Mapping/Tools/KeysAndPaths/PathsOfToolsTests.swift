import Bilayer
import BilayerTesting
import Testing

private enum RoomSizes: DefaultProvider { static let defaults = Defaults(ifMissing: 0, ifNull: 0, ifInvalid: -1) }

private struct BedroomEntry: Codable, RawMappable {
    @Default<RoomSizes> var size: Int
    @Lossy var beds: [Int]

    enum CodingKeys: String, PathCodingKey {
        case size, beds
        static let paths: [CodingKeys: [String]] = [.size: ["size", "old.size"], .beds: ["beds", "old.beds"]]
    }
}

@Suite("Property wrappers with keys that have paths")
struct PathsOfToolsTests {
    @Test("a clash of two paths is reported once", arguments: [#""big""#, "5"])
    func clash(size: String) throws {
        let json = try Json.of(#"{"size":\#(size),"old":{"size":7},"beds":[]}"#)
        let mapped = mapping { try JsonDecoder().decode(BedroomEntry.self, from: json) }
        #expect(mapped.issues.count { $0.kind == .keyClash } == 1, "\(mapped.lines)")
        #expect(mapped.value?.size == (size == "5" ? 5 : -1))
    }

    @Test(
        "a lossy collection that is null or missing is reported where it is",
        arguments: [
            (#"{"old":{"beds":null}}"#, "error null $.old.beds"), (#"{"beds":null}"#, "error null $.beds"),
            (#"{"old":null}"#, "error null $.old"), ("{}", "error missing $.beds"),
        ]
    )
    func lossy(text: String, line: String) throws {
        let mapped = mapping { try BedroomEntry.from(raw: Json.of(text)) }
        #expect(mapped.lines.filter { !$0.hasPrefix("info") } == [line])
    }
}
