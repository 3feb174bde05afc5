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

/// An entry by hand, which names its keys itself, with a `Codable` value inside.
private struct RangeEntry: CodableByHand {
    struct Limit: Codable, RawMappable { var upperLimit: Double }

    var maxValue = 1.0
    var limit = Limit(upperLimit: 1)

    static func from(raw: Json) throws -> RangeEntry { RangeEntry(maxValue: try raw.decode("maxValue")) }
    func toRaw() throws -> Json {
        try Json.object { json in
            try json.write(maxValue, forKey: "maxValue")
            try json.write(limit, forKey: "theLimit")
            MappingIssue(.usedDefault, severity: .warning, path: [.key("minValue")]).report()
        }
    }
}

/// A date that RFC 3339 has no spelling for.
private let farFuture = Date(timeIntervalSince1970: 1e15)

/// A value under a key that is made by code, or declared.
private struct Holder<Value: Codable & Sendable>: Codable, RawMappable {
    private enum CodingKeys: CodingKey { case theValue }

    let isDeclared: Bool
    let value: Value

    init(isDeclared: Bool, value: Value) {
        self.isDeclared = isDeclared
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MadeName.self)
        value = try container.decode(Value.self, forKey: MadeName(stringValue: "theValue"))
        isDeclared = false
    }

    func encode(to encoder: any Encoder) throws {
        if isDeclared {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .theValue)
        } else {
            var container = encoder.container(keyedBy: MadeName.self)
            try container.encode(value, forKey: MadeName(stringValue: "theValue"))
        }
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

    @Test("of a value that cannot be read beside a member with the property's own name, which is not read")
    func clashing() throws {
        let text = #"[{"x_maxValue":"7","maxValue":3,"x_byMeterName":{"maxValue":true},"byMeterName":{"maxValue":1}}]"#
        let raw = try Json.of(text)
        for policy in [MappingPolicy.standard, .strict, .collectingAll(), .salvaging] {
            let read = mapping(policy, prefixed) { try [MeterEntry].from(raw: raw) }
            let wrong = read.issues.flatMap { $0.causes.isEmpty ? [$0] : $0.causes }.filter { $0.kind == .wrongType }
            #expect(wrong.map(\.path.exactDescription) == ["$[0].x_maxValue"])
            #expect(wrong.first?.found?.type == "string")
        }
    }

    @Test("of a clash inside a value with such a key")
    func clashInside() throws {
        let raw = try Json.of(#"{"x_theValue":{"x_upperLimit":1,"upperLimit":2},"theValue":{}}"#)
        let read = mapping(.standard, prefixed) { try Holder<RangeEntry.Limit>.from(raw: raw) }
        #expect(
            Set(read.issues.map { "\($0.kind) \($0.path.exactDescription)" })
                == ["key clash $.x_theValue", "key clash $.x_theValue.x_upperLimit"]
        )
        let byHand = mapping(.standard, prefixed) {
            try Holder<RangeEntry>.from(raw: Json.of(#"{"x_theValue":{"maxValue":"a"},"theValue":{"maxValue":1}}"#))
        }
        let wrong = byHand.issues.filter { $0.kind == .wrongType }
        #expect(wrong.map(\.path.exactDescription) == ["$.x_theValue.maxValue"])
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

    @Test("of values by formats and by hand, whose own keys are not converted", arguments: [true, false])
    func writingByHand(isDeclared: Bool) throws {
        var conventions = prefixed
        conventions.scalars.register(Date.self, as: .rfc3339)
        func paths(writing value: some Codable & Sendable) -> [String] {
            mapping(.standard, conventions) { try [Holder(isDeclared: isDeclared, value: value)].toRaw() }
                .issues.map(\.path.exactDescription)
        }
        #expect(paths(writing: farFuture) == ["$[0].x_theValue"])
        #expect(paths(writing: Formatted<RFC3339>(wrappedValue: farFuture)) == ["$[0].x_theValue"])
        #expect(paths(writing: ["theDay": farFuture]) == ["$[0].x_theValue.theDay"])
        #expect(paths(writing: RangeEntry()) == ["$[0].x_theValue.minValue"])
        #expect(paths(writing: RangeEntry(maxValue: .nan)) == ["$[0].x_theValue.maxValue"])
        #expect(paths(writing: ["aName": [RangeEntry(maxValue: .nan)]]) == ["$[0].x_theValue.aName[0].maxValue"])
        #expect(
            paths(writing: RangeEntry(limit: RangeEntry.Limit(upperLimit: .nan)))
                == ["$[0].x_theValue.theLimit.x_upperLimit"]
        )
    }
}
