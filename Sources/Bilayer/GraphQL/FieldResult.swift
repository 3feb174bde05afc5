/// A field of a GraphQL response: its value, or the error that the server reported for it.
///
/// ```swift
/// struct DayEntry: Decodable, RawDecodable {
///     let date: String
///     let hotel: FieldResult<String?>         // a value, null because there is none, or an error
/// }
/// ```
/// Use it if the app shows an error in place of a field that failed. The call needs the policy
/// ``GraphQLErrorPolicy/keep`` or ``GraphQLErrorPolicy/ignore``, because an error ends the call by default.
///
/// A `null` is read as ``failure(_:)`` if the server reported an error for the field, or for a non-null field inside
/// it. A `null` without an error is read as a `Value`. Write `FieldResult<String?>`, not `FieldResult<String>?`: the
/// second type is `nil` for every `null`, so the error is lost.
public enum FieldResult<Value> {
    /// The field has a value, or is `null` without an error and `Value` can be read from `null`, as an optional can.
    case success(Value)
    /// The field is `null`, and the server reported an error for it.
    case failure(GraphQLError)

    /// Returns the value.
    /// - Throws: ``GraphQLError`` if the server reported an error.
    public func get() throws(GraphQLError) -> Value {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }

    /// The value; `nil` if the server reported an error.
    public var value: Value? {
        if case .success(let value) = self { return value }
        return nil
    }

    /// The error; `nil` if the server reported none.
    public var error: GraphQLError? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

extension FieldResult: Sendable where Value: Sendable {}
extension FieldResult: Equatable where Value: Equatable {}
extension FieldResult: Hashable where Value: Hashable {}

extension FieldResult: RawDecodable where Value: RawDecodable, Value.Raw == Json {
    /// The raw type.
    public typealias Raw = Json

    /// Reads the value, or the server's error if the field is `null` because of an error.
    /// - Throws: The error of reading the value.
    public static func from(raw: Json) throws -> FieldResult {
        if let error = raw.serverError { return .failure(error) }
        return .success(try Value.from(raw: raw))
    }
}

extension FieldResult: Decodable where Value: Decodable {
    /// Reads the value, or the server's error if the field is `null` because of an error. Only a ``JsonDecoder`` finds
    /// the error, because it is outside of the field.
    /// - Throws: The error of decoding the value.
    public init(from decoder: any Decoder) throws {
        if let error = (try? Json(from: decoder))?.serverError {
            self = .failure(error)
        } else {
            self = .success(try decoder.singleValueContainer().decode(Value.self))
        }
    }
}

extension FieldResult: Encodable where Value: Encodable {
    /// Writes the value, or `null` for an error. The error is lost, because GraphQL sends errors beside the data.
    /// - Throws: The error of encoding the value, or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .success(let value): try container.encode(value)
        case .failure: try container.encodeNil()
        }
    }
}

extension FieldResult: RawEncodable where Value: RawEncodable, Value.Raw == Json {
    /// Returns the value as JSON, or `null` for an error. The error is lost, because GraphQL sends errors beside the
    /// data.
    /// - Throws: The error of writing the value.
    public func toRaw() throws -> Json {
        switch self {
        case .success(let value): try value.toRaw()
        case .failure: .null
        }
    }
}

extension FieldResult: DTOEncodable where Value: DTOEncodable {
    /// Converts the value to its DTO. An error stays as it is.
    /// - Throws: The error of the value's `toDTO()`.
    public func toDTO() throws -> FieldResult<Value.DTO> {
        switch self {
        case .success(let value): .success(try value.toDTO())
        case .failure(let error): .failure(error)
        }
    }
}

extension FieldResult: DTODecodable where Value: DTODecodable {
    /// Converts the DTO to the model. An error stays as it is.
    /// - Throws: The error of the model's `from(dto:)`.
    public static func from(dto: FieldResult<Value.DTO>) throws -> FieldResult {
        switch dto {
        case .success(let dto): .success(try Value.from(dto: dto))
        case .failure(let error): .failure(error)
        }
    }
}
