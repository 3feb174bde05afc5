import Foundation
import Testing

@testable import Bilayer

/// What the tests share.
extension DifferencesFromFoundationTests {
    func foundation<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    func bilayer<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JsonDecoder().decode(type, from: Data(text.utf8))
    }

    var dateDecoders: (foundation: JSONDecoder, bilayer: JsonDecoder) {
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .iso8601
        var bilayer = JsonDecoder()
        bilayer.dates = .rfc3339
        return (foundation, bilayer)
    }

    /// The type that the error names.
    func type<Value: Decodable>(
        inErrorOf decode: (Value.Type, String) throws -> Value,
        _ type: Value.Type,
        _ text: String
    ) throws -> Any.Type {
        let error = #expect(throws: DecodingError.self) { try decode(type, text) }
        switch error {
        case .typeMismatch(let type, _), .valueNotFound(let type, _): return type
        default: throw try #require(error)
        }
    }

    func date(by decode: ([Date].Type, Data) throws -> [Date], _ text: String) throws -> Date? {
        try decode([Date].self, Data("[\"\(text)\"]".utf8)).first
    }
}
