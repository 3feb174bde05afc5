public import Foundation

extension JsonDecoder {
    /// Decodes a value from a JSON value.
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - json: The JSON to decode from.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with the path of the value that could not be decoded, or what a type's own
    ///   `init(from:)` or the closure of a custom strategy throws. An unknown dictionary key of a frozen ``OpenEnum``
    ///   is a ``MappingError``, and so is a text in ``PathCodingKey/paths`` that is not a path. Under a policy that
    ///   treats warnings as errors, clashing keys are a ``MappingError``, too.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Json) throws -> Value {
        let (document, position) = json.indexed
        return try decode(type, at: position, in: document)
    }

    /// Decodes a value from a JSON text.
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: The text in UTF-8.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` if the text is not JSON, or if the options in ``parsing`` refuse it. Its
    ///   underlying error is a ``JsonSyntaxError``. Otherwise throws what ``decode(_:from:)-(_,Json)`` throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        let document: JsonDocument
        do {
            document = try JsonDocument.parse(data, options: parsing.index)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The text is not JSON. \(error)", underlyingError: error)
            )
        }
        return try decode(type, at: 0, in: document)
    }

    @inline(__always)
    private func decode<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        in document: JsonDocument
    ) throws -> Value {
        if case .naming(let naming) = keys, !isOfMapping, let log = IssueLog.current {
            return try decode(type, at: position, in: document, by: naming, reportingTo: log)
        }
        return try DecodingSession.run(document, self) { context in
            try context.value(type, at: position, context.root)
        }
    }

    /// Decodes a value during a mapping that does not know this decoder's naming: the app has made the decoder. Does
    /// what a mapping does after a reading with its own decoder.
    @inline(never)
    private func decode<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        in document: JsonDocument,
        by naming: KeyNaming,
        reportingTo log: IssueLog
    ) throws -> Value {
        let mark = log.mark
        func settle() throws {
            guard log.hasAdditions(since: mark) else { return }
            let json = Json(.view(document, position))
            log.rewrite(since: mark) { $0.nameKeys(by: naming, in: json) }
            try log.settleClashes(since: mark)
        }
        let value: Value
        do {
            value = try DecodingSession.run(document, self) { context in
                try context.value(type, at: position, context.root)
            }
        } catch {
            try? settle()
            throw error
        }
        try settle()
        return value
    }
}

extension Json {
    /// The value as a position in a document. A value made in code is serialized and parsed.
    var indexed: (document: JsonDocument, position: Int) {
        if case .view(let document, let position) = resolved { return (document, position) }
        return (JsonDocument.parse(trusted: serialized()), 0)
    }
}

extension Json {
    /// Decodes a value of a `Decodable` type from this JSON value.
    ///
    /// ```swift
    /// struct Tag: Decodable { let name: String }
    ///
    /// let json = try Json(parsing: #"{"tags": [{"name": "new"}]}"#)
    /// let tags: [Tag] = try json["tags"]?.decode() ?? []
    /// ```
    /// - Parameters:
    ///   - type: The type to decode; inferred from the context if possible.
    ///   - decoder: The formats of dates, keys and data.
    /// - Returns: The value.
    /// - Throws: What ``JsonDecoder/decode(_:from:)-(_,Json)`` throws. The path of a `DecodingError` starts at this
    ///   value.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JsonDecoder = JsonDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: self)
    }
}
