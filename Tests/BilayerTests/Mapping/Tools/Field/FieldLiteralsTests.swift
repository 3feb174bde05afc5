import Bilayer
import Testing

private struct AddressPatch: Codable, RawMappable, Equatable {
    var city: Field<String> = .absent
    var lines: Field<[String]> = .absent
}

private struct ProfilePatch: Codable, RawMappable, Equatable {
    var tags: Field<[String]> = .absent
    var scores: Field<[String: Int]> = .absent
    var extra: Field<Json> = .absent
    var address: Field<AddressPatch> = .absent
}

@Suite("Fields made of literals")
struct FieldLiteralsTests {
    @Test("lists, dictionaries and JSON objects are values; nil is null")
    func literals() throws {
        var patch = ProfilePatch()
        patch.tags = ["a", "b"]
        patch.scores = ["x": 1]
        patch.extra = ["deep": [1, true]]
        #expect(patch.tags == .value(["a", "b"]) && patch.scores == .value(["x": 1]))
        #expect(try patch.toRaw() == ["tags": ["a", "b"], "scores": ["x": 1], "extra": ["deep": [1, true]]])
        patch.tags = []
        patch.scores = nil
        patch.extra = .absent
        #expect(try patch.toRaw() == ["tags": [], "scores": nil])
    }

    @Test("a nested object is patched field by field")
    func nested() throws {
        let patch = ProfilePatch(address: .value(AddressPatch(city: nil, lines: ["a"])))
        let json: Json = ["address": ["city": nil, "lines": ["a"]]]
        #expect(try patch.toRaw() == json)
        #expect(try ProfilePatch.from(raw: json) == patch)
    }
}
