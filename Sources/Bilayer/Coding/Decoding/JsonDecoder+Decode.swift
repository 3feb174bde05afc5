public import Foundation

extension JsonDecoder {
    /// Makes a value from a JSON value.
    /// - Parameters:
    ///   - type: What to make.
    ///   - json: What to make it from.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with the path of the value that did not fit, or what a type's own `init(from:)`
    ///   throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Json) throws -> Value {
        let (document, position) = json.indexed
        return try DecodingSession.run(document, self) { context in
            try context.value(type, at: position, context.root)
        }
    }

    /// Makes a value from a JSON text.
    /// - Parameters:
    ///   - type: What to make.
    ///   - data: The text, UTF-8.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` with a ``JsonSyntaxError`` as its underlying error if the text is not
    ///   JSON; else as ``decode(_:from:)-(_,Json)``.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        let document: JsonDocument
        do {
            document = try JsonDocument.parse(data, options: parsing.index)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The text is not JSON. \(error)", underlyingError: error)
            )
        }
        return try DecodingSession.run(document, self) { context in try context.value(type, at: 0, context.root) }
    }
}

extension Json {
    /// The value as a place in a document. One that was made in code is written and read back.
    var indexed: (document: JsonDocument, position: Int) {
        if case .view(let document, let position) = resolved { return (document, position) }
        return (JsonDocument.parse(trusted: serialized()), 0)
    }
}

extension Json {
    /// Makes a value of a `Decodable` type from this JSON value.
    ///
    /// ```swift
    /// struct Tag: Decodable { let name: String }
    ///
    /// let json = try Json(parsing: #"{"tags": [{"name": "new"}]}"#)
    /// let tags: [Tag] = try json["tags"]?.decode() ?? []
    /// ```
    /// - Parameters:
    ///   - type: What to make; inferred where the context says it.
    ///   - decoder: How dates, keys and data are spelled.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with the path, from this value on, of what did not fit, or what a type's own
    ///   `init(from:)` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JsonDecoder = JsonDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: self)
    }
}
