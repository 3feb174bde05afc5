import Bilayer
import Foundation
import Testing

/// Reads its base class's part from a super decoder.
private struct DerivedEntry: Codable, RawMappable {
    struct Base: Codable { var id: Int }
    enum CodingKeys: String, CodingKey { case base }
    var base: Base

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        base = try Base(from: container.superDecoder(forKey: .base))
    }
}

/// Notes the error of reading past the end of its array.
private struct EndEntry: Codable, RawMappable {
    var ends: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        note { _ = try container.decode([String].self) }
        note { _ = try container.decode(Int.self) }
        note { _ = try container.nestedContainer(keyedBy: DerivedEntry.CodingKeys.self) }
        note { _ = try container.nestedUnkeyedContainer() }
        note { _ = try container.superDecoder() }
    }

    private mutating func note(_ read: () throws -> Void) {
        do {
            try read()
        } catch DecodingError.valueNotFound(let type, let context) {
            ends.append("\(type): \(context.debugDescription)")
        } catch {
            ends.append("\(error)")
        }
    }

    func encode(to encoder: any Encoder) throws {}
}

/// Notes the paths of the errors of reading past the end of its array of one number.
private struct EndPaths: Decodable {
    var paths: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        note { _ = try container.decode(Int.self) }
        note { _ = try container.decode([Int].self) }
        note { _ = try container.decodeNil() }
        note { _ = try container.nestedContainer(keyedBy: DerivedEntry.CodingKeys.self) }
        note { _ = try container.nestedUnkeyedContainer() }
        note { _ = try container.superDecoder() }
    }

    private mutating func note(_ read: () throws -> Void) {
        do {
            try read()
            paths.append("none")
        } catch DecodingError.valueNotFound(_, let context) {
            paths.append(context.codingPath.map(\.stringValue).joined(separator: "."))
        } catch {
            paths.append("\(error)")
        }
    }
}

@Suite("A part that a container does not have")
struct PartsOfContainersTests {
    @Test(
        "is missing, and not null, if a super decoder reads it",
        arguments: [MappingPolicy.standard, .strict, .collectingAll()]
    )
    func superDecoderOfNothing(policy: MappingPolicy) throws {
        let missing = mapping(policy) { try [DerivedEntry].from(raw: Json.of("[{}]")) }
        #expect(missing.lines == ["error missing $[0].base"])
        let null = mapping(policy) { try [DerivedEntry].from(raw: Json.of(#"[{"base":null}]"#)) }
        #expect(null.lines == ["error null $[0].base"])
    }

    @Test("is missing for a decoder without a mapping, too")
    func superDecoderWithoutMapping() throws {
        let error = #expect(throws: DecodingError.self) {
            try JsonDecoder().decode(DerivedEntry.self, from: Data("{}".utf8))
        }
        #expect("\(MappingError(wrapping: try #require(error)))" == "$.base: missing: expected an object")
    }

    @Test("has the path of the next element at the end of an array, as in Foundation")
    func pathAtTheEndOfAnArray() throws {
        let text = Data(#"{"list":[7]}"#.utf8)
        let paths = try JsonDecoder().decode([String: EndPaths].self, from: text)["list"]?.paths
        #expect(paths?.allSatisfy { $0 == "list.Index 1" } == true)
        #expect(paths == (try JSONDecoder().decode([String: EndPaths].self, from: text)["list"]?.paths))
    }

    @Test("has the same error at the end of an array, whether unknown keys are looked for or not")
    func endOfArray() throws {
        let raw = try Json.of("[[]]")
        let expected = try [EndEntry].from(raw: raw)[0].ends
        #expect(expected.count == 5)
        for rule in [MappingPolicy.UnknownKeys.report, .fail] {
            var policy = MappingPolicy.standard
            policy.unknownKeys = rule
            let read = mapping(policy) { try [EndEntry].from(raw: raw) }
            #expect(read.value?[0].ends == expected)
        }
    }
}
