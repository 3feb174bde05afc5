import Foundation

// Stands in for the decoder and encoder over the index until they land; then this file goes.
extension Json {
    /// Decodes a type.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(type, from: serialized(.compact))
    }

    /// Encodes a value.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        try self.init(parsing: encoder.encode(value))
    }
}
