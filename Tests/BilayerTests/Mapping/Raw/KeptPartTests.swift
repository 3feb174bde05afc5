import Bilayer
import Foundation
import Testing

private struct PartEntry: Codable, RawMappable {
    @Lossy var levels: [Int]
    var label: String
}

/// A `Codable` entry that keeps a part as JSON, and reads it afterwards.
private struct KeepingEntry: Codable, RawMappable {
    var part: PartEntry

    private enum CodingKeys: CodingKey { case part }

    init(from decoder: any Decoder) throws {
        let part = try decoder.container(keyedBy: CodingKeys.self).decode(Json.self, forKey: .part)
        self.part = try PartEntry.from(raw: part)
    }
}

/// An entry by hand that keeps a part as JSON, and reads it afterwards.
private struct KeepingByHand: CodableByHand {
    var part: PartEntry

    static func from(raw: Json) throws -> KeepingByHand {
        let part: Json = try raw.decode("part")
        return KeepingByHand(part: try PartEntry.from(raw: part))
    }
    func toRaw() throws -> Json { try Json.object { try $0.write(part, forKey: "part") } }
}

private struct Holder<Value: Codable & Sendable>: Codable, RawMappable { var held: Value }
private struct LossyHolder<Value: Codable & Sendable>: Codable, RawMappable { @Lossy var held: [Value] }
private struct HolderByHand<Value: RawDecodable>: RawDecodable where Value.Raw == Json {
    var held: Value

    static func from(raw: Json) throws -> HolderByHand { HolderByHand(held: try raw.decode("held")) }
}
private struct HolderAtPath<Value: RawDecodable>: RawDecodable where Value.Raw == Json {
    var held: Value

    static func from(raw: Json) throws -> HolderAtPath { HolderAtPath(held: try raw.decode(path: "held[0]")) }
}

/// Reads an entry by a format.
private struct HolderByFormat<Value: RawMappable & Sendable>: RawDecodable where Value.Raw == Json {
    var held: [Value]

    static func from(raw: Json) throws -> HolderByFormat {
        let first: Value = try raw.decode(at: 0, as: .plain)
        let lists = try raw.decode(at: 1, as: ValueFormat<[Value]>.array(of: .plain))
        let members = try raw.decode(at: 2, as: ValueFormat<[String: Value]>.members(of: .plain))
        return HolderByFormat(held: [first] + lists + members.values)
    }
}

extension MappingIssue {
    fileprivate var innermostCauses: [MappingIssue] { causes.isEmpty ? [self] : causes.flatMap(\.innermostCauses) }
}

@Suite("A part that is kept as JSON and read later has its path from the root, wherever its entry is")
struct KeptPartTests {
    private static let policies = [MappingPolicy.standard, .strict, .salvaging, .collectingAll()]
    /// A required member of the part is missing.
    private static let broken = #"{"first":0,"part":{"levels":[1]}}"#
    /// An element of a lossy list of the part is wrong.
    private static let noted = #"{"first":0,"part":{"levels":[1,"a"],"label":"b"}}"#

    /// Expects the paths of the missing member and of the wrong element: `place`, followed by their paths.
    private func expect<Value: RawDecodable>(
        _ type: Value.Type,
        in text: (String) -> String,
        at place: String
    ) throws where Value.Raw == Json {
        let broken = try Json.of(text(Self.broken))
        let noted = try Json.of(text(Self.noted))
        let error = #expect(throws: MappingError.self, "without a mapping") { try Value.from(raw: broken) }
        #expect(error?.issues.map(\.path.exactDescription) == [place + ".part.label"])
        for policy in Self.policies {
            let failed = mapping(policy) { try Value.from(raw: broken) }
            let missing = failed.issues.flatMap(\.innermostCauses).filter { $0.kind == .missing }
            #expect(missing.map(\.path.exactDescription) == [place + ".part.label"], "\(Value.self)")
            let read = mapping(policy) { try Value.from(raw: noted) }
            let wrong = read.issues.flatMap(\.innermostCauses)
            #expect(Set(wrong.map(\.path.exactDescription)) == [place + ".part.levels[1]"], "\(Value.self)")
        }
    }

    @Test func ofCodableEntries() throws {
        try expect(KeepingEntry.self, in: { $0 }, at: "$")
        try expect([KeepingEntry].self, in: { "[\($0)]" }, at: "$[0]")
        try expect([[KeepingEntry]].self, in: { "[[],[\($0)]]" }, at: "$[1][0]")
        try expect([String: KeepingEntry].self, in: { "{\"k\":\($0)}" }, at: "$.k")
        try expect(Holder<KeepingEntry>.self, in: { "{\"held\":\($0)}" }, at: "$.held")
        try expect([Holder<[KeepingEntry]>].self, in: { "[{\"held\":[\($0)]}]" }, at: "$[0].held[0]")
        try expect(HolderByHand<KeepingEntry>.self, in: { "{\"held\":\($0)}" }, at: "$.held")
        try expect(HolderByHand<[KeepingEntry]>.self, in: { "{\"held\":[\($0)]}" }, at: "$.held[0]")
        try expect([HolderAtPath<KeepingEntry>].self, in: { "[{\"held\":[\($0)]}]" }, at: "$[0].held[0]")
    }

    @Test func ofEntriesByHand() throws {
        try expect(KeepingByHand.self, in: { $0 }, at: "$")
        try expect([KeepingByHand].self, in: { "[\($0)]" }, at: "$[0]")
        try expect([String: KeepingByHand].self, in: { "{\"k\":\($0)}" }, at: "$.k")
        try expect(Holder<KeepingByHand>.self, in: { "{\"held\":\($0)}" }, at: "$.held")
        try expect([Holder<[String: KeepingByHand]>].self, in: { "[{\"held\":{\"k\":\($0)}}]" }, at: "$[0].held.k")
        try expect([HolderByHand<KeepingByHand>].self, in: { "[{\"held\":\($0)}]" }, at: "$[0].held")
        try expect([HolderAtPath<KeepingByHand>].self, in: { "[{\"held\":[\($0)]}]" }, at: "$[0].held[0]")
    }

    @Test func ofEntriesThatAFormatReads() throws {
        let good = #"{"first":0,"part":{"levels":[],"label":"b"}}"#
        try expect(HolderByFormat<KeepingByHand>.self, in: { "[\($0),[],{}]" }, at: "$[0]")
        try expect(HolderByFormat<KeepingEntry>.self, in: { "[\($0),[],{}]" }, at: "$[0]")
        try expect(HolderByFormat<KeepingByHand>.self, in: { "[\(good),[\($0)],{}]" }, at: "$[1][0]")
        try expect(HolderByFormat<KeepingByHand>.self, in: { "[\(good),[],{\"k\":\($0)}]" }, at: "$[2].k")
    }

    @Test func ofAttributesOfAResource() throws {
        let raw = try Json.of(#"{"data":{"type":"t","id":"1","attributes":\#(Self.broken)}}"#)
        struct Part: DTODecodable {
            let part: PartEntry
            static func from(dto: JSONAPIResource) throws -> Part {
                Part(part: try dto.attributes(as: KeepingByHand.self).part)
            }
        }
        let document = try JSONAPIDocument.from(raw: raw)
        let error = #expect(throws: MappingError.self) { try document.one(Part.self, of: "t") }
        #expect(error?.path.exactDescription == "$.data.attributes.part.label")
    }

    @Test("of elements that are left out: in the causes")
    func lossily() throws {
        let text = "[{\"held\":[\(Self.noted),\(Self.broken)]}]"
        let raw = try Json.of(text)
        for paths in [
            mapping { try [LossyHolder<KeepingEntry>].from(raw: raw) }.issues,
            mapping { try [LossyHolder<KeepingByHand>].from(raw: raw) }.issues,
        ] {
            let described = paths.map { ([$0] + $0.causes).map(\.path.exactDescription) }
            #expect(described.contains(["$[0].held[1]", "$[0].held[1].part.label"]), "\(described)")
        }
    }
}
