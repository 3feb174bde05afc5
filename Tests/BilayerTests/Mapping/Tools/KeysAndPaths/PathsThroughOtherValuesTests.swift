import Bilayer
import Testing

private struct PlaceEntry: Codable, RawMappable {
    let name: String?
    let city: String?

    enum CodingKeys: String, PathCodingKey {
        case name, city
        static let paths: [CodingKeys: [String]] = [.city: ["homeAddress.cityName", "workAddress.cityName", "city"]]
    }
}

private var snakeCase: CodingConventions {
    var conventions = CodingConventions()
    conventions.keys = .snakeCase
    return conventions
}

@Suite("Paths that lead through a value that is no object")
struct PathsThroughOtherValuesTests {
    @Test("have the JSON's keys to their end under a naming", arguments: ["[]", #""unknown""#, "7"])
    func keys(value: String) throws {
        let json = try Json.of(#"{"name":"n","home_address":\#(value)}"#)
        let mapped = mapping(.salvaging, snakeCase) { try PlaceEntry.from(raw: json) }
        #expect(mapped.lines == ["warning dropped $.home_address.city_name"])
        #expect(mapped.issues.flatMap(\.causes).map(\.path.exactDescription) == ["$.home_address"])
    }

    @Test("so have the paths of a model whose object is missing", arguments: ["{}", #"{"home_address":null}"#, "[]"])
    func models(value: String) throws {
        struct Place: DTODecodable {
            static func from(dto: Json) throws -> Place {
                throw MappingError(MappingIssue(.missing, path: [.key("homeAddress"), .key("cityName")]))
            }
        }
        struct Holder: Codable, RawMappable { let json: Json }
        let json = try Json.of(#"{"json":\#(value)}"#)
        let mapped = mapping(.standard, snakeCase) { try Place.from(dto: Holder.from(raw: json).json, at: "json") }
        #expect(mapped.lines == ["error missing $.json.home_address.city_name"])
    }

    @Test(
        "change nothing if a path before them has a value",
        arguments: [MappingPolicy.standard, .salvaging, .strict, .collectingAll()],
        ["[]", #""unknown""#, "7", "null"]
    )
    func laterPaths(policy: MappingPolicy, value: String) throws {
        let json = try Json.of(#"{"home_address":{"city_name":"b"},"work_address":\#(value)}"#)
        let mapped = mapping(policy, snakeCase) { try PlaceEntry.from(raw: json) }
        #expect(mapped.value?.city == "b")
        #expect(mapped.lines.isEmpty, "\(mapped.lines)")
    }

    @Test("hide no other path of the key: what is there is not unknown")
    func unknownKeys() throws {
        let json = try Json.of(#"{"home_address":[],"work_address":{"city_name":"b"},"city":"c","zip":1}"#)
        var salvaging = MappingPolicy.salvaging
        salvaging.unknownKeys = .report
        let salvaged = mapping(salvaging, snakeCase) { try PlaceEntry.from(raw: json) }
        #expect(salvaged.lines == ["warning dropped $.home_address.city_name", "warning unknown key $.zip"])
        var collecting = MappingPolicy.collectingAll()
        collecting.unknownKeys = .fail
        let collected = mapping(collecting, snakeCase) { try PlaceEntry.from(raw: json) }
        #expect(collected.lines == ["error wrong type $.home_address", "error unknown key $.zip"])
    }
}
