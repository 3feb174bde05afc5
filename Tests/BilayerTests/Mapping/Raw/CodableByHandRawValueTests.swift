import Bilayer
import Foundation
import Testing

/// An entry by hand that also has a raw value. The server receives what `toRaw()` returns, not the raw value.
private protocol MarkEntry: RawRepresentable, CodableByHand {
    static var one: Self { get }
}

extension MarkEntry {
    static func read(_ raw: Json) throws -> Self {
        if raw == written { return one }
        throw MappingError(MappingIssue(.invalidValue, expected: "a mark"))
    }
}

private let written: Json = "by hand"

private struct MarkOfBool: MarkEntry {
    static let one = MarkOfBool(rawValue: true)
    var rawValue: Bool
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfInt: Int, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfInt8: Int8, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfInt16: Int16, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfInt32: Int32, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfInt64: Int64, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfUInt: UInt, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfUInt8: UInt8, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfUInt16: UInt16, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfUInt32: UInt32, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfUInt64: UInt64, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfDouble: Double, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfFloat: Float, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

private enum MarkOfString: String, MarkEntry {
    case one
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum MarkOfInt128: Int128, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum MarkOfUInt128: UInt128, MarkEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { written }
}

@Suite("Entries by hand with a raw value, inside of Codable ones")
struct CodableByHandRawValueTests {
    private static let types: [any MarkEntry.Type] = [
        MarkOfBool.self, MarkOfInt.self, MarkOfInt8.self, MarkOfInt16.self, MarkOfInt32.self, MarkOfInt64.self,
        MarkOfUInt.self, MarkOfUInt8.self, MarkOfUInt16.self, MarkOfUInt32.self, MarkOfUInt64.self,
        MarkOfDouble.self, MarkOfFloat.self, MarkOfString.self,
    ]

    @Test("every raw type: an entry is read and written by its own functions, never as its raw value")
    func rawValues() throws {
        for type in Self.types { try check(type) }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try check(MarkOfInt128.self)
            try check(MarkOfUInt128.self)
        }
    }

    private struct MarkedPageEntry<Mark: MarkEntry>: Codable, RawMappable { let mark: Mark }

    private func check<Mark: MarkEntry>(_ type: Mark.Type) throws {
        let page = MarkedPageEntry(mark: Mark.one)
        let json: Json = ["mark": written]
        #expect(try page.toRaw() == json, "\(type)")
        #expect(try Json(parsing: JsonEncoder().encode(page)) == json, "\(type)")
        #expect(try Json(parsing: JSONEncoder().encode(page)) == json, "\(type)")
        let text = json.serialized()
        _ = try MarkedPageEntry<Mark>.from(raw: Json(parsing: text))
        _ = try JsonDecoder().decode(MarkedPageEntry<Mark>.self, from: text)
        _ = try JSONDecoder().decode(MarkedPageEntry<Mark>.self, from: text)
    }
}
