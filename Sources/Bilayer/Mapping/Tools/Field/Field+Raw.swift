extension Json {
    /// Reads a member with its three states.
    ///
    /// ```swift
    /// struct ProfilePatch: RawDecodable {
    ///     var nickname: Field<String>
    ///
    ///     static func from(raw: Json) throws -> ProfilePatch {
    ///         try ProfilePatch(nickname: raw.field("nickname"))
    ///     }
    /// }
    /// ```
    /// - Parameter key: The member's key.
    /// - Returns: The field.
    /// - Throws: ``MappingError`` if this value is no object, or if the member is neither `null` nor a valid value.
    public func field<Value: RawDecodable>(_ key: String) throws -> Field<Value> where Value.Raw == Json {
        switch presence(of: key) {
        case .missing: .absent
        case .null: .null
        case .value: .value(try decode(key))
        }
    }

    /// Writes a member with its three states; an absent field removes the member.
    ///
    /// ```swift
    /// struct ProfilePatch: RawEncodable {
    ///     var nickname: Field<String>
    ///
    ///     func toRaw() throws -> Json {
    ///         var raw: Json = [:]
    ///         try raw.set(nickname, forKey: "nickname")
    ///         return raw
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - field: The field.
    ///   - key: The member's key.
    /// - Throws: The error of the value, with the key in its path.
    public mutating func set<Value: RawEncodable>(_ field: Field<Value>, forKey key: String) throws
    where Value.Raw == Json {
        switch field {
        case .absent: self[key] = nil
        case .null: self[key] = .null
        case .value(let value):
            self[key] = try locating(at: .key(key)) {
                try StackSpace.check()
                return try value.toRaw()
            }
        }
    }
}

extension Field: RawDecodable where Value: RawDecodable, Value.Raw == Json {
    /// The raw value of a field.
    public typealias Raw = Json

    /// Reads a field that is the root or an element: `null` or a value. For a member see ``Json/field(_:)``.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The field.
    /// - Throws: The error of the value.
    public static func from(raw: Json) throws -> Field {
        raw.isNull ? .null : .value(try Value.from(raw: raw))
    }
}

extension Field: RawEncodable where Value: RawEncodable, Value.Raw == Json {
    /// Writes a field that is the root or an element. For a member see ``Json/set(_:forKey:)``.
    /// - Returns: The JSON of this value.
    /// - Throws: ``MappingError`` for ``absent``, which only a member of an object can be; the error of the value.
    public func toRaw() throws -> Json {
        switch self {
        case .absent:
            let detail = "found .absent outside of an object, expected .null or a value"
            throw MappingError(MappingIssue(.invalidValue, detail: detail))
        case .null: .null
        case .value(let value): try value.toRaw()
        }
    }
}

extension JsonObjectWriter {
    /// Writes a member; writes nothing for ``Field/absent``.
    /// - Parameters:
    ///   - field: The field.
    ///   - key: The member's key.
    /// - Throws: ``MappingError`` with the key in its path, if the value cannot be written. A `CancellationError` is
    ///   thrown unchanged.
    @inlinable
    public mutating func writeField<Value: RawEncodable>(_ field: Field<Value>, forKey key: String) throws
    where Value.Raw == Json {
        if !field.isAbsent { try write(field.value, forKey: key) }
    }
}
