import Foundation
import Testing

@testable import Bilayer

/// A type that reads itself by one of the tools, from a text of any depth. The result is a value or an error, never the
/// end of the process.
private protocol DeepToolNode: RawDecodable where Raw == Json {
    init()
    /// Reads the value inside by one of the tools.
    static func readInside(_ raw: Json) throws
}

extension DeepToolNode {
    static func from(raw: Json) throws -> Self {
        if raw.kind == .object, raw["next"] != nil { try readInside(raw) }
        return Self()
    }
}

private struct LossyListNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decodeLossy("next") as [Self] }
}

private struct LossyDictionaryNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decodeLossy("next") as [String: Self] }
}

private struct AnyOfNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decode(anyOf: "missing", "next") as Self }
}

private struct AnyOfIfPresentNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decodeIfPresent(anyOf: "missing", "next") as Self? }
}

private struct AtKeyNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.at("next") { try Self.from(raw: $0) } }
}

private struct AtPathNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.at(path: "next") { try Self.from(raw: $0) } }
}

private struct PathNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decode(path: "next") as Self }
}

private struct OptionalPathNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decode(path: "next") as Self? }
}

private struct PathIfPresentNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw.decodeIfPresent(path: "next") as Self? }
}

private struct FormatNode: DeepToolNode {
    private static let format = ValueFormat<Self>("a node") {
        try Self.from(raw: $0)
    } write: { _ in
        .null
    }
    static func readInside(_ raw: Json) throws { _ = try raw.decode("next", as: .oneOrMany(format)) }
}

private struct FormatIfPresentNode: DeepToolNode {
    private static let format = ValueFormat<Self>("a node") {
        try Self.from(raw: $0)
    } write: { _ in
        .null
    }
    static func readInside(_ raw: Json) throws { _ = try raw.decodeIfPresent("next", as: .oneOrMany(format)) }
}

private struct ElementNode: DeepToolNode {
    static func readInside(_ raw: Json) throws { _ = try raw["next"]?.decode(at: 0) as Self? }
}

private struct DeepGroupEntry: Codable, RawMappable {
    let next: [DeepShapeEntry]?
}

private enum DeepShapeEntry: Discriminated, Codable {
    case group(DeepGroupEntry)

    static let discriminator = Discriminator<DeepShapeEntry>.on("type", ["group": { .group(try .from(raw: $0)) }])

    func encode(to encoder: any Encoder) throws {}
}

private struct HandledEntry: Codable, RawMappable {
    let next: [Handled]?

    /// A value that a `Codable` type reads by hand.
    struct Handled: Codable {
        let entry: HandledEntry

        init(from decoder: any Decoder) throws {
            entry = try .from(raw: decoder.singleValueContainer().decode(Json.self))
        }

        func encode(to encoder: any Encoder) throws {}
    }
}

/// A value with `levels` levels inside. None of them exists before it is converted.
private struct LevelEntry: Sendable { let levels: Int }

private struct LossyLevelModel: DTODecodable {
    static func from(dto: LevelEntry) throws -> Self {
        if dto.levels > 0 { _ = try [Self].lossy(from: [LevelEntry(levels: dto.levels - 1)], at: "next") }
        return Self()
    }
}

private struct LossyConversionModel {
    static func make(_ entry: LevelEntry) throws -> Self {
        if entry.levels > 0 { _ = try [Self].lossy(from: [LevelEntry(levels: entry.levels - 1)], at: "next", make) }
        return Self()
    }
}

private struct LossyDictionaryModel: DTODecodable {
    static func from(dto: LevelEntry) throws -> Self {
        if dto.levels > 0 { _ = try [String: Self].lossy(from: ["a": LevelEntry(levels: dto.levels - 1)], at: "next") }
        return Self()
    }
}

private struct CompactLevelModel: DTODecodable {
    static func from(dto: LevelEntry) throws -> Self {
        if dto.levels > 0 { _ = try [Self].compact(from: [LevelEntry(levels: dto.levels - 1), nil], at: "next") }
        return Self()
    }
}

private struct FieldLevelEntry: RawEncodable {
    let levels: Int

    func toRaw() throws -> Json {
        var raw: Json = [:]
        if levels > 0 {
            try raw.set(Field.value(FieldLevelEntry(levels: levels - 1)), forKey: "next")
            // Only the calls are to be deep, so the value that they make stays flat.
            raw["next"] = 1
        }
        return raw
    }
}

@Suite("Deep values on small stacks, read and converted by the tools")
struct DeepToolsTests {
    enum Shape {
        case objects, arrays, dictionaries

        func text(depth: Int) -> String {
            let (open, inside, close) =
                switch self {
                case .objects: (#"{"type":"group","next":"#, "{}", "}")
                case .arrays: (#"{"type":"group","next":["#, #"{"type":"group"}"#, "]}")
                case .dictionaries: (#"{"next":{"a":"#, "{}", "}}")
                }
            return String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
        }
    }

    private static func expectValueOrError(_ depths: [Int], _ run: @escaping @Sendable (Int) throws -> Void) throws {
        for depth in depths {
            let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) { () -> MappingError? in
                do {
                    try run(depth)
                    return nil
                } catch { return error as? MappingError ?? MappingError(MappingIssue(.foreign)) }
            }
            #expect(failure?.issues.first?.kind != .foreign)
            if let failure, failure.issues.map(\.kind) == [.invalidValue] {
                #expect("\(failure)".contains("on this thread's stack"))
            }
            // With the address sanitizer each level needs more stack.
            let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
            #expect(failure == nil || depth > 12 || isSanitized, "the least depth fits on every stack")
            #expect(failure != nil || depth < 20_000)
        }
    }

    private static func expectValueOrError<Value: RawDecodable>(
        reading type: Value.Type,
        _ shape: Shape,
        depths: [Int] = [12, 60, 240, 20_000]
    ) throws where Value.Raw == Json {
        for isDetached in [false, true] {
            try expectValueOrError(depths) { depth in
                var raw = try Json(parsing: shape.text(depth: depth), options: .init(maximumDepth: .max))
                if isDetached { _ = raw.set("x", at: [.key("y")]) }
                _ = try type.from(raw: raw)
            }
        }
    }

    @Test func lossyCollectionsByHand() throws {
        try Self.expectValueOrError(reading: LossyListNode.self, .arrays)
        try Self.expectValueOrError(reading: LossyDictionaryNode.self, .dictionaries)
    }

    @Test func alternativeKeys() throws {
        try Self.expectValueOrError(reading: AnyOfNode.self, .objects)
        try Self.expectValueOrError(reading: AnyOfIfPresentNode.self, .objects)
    }

    @Test func paths() throws {
        try Self.expectValueOrError(reading: AtKeyNode.self, .objects)
        try Self.expectValueOrError(reading: AtPathNode.self, .objects)
        try Self.expectValueOrError(reading: PathNode.self, .objects)
        try Self.expectValueOrError(reading: OptionalPathNode.self, .objects)
        try Self.expectValueOrError(reading: PathIfPresentNode.self, .objects)
    }

    @Test func formatsAndElements() throws {
        try Self.expectValueOrError(reading: FormatNode.self, .objects)
        try Self.expectValueOrError(reading: FormatIfPresentNode.self, .objects)
        try Self.expectValueOrError(reading: ElementNode.self, .arrays)
    }

    /// Each entry by hand begins a call of the decoder, which counts its levels from 0.
    @Test func entriesByHandInsideOfCodableOnes() throws {
        let depths = [12, 40, 100, 20_000]
        try Self.expectValueOrError(reading: DeepGroupEntry.self, .arrays, depths: depths)
        try Self.expectValueOrError(reading: HandledEntry.self, .arrays, depths: depths)
    }

    @Test(arguments: [MappingPolicy.salvaging, .collectingAll()])
    func entriesByHandInsideOfCodableOnesUnder(policy: MappingPolicy) throws {
        for depth in [12, 40, 1_000] {
            let issues = try onStack(ofBytes: SmallStackTrait.stackBytes) { () -> [MappingIssue] in
                let raw = try Json(parsing: Shape.arrays.text(depth: depth), options: .init(maximumDepth: .max))
                return mapping(policy) { try DeepGroupEntry.from(raw: raw) }.issues
            }
            let ofStack = issues.flatMap { [$0] + $0.causes }.contains { "\($0)".contains("on this thread's stack") }
            #expect(issues.isEmpty || ofStack, "\(issues)")
            // With the address sanitizer each level needs more stack.
            let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
            #expect(issues.isEmpty || depth > 12 || isSanitized, "the least depth fits on every stack")
            #expect(!issues.isEmpty || depth < 1_000)
        }
    }

    @Test func lossyModels() throws {
        let depths = [12, 60, 240, 20_000]
        try Self.expectValueOrError(depths) { _ = try LossyLevelModel.from(dto: LevelEntry(levels: $0)) }
        try Self.expectValueOrError(depths) { _ = try LossyConversionModel.make(LevelEntry(levels: $0)) }
        try Self.expectValueOrError(depths) { _ = try LossyDictionaryModel.from(dto: LevelEntry(levels: $0)) }
        try Self.expectValueOrError(depths) { _ = try CompactLevelModel.from(dto: LevelEntry(levels: $0)) }
    }

    @Test func fieldsThatAreSet() throws {
        try Self.expectValueOrError([12, 60, 240, 20_000]) { _ = try FieldLevelEntry(levels: $0).toRaw() }
    }
}
