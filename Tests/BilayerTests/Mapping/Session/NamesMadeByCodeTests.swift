import Bilayer
import Foundation
import Testing

/// A key type without cases: code makes its names.
private struct MadeName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct MeterEntry: Codable, RawMappable, Equatable {
    var maxValue: Double
    var byMeterName: [String: Double]

    init(maxValue: Double, byMeterName: [String: Double] = [:]) {
        self.maxValue = maxValue
        self.byMeterName = byMeterName
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MadeName.self)
        maxValue = try container.decode(Double.self, forKey: MadeName(stringValue: "maxValue"))
        byMeterName = try container.decode([String: Double].self, forKey: MadeName(stringValue: "byMeterName"))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MadeName.self)
        try container.encode(maxValue, forKey: MadeName(stringValue: "maxValue"))
        try container.encode(byMeterName, forKey: MadeName(stringValue: "byMeterName"))
    }
}

@Suite("Under a naming, the paths of keys that code has made have the keys of the JSON")
struct NamesMadeByCodeTests {
    private var prefixed: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = KeyNaming { "x_" + $0 }
        return conventions
    }

    @Test(
        "of a value that cannot be read",
        arguments: [
            (#"{"x_maxValue":"7","x_byMeterName":{}}"#, "wrong type $[0].x_maxValue"),
            (#"{"maxValue":"7","x_byMeterName":{}}"#, "wrong type $[0].maxValue"),
            (#"{"x_byMeterName":{}}"#, "missing $[0].x_maxValue"),
            (#"{"x_maxValue":7,"x_byMeterName":null}"#, "null $[0].x_byMeterName"),
            (#"{"x_maxValue":7,"x_byMeterName":{"maxValue":true}}"#, "wrong type $[0].x_byMeterName.maxValue"),
        ]
    )
    func reading(text: String, expected: String) throws {
        let raw = try Json.of("[\(text)]")
        for policy in [MappingPolicy.standard, .strict, .collectingAll()] {
            let read = mapping(policy, prefixed) { try [MeterEntry].from(raw: raw) }
            #expect(read.issues.map { "\($0.kind) \($0.path.exactDescription)" } == [expected])
        }
    }

    @Test("of a value that cannot be written; the keys of dictionaries are data")
    func writing() {
        let broken = mapping(.standard, prefixed) { try [MeterEntry(maxValue: .nan)].toRaw() }
        #expect(broken.issues.map(\.path.exactDescription) == ["$[0].x_maxValue"])
        let inner = mapping(.standard, prefixed) {
            try [MeterEntry(maxValue: 1, byMeterName: ["maxValue": .nan])].toRaw()
        }
        #expect(inner.issues.map(\.path.exactDescription) == ["$[0].x_byMeterName.maxValue"])
    }
}
