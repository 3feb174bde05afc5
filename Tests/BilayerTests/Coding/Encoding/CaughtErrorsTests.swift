import Foundation
import Testing

@testable import Bilayer

/// Chains of `try?` make errors that nobody reads, so errors are cheap to make. An error that is read is complete.
@Suite("Errors that are caught", .smallStack)
struct CaughtErrorsTests {
    /// Notes the error of each attempt.
    private struct Attempts: Decodable {
        var errors: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            func attempt(_ body: () throws -> Void) {
                do { try body() } catch { errors.append(Self.text(of: error)) }
            }
            attempt { _ = try container.decode(Bool.self) }
            attempt { _ = try container.decode(UInt8.self) }
            attempt { _ = try container.decode(String.self) }
            attempt { _ = try container.decode([String].self) }
            attempt { _ = try container.decode([String: Int].self) }
            attempt { _ = try decoder.container(keyedBy: PathKey.self) }
            attempt { _ = try decoder.unkeyedContainer() }
        }

        private static func text(of error: any Error) -> String {
            switch error {
            case DecodingError.typeMismatch(let type, let context): "mismatch \(type) \(text(of: context))"
            case DecodingError.valueNotFound(let type, let context): "null \(type) \(text(of: context))"
            case DecodingError.dataCorrupted(let context): "corrupted \(text(of: context))"
            default: "\(error)"
            }
        }

        private static func text(of context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return "\(path.joined(separator: ".")): \(context.debugDescription)"
        }
    }

    private struct Box: Decodable { var items: [String: [Attempts]] }

    @Test(
        "each has its whole path and says what was found",
        arguments: [
            (
                "\"x\"",
                [
                    "mismatch Bool $: Expected Bool, found a string.",
                    "mismatch UInt8 $: Expected UInt8, found a string.",
                    "mismatch Array<String> $: Expected Array<String>, found a string.",
                    "mismatch Dictionary<String, Int> $: Expected Dictionary<String, Int>, found a string.",
                    "mismatch KeyedDecodingContainer<PathKey> $: Expected an object, found a string.",
                    "mismatch UnkeyedDecodingContainer $: Expected an array, found a string.",
                ]
            ),
            (
                "300",
                [
                    "mismatch Bool $: Expected Bool, found a number.", "corrupted $: The number does not fit in UInt8.",
                    "mismatch String $: Expected String, found a number.",
                    "mismatch Array<String> $: Expected Array<String>, found a number.",
                    "mismatch Dictionary<String, Int> $: Expected Dictionary<String, Int>, found a number.",
                    "mismatch KeyedDecodingContainer<PathKey> $: Expected an object, found a number.",
                    "mismatch UnkeyedDecodingContainer $: Expected an array, found a number.",
                ]
            ),
            (
                "null",
                [
                    "null Bool $: Expected Bool, found null.", "null UInt8 $: Expected UInt8, found null.",
                    "null String $: Expected String, found null.",
                    "null Array<String> $: Expected Array<String>, found null.",
                    "null Dictionary<String, Int> $: Expected Dictionary<String, Int>, found null.",
                    "null KeyedDecodingContainer<PathKey> $: Expected an object, found null.",
                    "null UnkeyedDecodingContainer $: Expected an array, found null.",
                ]
            ),
        ]
    )
    func everythingIsThere(_ value: String, _ expected: [String]) throws {
        let text = #"{"items":{"a key":[true,\#(value),\#(value)]}}"#
        // Twice, because the decoder keeps the texts of a type's first error for the next one.
        for _ in 0..<2 {
            let box = try JsonDecoder().decode(Box.self, from: Data(text.utf8))
            let attempts = try #require(box.items["a key"])
            for index in 1...2 {
                #expect(
                    attempts[index].errors
                        == expected.map { $0.replacingOccurrences(of: "$:", with: "items.a key.[\(index)]:") }
                )
            }
        }
    }

    @Test("keys of a path are held without memory of their own")
    func pathKeys() {
        #expect(MemoryLayout<PathKey>.size <= 3 * MemoryLayout<Int>.size)
        #expect(PathKey(index: 7).intValue == 7)
        #expect(PathKey(index: 7).stringValue == "Index 7")
        #expect(PathKey(index: -1).intValue == -1)
        #expect(PathKey("7").intValue == nil)
        #expect(PathKey("").stringValue == "")
        #expect(PathKey("Index 7") != PathKey(index: 7))
    }
}
