import Foundation
import Testing

@testable import Bilayer

/// Keys are distinguished by their bytes in both coders, however they are looked up. The tests use two spellings of `é`
/// that are equal as Swift's `String`.
@Suite(.smallStack) struct KeyBytesTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What a container answers for both keys: at first, and after it was asked for eight others.
    private struct Witness: Decodable {
        var early: [Int?] = []
        var late: [Int?] = []
        var listed: [[UInt8]]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            func look() throws -> [Int?] {
                try [composed, decomposed]
                    .map { name in
                        let key = AnyKey(stringValue: name)
                        let value = try container.decodeIfPresent(Int.self, forKey: key)
                        #expect(container.contains(key) == (value != nil))
                        return value
                    }
            }
            early = try look()
            for other in 0..<8 { #expect(!container.contains(AnyKey(stringValue: "other \(other)"))) }
            late = try look()
            listed = container.allKeys.map { Array($0.stringValue.utf8) }
        }
    }

    private static let texts: [(text: String, values: [Int?])] = [
        (#"{"é":1}"#, [1, nil]),
        (#"{"\u00e9":1}"#, [1, nil]),
        (#"{"e\u0301":2}"#, [nil, 2]),
        ("{\"e\u{301}\":2}", [nil, 2]),
        (#"{"é":1,"e\u0301":2}"#, [1, 2]),
        ("{\"e\u{301}\":2,\"\\u00E9\":1}", [1, 2]),
        (#"{"é":1,"e\u0301":2,"\u00e9":3,"e\u0301":4}"#, [1, 2]),
    ]

    @Test("of a container for any key", arguments: trickSets.indices, texts)
    func anyKeys(optimizations: Int, sample: (text: String, values: [Int?])) throws {
        let unchanged: @Sendable ([any CodingKey]) -> any CodingKey = { $0.last ?? PathKey("") }
        let strategies: [JsonDecoder.KeyStrategy] = [
            .useDefaultKeys, .convertFromSnakeCase, .custom(unchanged), .naming(.snakeCase),
        ]
        for strategy in strategies {
            var decoder = JsonDecoder()
            decoder.optimizations = trickSets[optimizations]
            decoder.keys = strategy
            let found = try decoder.decode(Witness.self, from: Data(sample.text.utf8))
            #expect(found.early == sample.values, "\(strategy)")
            #expect(found.late == sample.values, "\(strategy)")
            #expect(found.listed.count == sample.values.compactMap(\.self).count, "\(strategy)")
            #expect(found.listed.contains(Array(Self.decomposed.utf8)) == (sample.values[1] != nil), "\(strategy)")
        }
    }

    @Test(
        "in a dictionary, whose keys are Swift's strings, they come together, and the first counts",
        arguments: trickSets.indices
    )
    func dictionaries(optimizations: Int) throws {
        var decoder = JsonDecoder()
        decoder.optimizations = trickSets[optimizations]
        let text = #"{"é":1,"e\u0301":2,"x":3}"#
        let found = try decoder.decode([String: Int].self, from: Data(text.utf8))
        #expect(found == ["\u{E9}": 1, "x": 3])
        #expect(found == (try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))))
    }

    private struct Writer: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey(stringValue: composed))
            try container.encode(2, forKey: AnyKey(stringValue: decomposed))
            try container.encode(3, forKey: AnyKey(stringValue: "x"))
            try container.encode(4, forKey: AnyKey(stringValue: "x"))
        }
    }

    @Test("in the text that is written", arguments: trickSets.indices)
    func writing(optimizations: Int) throws {
        let strategies: [JsonEncoder.KeyStrategy] = [.useDefaultKeys, .convertToSnakeCase, .naming(.snakeCase)]
        for strategy in strategies {
            var encoder = JsonEncoder()
            encoder.optimizations = trickSets[optimizations]
            encoder.keys = strategy
            let text = try encoder.encode(Writer())
            #expect(text == Data("{\"\u{E9}\":1,\"e\u{301}\":2,\"x\":4}".utf8), "\(strategy)")
        }
    }
}
