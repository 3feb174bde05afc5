import Foundation
import Testing

@testable import Bilayer

/// One test for each row of the table in DifferencesFromFoundation.md: what Foundation does, and what we do.
@Suite struct DifferencesFromFoundationTests {
    private func foundation<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func bilayer<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JsonDecoder().decode(type, from: Data(text.utf8))
    }

    @Test func trailingCommasAreRefused() throws {
        #expect(try foundation([Int].self, "[1,]") == [1])
        #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1,]") }
        #expect(throws: DecodingError.self) { try bilayer([String: Int].self, #"{"a":1,}"#) }
    }

    @Test func zeroWithAnExponentIsANumber() throws {
        #expect(throws: DecodingError.self) { try foundation([Double].self, "[0e1]") }
        #expect(try bilayer([Double].self, "[0e1]") == [0])
        #expect(try bilayer([Int].self, "[0e1]") == [0])
    }

    @Test func keysAreComparedByTheirBytes() throws {
        struct Accented: Decodable {
            var value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
        }
        let decomposed = "{\"e\u{301}\":1}"
        #expect(try foundation(Accented.self, decomposed).value == 1)
        #expect(try bilayer(Accented.self, decomposed).value == nil)
        #expect(try bilayer(Accented.self, "{\"\u{E9}\":1}").value == 1)
        let json = try bilayer(Json.self, "{\"e\u{301}\":1,\"\u{E9}\":2}")
        #expect(json.count == 2)
    }

    @Test func duplicateKeysCanCountInAnotherWay() throws {
        let text = #"{"k":1,"k":2}"#
        #expect(try foundation([String: Int].self, text) == ["k": 1])
        #expect(try bilayer([String: Int].self, text) == ["k": 1])
        var decoder = JsonDecoder()
        decoder.parsing.duplicateKeys = .lastWins
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)) == ["k": 2])
        struct One: Decodable { var k: Int }
        #expect(try decoder.decode(One.self, from: Data(text.utf8)).k == 2)
        decoder.parsing.duplicateKeys = .reject
        #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: Data(text.utf8)) }
    }

    @Test func onlyUTF8IsRead() throws {
        let text = try #require("[1]".data(using: .utf16))
        #expect(try JSONDecoder().decode([Int].self, from: text) == [1])
        #expect(throws: DecodingError.self) { try JsonDecoder().decode([Int].self, from: text) }
    }

    @Test func numbersThatDoNotFitHaveAPath() throws {
        let error = #expect(throws: DecodingError.self) { try bilayer([String: [UInt8]].self, #"{"a":[1,256]}"#) }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        #expect(!context.debugDescription.contains("256"))
    }

    @Test func syntaxErrorsKnowTheirPlace() throws {
        let error = #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1,\n 2 3]") }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        let syntax = try #require(context.underlyingError as? JsonSyntaxError)
        #expect((syntax.byteOffset, syntax.line, syntax.column) == (7, 2, 4))
    }

    @Test func integersOf128BitsAreWhole() throws {
        #expect(try bilayer([Int128].self, "[-170141183460469231731687303715884105728]") == [.min])
        #expect(try bilayer(UInt128.self, "340282366920938463463374607431768211455") == .max)
        #expect(throws: DecodingError.self) { try bilayer(UInt128.self, "340282366920938463463374607431768211456") }
        #expect(try JsonEncoder().encode([Int128.min]) == Data("[-170141183460469231731687303715884105728]".utf8))
    }

    @Test func membersKeepTheirOrderAndSlashesTheirLooks() throws {
        let value = Plain.Child(name: "a/b", tags: [])
        #expect(try JsonEncoder().encode(value) == Data(#"{"name":"a/b","tags":[]}"#.utf8))
        #expect(try JSONEncoder().encode("a/b") == Data(#""a\/b""#.utf8))
    }

    @Test func nestingHasALimit() throws {
        var tree = Tree.leaf(0)
        for _ in 0..<1000 { tree = .node(left: tree, right: .leaf(1)) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(tree) }
        var encoder = JsonEncoder()
        encoder.maximumDepth = 4000
        let text = try encoder.encode(tree)
        #expect(throws: DecodingError.self) { try JsonDecoder().decode(Tree.self, from: text) }
        var decoder = JsonDecoder()
        decoder.parsing.maximumDepth = 4000
        #expect(try encoder.encode(decoder.decode(Tree.self, from: text)) == text)
    }

    @Test func endlessCodingIsAnError() throws {
        struct Endless: Codable {
            init() {}
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Endless.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Endless())
            }
        }
        #expect(throws: DecodingError.self) { try bilayer(Endless.self, "1") }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Endless()) }
    }

    @Test func aSecondValueAtOnePlaceIsAnError() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("a"))
                var list = encoder.unkeyedContainer()
                try? list.encode(2)
            }
        }
        struct Again: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Twice()]) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Again()]) }
    }

    @Test func nothingAtAllIsAnError() throws {
        struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Silent()) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Silent()) }
        #expect(try JsonEncoder().encode([Silent()]) == Data("[{}]".utf8))
    }
}
