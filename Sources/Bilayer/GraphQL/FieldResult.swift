/// A field of a GraphQL response that is a value, or the server's error for it.
///
/// ```swift
/// struct DayEntry: Decodable, RawDecodable {
///     let date: String
///     let hotel: FieldResult<String?>         // a value, null because there is none, or an error
/// }
/// ```
/// Choose it for a field whose failure the screen shows instead of it. The call needs the policy
/// ``GraphQLErrorPolicy/keep`` or ``GraphQLErrorPolicy/ignore``. The error is one of this field, or of a field inside
/// of it that may not be null. A null without an error is read as `Value`. Make `Value` optional and not the field: a
/// null of a field `FieldResult<String>?` is nil, whatever its error.
public enum FieldResult<Value> {
    /// The value.
    case success(Value)
    /// The server's error.
    case failure(GraphQLError)

    /// Returns the value.
    /// - Throws: ``GraphQLError`` if there is none.
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

    /// The error, if there is one.
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

    /// Reads the value, or the error for a null.
    /// - Throws: What the value throws.
    public static func from(raw: Json) throws -> FieldResult {
        if let error = raw.serverError { return .failure(error) }
        return .success(try Value.from(raw: raw))
    }
}

extension FieldResult: Decodable where Value: Decodable {
    /// Reads the value, or the error for a null.
    /// - Throws: What the value throws.
    public init(from decoder: any Decoder) throws {
        if let error = (try? Json(from: decoder))?.serverError {
            self = .failure(error)
        } else {
            self = .success(try decoder.singleValueContainer().decode(Value.self))
        }
    }
}

extension FieldResult: Encodable where Value: Encodable {
    /// Writes the value; `null` for an error, which GraphQL sends beside the data. So the error is lost in what is
    /// written.
    /// - Throws: What the value throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .success(let value): try container.encode(value)
        case .failure: try container.encodeNil()
        }
    }
}

extension FieldResult: RawEncodable where Value: RawEncodable, Value.Raw == Json {
    /// The value; `null` for an error, which GraphQL sends beside the data.
    /// - Throws: What the value throws.
    public func toRaw() throws -> Json {
        switch self {
        case .success(let value): try value.toRaw()
        case .failure: .null
        }
    }
}

extension FieldResult: DTOEncodable where Value: DTOEncodable {
    /// Converts a value; an error stays.
    /// - Throws: What the model throws.
    public func toDTO() throws -> FieldResult<Value.DTO> {
        switch self {
        case .success(let value): .success(try value.toDTO())
        case .failure(let error): .failure(error)
        }
    }
}

extension FieldResult: DTODecodable where Value: DTODecodable {
    /// Makes the model of a value; an error stays.
    /// - Throws: What the model throws.
    public static func from(dto: FieldResult<Value.DTO>) throws -> FieldResult {
        switch dto {
        case .success(let dto): .success(try Value.from(dto: dto))
        case .failure(let error): .failure(error)
        }
    }
}

extension Json {
    /// The error of the response that this value is a part of, if the value is a null that the error explains.
    fileprivate var serverError: GraphQLError? {
        guard isNull, let path = pathInDocument else { return nil }
        // The response is the root, or an element of a batch or stream.
        var response = documentRoot
        for (index, component) in path.components.enumerated() {
            if case .key("data") = component, response["errors"] != nil {
                let fieldPath = JsonPath(Array(path.components[(index + 1)...]))
                return GraphQLError.list(in: response).first { $0.explains(fieldPath) }
            }
            guard let next = response.value(at: JsonPath([component])) else { return nil }
            response = next
        }
        return nil
    }
}
