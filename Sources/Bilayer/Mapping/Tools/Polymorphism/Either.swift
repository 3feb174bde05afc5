/// One of two types, distinguished by the JSON itself, without a tag. Either type is valid, so no issue is reported.
///
/// Choose it where a server sends an identifier or the object, one value or a list, a number or a text. For variants
/// with a tag see ``Discriminated``.
///
/// ```swift
/// struct CustomerEntry: Codable, RawMappable { let id: String; let name: String }
/// struct TagEntry: Codable, RawMappable { let id: String }
///
/// struct InvoiceEntry: Codable, RawMappable {
///     let customer: Either<String, CustomerEntry>                 // "cus_7", or the customer itself
///     let tags: Either<TagEntry, [TagEntry]>?                     // one, several or null
/// }
///
/// func name(of invoice: InvoiceEntry) -> String {
///     switch invoice.customer {
///     case .first(let id): id
///     case .second(let customer): customer.name
///     }
/// }
/// ```
/// The first type is tried before the second. Under a policy that salvages, the second type is chosen if only the first
/// would lose a part. If neither can be read, the error of the type that got further into the value is thrown. So a bad
/// field is reported at that field, also if the other type has no such field. If both got equally far, the error is
/// that the value is of neither type.
///
/// A class can contain itself in an `Either`, and a struct in an `Either` with a list, `Either<String, [Node]>`. Each
/// choice is made once, also inside another choice. So the time grows with the size times the depth, not exponentially.
/// Under ``MappingPolicy/collectingAll(limit:)`` the time for a bad value grows with the square of its depth, because
/// the path of each error is as long as the depth. With another library's decoder, and for a ``Json`` made in code, the
/// time doubles with each level.
public enum Either<First, Second> {
    /// A value of the first type.
    case first(First)
    /// A value of the second type.
    case second(Second)

    /// The value, if it is of the first type.
    public var first: First? {
        if case .first(let value) = self { return value }
        return nil
    }

    /// The value, if it is of the second type.
    public var second: Second? {
        if case .second(let value) = self { return value }
        return nil
    }
}

extension Either: Sendable where First: Sendable, Second: Sendable {}
extension Either: Equatable where First: Equatable, Second: Equatable {}
extension Either: Hashable where First: Hashable, Second: Hashable {}

extension Either: Decodable where First: Decodable, Second: Decodable {
    /// Reads one of the two types: ``Either`` describes the choice.
    /// - Parameter decoder: The decoder.
    /// - Throws: The error of the type that got further into the value. If both got equally far,
    ///   `DecodingError.dataCorrupted` with a ``MappingError`` as its underlying error. Also throws a
    ///   `CancellationError` of either type, and what the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let first = { try container.decode(First.self) }
        let second = { try container.decode(Second.self) }
        guard decoder is SearchDecoder, !Self.isScalar else {
            self = try Self.outcome(from: decoder, first: first, second: second).result.get()
            return
        }
        let plain = decoder.unwrapped
        let choosing = try plain.singleValueContainer()
        self = try Self.searched(
            .decoder(plain),
            choosing: {
                Self.outcome(
                    from: plain,
                    first: { try choosing.decode(First.self) },
                    second: { try choosing.decode(Second.self) }
                )
            },
            isRepeated: true,
            first: first,
            second: second
        )
    }

    private static func outcome(
        from decoder: any Decoder,
        first: () throws -> First,
        second: () throws -> Second
    ) -> Outcome {
        outcome(from: .decoder(decoder), first: first, second: second) { issue in
            let error = MappingError(issue)
            return DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            )
        }
    }
}

extension Either: Encodable where First: Encodable, Second: Encodable {
    /// Writes the value without a tag.
    /// - Throws: The error of the value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .first(let value): try container.encode(value)
        case .second(let value): try container.encode(value)
        }
    }
}

extension Either: RawDecodable where First: RawDecodable, Second: RawDecodable, First.Raw == Json, Second.Raw == Json {
    /// The raw type of both types.
    public typealias Raw = Json

    /// Reads one of the two types: ``Either`` describes the choice.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: The error of the type that got further into the value. If both got equally far, ``MappingError`` of
    ///   kind `wrong type`, or `null` for a `null`. Also throws a `CancellationError` of either type.
    public static func from(raw: Json) throws -> Either {
        let first = { try First.from(raw: raw) }
        let second = { try Second.from(raw: raw) }
        let outcome = {
            Self.outcome(from: .json(raw), first: first, second: second) { issue in
                var issue = issue
                issue.found = raw.found
                if raw.isNull { issue.kind = .null }
                return MappingError(issue, in: raw)
            }
        }
        guard let mapping = MappingSession.inProgress, mapping.policy.collectsAll, !mapping.isTrial, !isScalar else {
            return try outcome().result.get()
        }
        return try searched(.json(raw), choosing: outcome, isRepeated: false, first: first, second: second)
    }
}

extension Either: RawEncodable where First: RawEncodable, Second: RawEncodable, First.Raw == Json, Second.Raw == Json {
    /// Writes the value without a tag.
    /// - Returns: The JSON of this value.
    /// - Throws: The error of the value.
    public func toRaw() throws -> Json {
        switch self {
        case .first(let value): try value.toRaw()
        case .second(let value): try value.toRaw()
        }
    }
}

extension Either: DTODecodable where First: DTODecodable, Second: DTODecodable {
    /// Makes the model of the type that was read.
    /// - Parameter dto: The value of the lower layer.
    /// - Returns: The model.
    /// - Throws: The error of the model.
    public static func from(dto: Either<First.DTO, Second.DTO>) throws -> Either {
        switch dto {
        case .first(let dto): .first(try First.converted(from: dto))
        case .second(let dto): .second(try Second.converted(from: dto))
        }
    }
}

extension Either: DTOEncodable where First: DTOEncodable, Second: DTOEncodable {
    /// Converts the value.
    /// - Returns: The value of the lower layer.
    /// - Throws: The error of the value.
    public func toDTO() throws -> Either<First.DTO, Second.DTO> {
        switch self {
        case .first(let value): .first(try value.converted())
        case .second(let value): .second(try value.converted())
        }
    }
}
