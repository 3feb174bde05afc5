import Foundation
import Testing

@testable import Bilayer

/// `Json` as a part of `Codable` types, with our coders and with Foundation's.
@Suite(.smallStack) struct JsonCodableTests {
    private struct Envelope: Codable, Equatable {
        var id: Int
        var payload: Json
        var more: [String: Json?]
    }

    private static let text =
        #"{"id":1,"payload":{"exact":0.10000000000000000000000001,"big":123456789012345678901234567890,"z":[1.50,true,null]},"more":{"a":"t"}}"#

    @Test func ourDecoderGivesTheTextItself() throws {
        let envelope = try JsonDecoder().decode(Envelope.self, from: Data(Self.text.utf8))
        #expect(
            envelope.payload.description
                == #"{"exact":0.10000000000000000000000001,"big":123456789012345678901234567890,"z":[1.50,true,null]}"#
        )
        #expect(try JsonEncoder().encode(envelope) == Data(Self.text.utf8))
    }

    @Test func foundationDecodesEqualValues() throws {
        let text = #"{"id":1,"payload":{"n":[1,-2,18446744073709551615,0.25,"t",true,null,{},[]]},"more":{"a":null}}"#
        let ours = try JsonDecoder().decode(Envelope.self, from: Data(text.utf8))
        let theirs = try JSONDecoder().decode(Envelope.self, from: Data(text.utf8))
        #expect(ours == theirs)
        #expect(try Json(parsing: JSONEncoder().encode(ours)) == Json(parsing: text))
    }

    @Test func decodingFromAPartStartsItsPathThere() throws {
        let json = try Json(parsing: #"{"a":[{"name":1,"tags":[]}]}"#)
        let part = try #require(json["a"])
        let error = #expect(throws: DecodingError.self) { try part.decode([Plain.Child].self) }
        guard case .typeMismatch(_, let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue) == ["Index 0", "name"])
    }

    @Test func valuesMadeInCodeDecodeToo() throws {
        var json: Json = ["name": "n", "tags": ["a", nil]]
        #expect(try json.decode(Plain.Child.self) == Plain.Child(name: "n", tags: ["a", nil]))
        json["name"] = "m"
        #expect(try json.decode(Plain.Child.self).name == "m")
        #expect(try Json(7).decode(Int.self) == 7)
        #expect(try Json.null.decode(Int?.self) == nil)
    }

    @Test func encodingGivesAJsonThatHoldsTheText() throws {
        let json = try Json(encoding: Plain.Child(name: "n", tags: ["a", nil]))
        #expect(json.description == #"{"name":"n","tags":["a",null]}"#)
        #expect(json["tags"]?[0] == "a")
        var encoder = JsonEncoder()
        encoder.keys = .convertToSnakeCase
        #expect(try Json(encoding: ["keepMe": json], using: encoder)["keepMe"] == json)
    }

    @Test func keysOfAJsonAreValues() throws {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        struct Holder: Decodable { var theJson: Json }
        let holder = try decoder.decode(Holder.self, from: Data(#"{"the_json":{"keep_me":1}}"#.utf8))
        #expect(holder.theJson["keep_me"] == 1)
    }

    @Test func integersOf128BitsAreWhole() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
            try JsonDecoder().decode(type, from: Data(text.utf8))
        }
        #expect(try decode([Int128].self, "[-170141183460469231731687303715884105728]") == [.min])
        #expect(try decode(UInt128.self, "340282366920938463463374607431768211455") == .max)
        #expect(throws: DecodingError.self) { try decode(UInt128.self, "340282366920938463463374607431768211456") }
        // Equal numbers are read as equal values, whatever their spelling is.
        for text in ["9e27", "9000000000000000000000000000.0", "0.9e+28", "90000000000000000000000000000e-1"] {
            #expect(try decode(Int128.self, text) == 9_000_000_000_000_000_000_000_000_000)
            #expect(try decode(Int128.self, "-" + text) == -9_000_000_000_000_000_000_000_000_000)
            #expect(try Json(parsing: text).decode(UInt128.self) == 9_000_000_000_000_000_000_000_000_000)
        }
        #expect(try decode(UInt128.self, "34028236692093846346337460743176821145.5e1") == .max)
        for text in [
            "1e39", "1e400", "1e99999999999999999999", "0.5", "5e-1", "340282366920938463463374607431768211456.0",
        ] {
            #expect(throws: DecodingError.self) { try decode(UInt128.self, text) }
        }
        #expect(try JsonEncoder().encode([Int128.min]) == Data("[-170141183460469231731687303715884105728]".utf8))
    }

    /// A point and an exponent that undo each other leave the value as it is, up to its last digit.
    @Test(arguments: Seeds.some(20)) func integersOf128BitsInAnySpelling(seed: UInt64) throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let value = Int128(truncatingIfNeeded: random.next()) << Int128.random(in: 0...63, using: &random)
            let sign = value < 0 ? "-" : ""
            let digits = "\(value.magnitude)" + String(repeating: "0", count: Int.random(in: 0...3, using: &random))
            let zeros = digits.count - "\(value.magnitude)".count
            let whole = Int.random(in: 1...digits.count, using: &random)
            let point = digits.index(digits.startIndex, offsetBy: whole)
            let decimals = digits[point...].isEmpty ? "" : ".\(digits[point...])"
            let text = "\(sign)\(digits[..<point])\(decimals)e\(digits.count - whole - zeros)"
            #expect(try JsonDecoder().decode(Int128.self, from: Data(text.utf8)) == value, "\(text)")
            let half = "\(sign)\(digits[..<point])\(decimals.isEmpty ? "." : decimals)5e\(digits.count - whole - zeros)"
            if zeros == 0 {
                #expect(throws: DecodingError.self, "\(half)") {
                    try JsonDecoder().decode(Int128.self, from: Data(half.utf8))
                }
            }
        }
    }

    @Test func nothingAtAllIsAnError() throws {
        struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Silent()) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Silent()) }
        #expect(try JsonEncoder().encode([Silent()]) == Data("[{}]".utf8))
    }
}
