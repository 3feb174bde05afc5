import Bilayer
import Foundation
import Testing

/// An enum with a default case. The server receives its raw value.
private protocol RankEntry: DefaultCase, Codable, RawMappable, Equatable where Raw == Json {
    static var one: Self { get }
    static var other: Self { get }
}

extension RankEntry {
    static var defaultCase: Self { other }
}

/// An enum with a default case that is read and written by hand.
private protocol StepEntry: DefaultCase, CodableByHand {
    static var one: Self { get }
}

extension StepEntry {
    static var defaultCase: Self { one }

    static func read(_ raw: Json) throws -> Self {
        if raw == "by hand" { return one }
        throw MappingError(MappingIssue(.invalidValue, expected: "a step"))
    }
}

private enum RankOfInt: Int, RankEntry {
    case one = 1
    case other
}

private enum RankOfInt8: Int8, RankEntry {
    case one = 1
    case other
}

private enum RankOfInt16: Int16, RankEntry {
    case one = 1
    case other
}

private enum RankOfInt32: Int32, RankEntry {
    case one = 1
    case other
}

private enum RankOfInt64: Int64, RankEntry {
    case one = 1
    case other
}

private enum RankOfUInt: UInt, RankEntry {
    case one = 1
    case other
}

private enum RankOfUInt8: UInt8, RankEntry {
    case one = 1
    case other
}

private enum RankOfUInt16: UInt16, RankEntry {
    case one = 1
    case other
}

private enum RankOfUInt32: UInt32, RankEntry {
    case one = 1
    case other
}

private enum RankOfUInt64: UInt64, RankEntry {
    case one = 1
    case other
}

private enum RankOfDouble: Double, RankEntry {
    case one = 1
    case other = 2
}

private enum RankOfFloat: Float, RankEntry {
    case one = 1
    case other = 2
}

private enum RankOfString: String, RankEntry {
    case one = "1"
    case other
}

private struct StepOfBool: StepEntry {
    static let one = StepOfBool(rawValue: true)
    var rawValue: Bool
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfInt: Int, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfInt8: Int8, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfInt16: Int16, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfInt32: Int32, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfInt64: Int64, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfUInt: UInt, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfUInt8: UInt8, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfUInt16: UInt16, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfUInt32: UInt32, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfUInt64: UInt64, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfDouble: Double, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfFloat: Float, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private enum StepOfString: String, StepEntry {
    case one
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum StepOfInt128: Int128, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum StepOfUInt128: UInt128, StepEntry {
    case one = 1
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

/// A raw type that the standard library does not know.
private struct RankAmount: Codable, Equatable, Sendable {
    let count: Int

    init(_ count: Int) { self.count = count }
    init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}

private struct LevelOfAmount: DefaultCase, Codable, Equatable {
    static let defaultCase = LevelOfAmount(rawValue: RankAmount(0))
    let rawValue: RankAmount
    func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

private struct StepOfAmount: StepEntry {
    static let one = StepOfAmount(rawValue: RankAmount(1))
    let rawValue: RankAmount
    static func from(raw: Json) throws -> Self { try read(raw) }
    func toRaw() throws -> Json { "by hand" }
}

private struct AmountLevelEntry: Codable, RawMappable {
    let level: LevelOfAmount
    let step: StepOfAmount
}

@Suite("Enums with a default case, by their raw type")
struct DefaultCaseRawValueTests {
    private static let ranks: [any RankEntry.Type] = [
        RankOfInt.self, RankOfInt8.self, RankOfInt16.self, RankOfInt32.self, RankOfInt64.self,
        RankOfUInt.self, RankOfUInt8.self, RankOfUInt16.self, RankOfUInt32.self, RankOfUInt64.self,
        RankOfDouble.self, RankOfFloat.self, RankOfString.self,
    ]

    @Test("every raw type of an enum: an unknown value inside of a Codable entry becomes the default case")
    func unknownValues() throws {
        for type in Self.ranks { try checkRank(type) }
    }

    private struct RanksEntry<Rank: RankEntry>: Codable, RawMappable { let ranks: [Rank] }

    private func checkRank<Rank: RankEntry>(_ type: Rank.Type) throws {
        let text = Rank.self == RankOfString.self ? #"{"ranks":["1","7"]}"# : #"{"ranks":[1,7]}"#
        let mapped = mapping { try RanksEntry<Rank>.from(raw: Json.of(text)) }
        #expect(mapped.value?.ranks == [.one, .other], "\(type)")
        #expect(mapped.lines == ["warning unknown value $.ranks[1]"], "\(type)")
        let decoded = try JSONDecoder().decode(RanksEntry<Rank>.self, from: Data(text.utf8))
        #expect(decoded.ranks == [.one, .other], "\(type)")
        let written = Rank.self == RankOfString.self ? #"{"ranks":["1"]}"# : #"{"ranks":[1]}"#
        #expect(try RanksEntry(ranks: [Rank.one]).toRaw() == Json.of(written), "\(type)")
    }

    @Test("a raw type of the app: read and written as the raw value, or by hand")
    func rawTypesOfTheApp() throws {
        let entry: Json = ["level": 3, "step": "by hand"]
        let read = try AmountLevelEntry.from(raw: entry)
        #expect(read.level == LevelOfAmount(rawValue: RankAmount(3)))
        #expect(try read.toRaw() == entry)
        let decoded = try JSONDecoder().decode(AmountLevelEntry.self, from: entry.serialized())
        #expect(try Json(parsing: JSONEncoder().encode(decoded)) == entry)
    }

    private static let steps: [any StepEntry.Type] = [
        StepOfBool.self, StepOfInt.self, StepOfInt8.self, StepOfInt16.self, StepOfInt32.self,
        StepOfInt64.self, StepOfUInt.self, StepOfUInt8.self, StepOfUInt16.self, StepOfUInt32.self,
        StepOfUInt64.self, StepOfDouble.self, StepOfFloat.self, StepOfString.self,
    ]

    @Test("every raw type: an enum that is read and written by hand is never read or written as its raw value")
    func byHand() throws {
        for type in Self.steps { try checkStep(type) }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try checkStep(StepOfInt128.self)
            try checkStep(StepOfUInt128.self)
        }
    }

    private struct StepsEntry<Step: StepEntry>: Codable, RawMappable { let step: Step }

    private func checkStep<Step: StepEntry>(_ type: Step.Type) throws {
        let json: Json = ["step": "by hand"]
        #expect(try StepsEntry(step: Step.one).toRaw() == json, "\(type)")
        _ = try StepsEntry<Step>.from(raw: Json(parsing: json.serialized()))
        _ = try JSONDecoder().decode(StepsEntry<Step>.self, from: json.serialized())
    }
}
