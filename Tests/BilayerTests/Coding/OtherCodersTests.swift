import Bilayer
import Foundation
import Testing

/// `Json` through Foundation's coders: the same value comes back, or there is an error with the path and the reason.
@Suite("Json through other coders", .smallStack)
struct OtherCodersTests {
    struct Envelope: Codable, Equatable { var payload: [String: Json] }

    enum Coder: String, CaseIterable, CustomTestStringConvertible {
        case json, snakeCaseJson, binaryPropertyList, xmlPropertyList

        var testDescription: String { rawValue }
        var isJson: Bool { self == .json || self == .snakeCaseJson }

        func encode(_ value: some Encodable) throws -> Data {
            switch self {
            case .json, .snakeCaseJson:
                let encoder = JSONEncoder()
                if self == .snakeCaseJson { encoder.keyEncodingStrategy = .convertToSnakeCase }
                return try encoder.encode(value)
            case .binaryPropertyList, .xmlPropertyList:
                let encoder = PropertyListEncoder()
                encoder.outputFormat = self == .xmlPropertyList ? .xml : .binary
                return try encoder.encode(value)
            }
        }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            guard isJson else { return try PropertyListDecoder().decode(type, from: data) }
            let decoder = JSONDecoder()
            if self == .snakeCaseJson { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            return try decoder.decode(type, from: data)
        }

        func roundTrip(_ json: Json) throws -> Json? {
            try decode(Envelope.self, from: try encode(Envelope(payload: ["value": json]))).payload["value"]
        }
    }

    @Test(
        "what a coder can hold comes back equal",
        arguments: Coder.allCases,
        [
            "null", "true", "false", #""""#, #""text é 😀""#, "[]", "{}", "[null,[],{}]",
            #"{"a":{"b":[1,"x",null,true]}}"#,
            #"{"user_name":1,"userName":2,"User Name":{"nested_key":null}}"#,
            "0", "-0", "-0.0", "1", "7.0", "70e-1", "-9223372036854775808", "9223372036854775807",
            "18446744073709551615",
            "0.1", "1.5", "-12.25", "1e-7", "1e22", "1e200", "5e-324", "1.7976931348623157e308", "0.30000000000000004",
        ]
    )
    func sameValue(coder: Coder, text: String) throws {
        let json = try Json(parsing: text)
        let back = try #require(try coder.roundTrip(json))
        #expect(back == json)
        if json.kind == .number { #expect(back.double?.sign == json.double?.sign) }
    }

    @Test(
        "a number that the coder would change is an error at its path",
        arguments: Coder.allCases,
        [
            "1e400", "0.1234567890123456789012345678901234567890123", "1e-400", "-95.8e-360", "-1e-400", "-0.1e-99999",
            "123456789012345678901234567890123456789012345", "1e999999999999999999999",
        ]
    )
    func numbersBeyond(coder: Coder, text: String) throws {
        let json = try Json(parsing: "{\"list\":[0,\(text)]}")
        try expectRefused(
            json,
            by: coder,
            at: ["payload", "value", "list", "1"],
            naming: "a number that is not exactly"
        )
    }

    @Test("a decimal goes through Foundation's JSON, and is an error in a property list", arguments: Coder.allCases)
    func decimals(coder: Coder) throws {
        for text in ["18446744073709551616", "0.1234567890123456789012345", "-12345678901234567890.5"] {
            let json = try Json(parsing: text)
            if coder.isJson {
                #expect(try coder.roundTrip(json) == json)
            } else {
                try expectRefused(json, by: coder, at: ["payload", "value"], naming: "a number that is not exactly")
            }
        }
    }

    @Test(
        "two members with equal keys are an error",
        arguments: Coder.allCases,
        [#"{"k":1,"k":2}"#, "{\"e\u{301}\":1,\"\u{E9}\":2}"]
    )
    func repeatedKeys(coder: Coder, text: String) throws {
        try expectRefused(try Json(parsing: text), by: coder, at: ["payload", "value"], naming: "different keys")
    }

    @Test("the string that stands for null in property lists is an error there", arguments: Coder.allCases)
    func nullString(coder: Coder) throws {
        let json: Json = ["$null"]
        if coder.isJson {
            #expect(try coder.roundTrip(json) == json)
        } else {
            try expectRefused(json, by: coder, at: ["payload", "value", "0"], naming: "null")
        }
    }

    @Test(
        "more levels than a thread's stack holds are an error",
        arguments: Coder.allCases,
        [
            (SmallStackTrait.stackBytes, "The thread's stack is too small for more than "),
            (64 << 20, "Expected at most 512 levels of nesting."),
        ]
    )
    func deepNesting(coder: Coder, stack: (bytes: Int, reason: String)) throws {
        let reason: String? = try onStack(ofBytes: stack.bytes) {
            var json: Json = []
            for _ in 0..<20_000 { json = [json] }
            // Not `#expect(throws:)`: that prints the error, and Foundation's for property lists holds the whole value.
            do {
                _ = try coder.encode(["value": json])
                return nil
            } catch let error as EncodingError {
                guard case .invalidValue(_, let context) = Self.innermost(error) else { return nil }
                return context.debugDescription
            }
        }
        #expect(reason?.hasPrefix(stack.reason) == true, "\(reason ?? "no error")")
    }

    @Test(
        "512 levels are allowed, of which Foundation's JSON has 511, and one more is an error",
        arguments: Coder.allCases
    )
    func levels(coder: Coder) throws {
        @Sendable func nested(_ levels: Int, around value: Json) -> Json {
            (0..<levels).reduce(value) { json, _ in [json] }
        }
        // The dictionary is one level more.
        try onStack(ofBytes: 64 << 20) {
            let most = coder.isJson ? 510 : 511
            for allowed in [nested(most, around: 1), nested(most - 1, around: [])] {
                _ = try coder.encode(["value": allowed])
            }
            for refused in [nested(512, around: 1), nested(511, around: [])] {
                #expect(throws: (any Error).self) { try coder.encode(["value": refused]) }
            }
        }
    }

    @Test("what JSON has not, and what a decoder may have rounded, is an error")
    func refusedWhenDecoding() throws {
        let dates = try PropertyListEncoder().encode(["seen_at": Date(timeIntervalSince1970: 0)])
        #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(Json.self, from: dates) }
        let data = try PropertyListEncoder().encode(["blob": Data([1])])
        #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(Json.self, from: data) }
        for text in ["3.1415926535897932384626433832795028841971", "123456789012345678901234567890123456789012345"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Json.self, from: Data("[\(text)]".utf8)) }
        }
        for text in ["4503599627370497.5", "0.99999999999999999999", "9007199254740993", "1E5", "0e5"] {
            let json = try JSONDecoder().decode(Json.self, from: Data("[\(text)]".utf8))
            #expect(json == (try Json(parsing: "[\(text)]")), "\(text)")
        }
        for text in ["1e-400", "-1e-400", "-95.8e-360"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Json.self, from: Data("[\(text)]".utf8)) }
        }
    }

    @Test(
        "what Foundation's decoder has rounded to fewer digits is read so, as the list of differences says",
        arguments: [
            ("1.00000000000000000000000000000000000000001", "1"),
            ("123456789012345678901e150", "1.234567890123457e170"),
        ]
    )
    func roundedByFoundation(text: String, read: String) throws {
        let json = try JSONDecoder().decode([Json].self, from: Data("[\(text)]".utf8))
        #expect(json == [try Json(parsing: read)])
        #expect(try JsonDecoder().decode([Json].self, from: Data("[\(text)]".utf8)) == [try Json(parsing: text)])
    }

    @Test("into our own encoder a value goes as text, also when a type passes its encoder on")
    func ownEncoder() throws {
        struct Wrapper: Encodable {
            let json: Json
            func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
        }
        let text = #"{"b":1.50,"a":[1E400,"\u00e9"],"b":null}"#
        #expect(try JsonEncoder().encode([Wrapper(json: try Json(parsing: text))]) == Data("[\(text)]".utf8))
    }

    private func expectRefused(_ json: Json, by coder: Coder, at path: [String], naming reason: String) throws {
        let error = #expect(throws: EncodingError.self) { try coder.encode(Envelope(payload: ["value": json])) }
        guard case .invalidValue(let value, let context) = Self.innermost(try #require(error)) else {
            Issue.record("expected an invalid value")
            return
        }
        let steps = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        // With a strategy for keys, Foundation leaves out the first key of the path, which is that of `Envelope`.
        let mayLackFirst = coder == .snakeCaseJson && steps == Array(path.dropFirst())
        #expect(steps == path || mayLackFirst)
        #expect(context.debugDescription.contains(reason))
        #expect(!(value is Json))
    }

    /// Foundation's property list encoder puts the error into one of its own.
    private static func innermost(_ error: EncodingError) -> EncodingError {
        guard case .invalidValue(_, let context) = error else { return error }
        return (context.underlyingError as? EncodingError).map(innermost) ?? error
    }
}
