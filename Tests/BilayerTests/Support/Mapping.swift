import Bilayer
import Foundation

/// The value or the error of a mapping, and the issues that it has reported.
struct Mapped<Value> {
    let value: Value?
    let error: (any Error)?
    let issues: [MappingIssue]

    /// The issues as `severity kind path`.
    var lines: [String] { issues.map { "\($0.severity) \($0.kind) \($0.path.exactDescription)" } }
}

/// Runs a mapping with a reporter.
func mapping<Value>(
    _ policy: MappingPolicy = .standard,
    _ conventions: CodingConventions = CodingConventions(),
    _ body: () throws -> Value
) -> Mapped<Value> {
    let reporter = CollectingReporter()
    do {
        let value = try reporter.mapping(policy: policy, conventions: conventions, body)
        return Mapped(value: value, error: nil, issues: reporter.issues)
    } catch {
        return Mapped(value: nil, error: error, issues: reporter.issues)
    }
}

/// The two decoders that every `Codable` tool must work with.
enum AnyJsonDecoder: String, CaseIterable, Sendable {
    case bilayer
    case foundation

    func decode<Value: Decodable>(_ type: Value.Type, _ text: String, snakeCase: Bool = false) throws -> Value {
        switch self {
        case .bilayer:
            var decoder = JsonDecoder()
            if snakeCase { decoder.keys = .convertFromSnakeCase }
            return try decoder.decode(type, from: Data(text.utf8))
        case .foundation:
            let decoder = JSONDecoder()
            if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            return try decoder.decode(type, from: Data(text.utf8))
        }
    }
}

extension Json {
    /// The value of a JSON text that a test wrote itself.
    static func of(_ text: String) throws -> Json { try Json(parsing: Data(text.utf8)) }
}

extension Encodable {
    /// The value as Foundation writes it, with sorted keys.
    var foundationText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
