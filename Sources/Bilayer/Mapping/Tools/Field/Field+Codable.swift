// Only the containing object shows whether a member is absent. So the container functions below handle absence;
// synthesized code calls them. A field's own `init(from:)` and `encode(to:)` handle only `null` and a value.

extension KeyedDecodingContainer {
    /// Reads a member with its three states. The synthesized `init(from:)` calls this.
    /// - Throws: The error of a value that cannot be read, or of the decoder.
    public func decode<Value: Decodable>(_ type: Field<Value>.Type, forKey key: Key) throws -> Field<Value> {
        switch try presence(of: key) {
        case .missing: .absent
        case .null: .null
        case .value: .value(try decode(Value.self, forKey: key))
        }
    }

    /// Reads a member that is declared as an optional of a field: `nil` if the member is absent, and ``Field/null`` for
    /// `null`. The synthesized `init(from:)` calls this. A ``Field`` models absence itself, so declare the property
    /// without the optional.
    /// - Throws: The error of a value that cannot be read, or of the decoder.
    public func decodeIfPresent<Value: Decodable>(_ type: Field<Value>.Type, forKey key: Key) throws -> Field<Value>? {
        let field = try decode(type, forKey: key)
        // The literal `nil` would be a field that is `null` here.
        return field.isAbsent ? Field<Value>?.none : field
    }
}

extension KeyedEncodingContainer {
    /// Writes a member; writes nothing for ``Field/absent``. The synthesized `encode(to:)` calls this.
    /// - Throws: The error of the value or of the encoder.
    public mutating func encode<Value: Encodable>(_ field: Field<Value>, forKey key: Key) throws {
        switch field {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }

    /// Writes a member that is declared as an optional of a field; writes nothing for `nil` and ``Field/absent``. The
    /// synthesized `encode(to:)` calls this.
    /// - Throws: The error of the value or of the encoder.
    public mutating func encodeIfPresent<Value: Encodable>(_ field: Field<Value>?, forKey key: Key) throws {
        guard let field else { return }
        try encode(field, forKey: key)
    }
}

extension Field: Decodable where Value: Decodable {
    /// Reads a field that is the root or an element: `null` or a value.
    /// - Throws: The error of a value that cannot be read, or of the decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension Field: Encodable where Value: Encodable {
    /// Writes a field that is the root or an element.
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError.invalidValue` for ``absent``, which only a member of an object can be; the error of the
    ///   value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .absent:
            let description = "Only a member of an object can be absent."
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: encoder.codingPath, debugDescription: description)
            )
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}
