import Foundation
import Testing

@testable import Bilayer

/// What came of a decoding or encoding: a value, or an error described by its case and its path.
enum Outcome<Value: Equatable>: Equatable, CustomStringConvertible {
    case value(Value)
    case failure(String)

    init(_ body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch {
            self = .failure(Self.summary(of: error))
        }
    }

    var description: String {
        switch self {
        case .value(let value): "value \(value)"
        case .failure(let text): "failure \(text)"
        }
    }

    /// Whether this outcome of Bilayer's coder agrees with Foundation's, `expected`. Foundation's error for a number
    /// that does not fit has no path, so it agrees with a `dataCorrupted` at any path.
    func matches(_ expected: Outcome) -> Bool {
        if case .failure(let text) = self, case .failure("dataCorrupted at ") = expected {
            return text.hasPrefix("dataCorrupted at ")
        }
        return self == expected
    }

    private static func summary(of error: any Error) -> String {
        func text(_ path: [any CodingKey]) -> String {
            path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "keyNotFound \(key.stringValue) at \(text(context.codingPath))"
        case DecodingError.valueNotFound(_, let context): return "valueNotFound at \(text(context.codingPath))"
        case DecodingError.typeMismatch(_, let context): return "typeMismatch at \(text(context.codingPath))"
        case DecodingError.dataCorrupted(let context): return "dataCorrupted at \(text(context.codingPath))"
        case EncodingError.invalidValue(_, let context): return "invalidValue at \(text(context.codingPath))"
        default: return "\(error)"
        }
    }
}

/// The sets of optimizations with which the coders must be right: all, none, and for each optimization all others.
let trickSets: [CoderOptimizations] = [
    .all, [],
    .all.subtracting(.keyTables), .all.subtracting(.containerReuse),
    .all.subtracting(.directCollections), .all.subtracting(.pathsInIndex),
]

/// Expects that both decoders read the same value from a text, or that both throw an error of the same case. The paths
/// of the errors must be equal, except as ``Outcome/matches(_:)`` says.
func expectSameDecoding<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ text: String,
    foundation: JSONDecoder = JSONDecoder(),
    bilayer: JsonDecoder = JsonDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let data = Data(text.utf8)
    let expected = Outcome { try foundation.decode(type, from: data) }
    for optimizations in trickSets {
        var decoder = bilayer
        decoder.optimizations = optimizations
        for round in 1...2 {
            let found = Outcome { try decoder.decode(type, from: data) }
            #expect(
                found.matches(expected),
                "\(type) from \(text), optimizations \(optimizations.rawValue), round \(round)",
                sourceLocation: sourceLocation
            )
        }
    }
}
