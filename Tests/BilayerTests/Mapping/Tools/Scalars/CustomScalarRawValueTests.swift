import Bilayer
import Foundation
import Testing

/// A scalar that also has a raw value. The server receives what its format writes, not the raw value.
private protocol SwatchScalar: RawRepresentable, CustomScalar {
    static var one: Self { get }
}

extension SwatchScalar {
    static var format: ValueFormat<Self> {
        ValueFormat<String>.plain.map({ $0 == "in its format" ? one : nil }, { _ in "in its format" })
    }
}

private struct SwatchOfBool: SwatchScalar {
    static let one = SwatchOfBool(rawValue: true)
    var rawValue: Bool
}

private enum SwatchOfInt: Int, SwatchScalar {
    case one = 1
}

private enum SwatchOfInt8: Int8, SwatchScalar {
    case one = 1
}

private enum SwatchOfInt16: Int16, SwatchScalar {
    case one = 1
}

private enum SwatchOfInt32: Int32, SwatchScalar {
    case one = 1
}

private enum SwatchOfInt64: Int64, SwatchScalar {
    case one = 1
}

private enum SwatchOfUInt: UInt, SwatchScalar {
    case one = 1
}

private enum SwatchOfUInt8: UInt8, SwatchScalar {
    case one = 1
}

private enum SwatchOfUInt16: UInt16, SwatchScalar {
    case one = 1
}

private enum SwatchOfUInt32: UInt32, SwatchScalar {
    case one = 1
}

private enum SwatchOfUInt64: UInt64, SwatchScalar {
    case one = 1
}

private enum SwatchOfDouble: Double, SwatchScalar {
    case one = 1
}

private enum SwatchOfFloat: Float, SwatchScalar {
    case one = 1
}

private enum SwatchOfString: String, SwatchScalar {
    case one
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum SwatchOfInt128: Int128, SwatchScalar {
    case one = 1
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum SwatchOfUInt128: UInt128, SwatchScalar {
    case one = 1
}

@Suite("Custom scalars with a raw value")
struct CustomScalarRawValueTests {
    private static let types: [any SwatchScalar.Type] = [
        SwatchOfBool.self, SwatchOfInt.self, SwatchOfInt8.self, SwatchOfInt16.self, SwatchOfInt32.self,
        SwatchOfInt64.self, SwatchOfUInt.self, SwatchOfUInt8.self, SwatchOfUInt16.self, SwatchOfUInt32.self,
        SwatchOfUInt64.self, SwatchOfDouble.self, SwatchOfFloat.self, SwatchOfString.self,
    ]

    @Test("every raw type: a scalar is read and written in its format, never as its raw value")
    func rawValues() throws {
        for type in Self.types { try check(type) }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try check(SwatchOfInt128.self)
            try check(SwatchOfUInt128.self)
        }
    }

    private struct PaletteEntry<Swatch: SwatchScalar>: Codable, RawMappable { let swatch: Swatch }

    private func check<Swatch: SwatchScalar>(_ type: Swatch.Type) throws {
        let palette = PaletteEntry(swatch: Swatch.one)
        let json: Json = ["swatch": "in its format"]
        #expect(try palette.toRaw() == json, "\(type)")
        #expect(try Json(parsing: JsonEncoder().encode(palette)) == json, "\(type)")
        #expect(try Json(parsing: JSONEncoder().encode(palette)) == json, "\(type)")
        #expect(try Swatch.one.toRaw() == "in its format", "\(type)")
        let text = json.serialized()
        _ = try PaletteEntry<Swatch>.from(raw: Json(parsing: text))
        _ = try JsonDecoder().decode(PaletteEntry<Swatch>.self, from: text)
        _ = try JSONDecoder().decode(PaletteEntry<Swatch>.self, from: text)
        #expect(throws: DecodingError.self) {
            try JsonDecoder().decode(PaletteEntry<Swatch>.self, from: Data(#"{"swatch":"another"}"#.utf8))
        }
    }
}
