/// One of two types, distinguished by the JSON itself, without a tag. Both are legal, so neither is reported.
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
/// The first type is tried before the second. If neither can be read, the error is that of the type that got further
/// into the value: a bad field is reported at that field, also if the other type has no such field. If both got equally
/// far, the error is that the value is of neither type.
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

extension Either {
    /// Reads the first type, else the second.
    /// - Parameters:
    ///   - first: Reads the first type.
    ///   - second: Reads the second type.
    ///   - neither: Makes the error of a value that is of neither type.
    /// - Returns: The value.
    /// - Throws: The error of the type that got further into the value.
    fileprivate static func read(
        first: () throws -> First,
        second: () throws -> Second,
        neither: (MappingIssue) -> any Error
    ) throws -> Either {
        let log = IssueLog.current
        let mark = log?.mark ?? 0
        do {
            let value = try first()
            // Without tolerance the first type would have failed, so the second may fit.
            if let log, log.policy.leavesOut, log.hasDropped(since: mark) {
                return try preferred(first: value, second: second, log, since: mark)
            }
            return .first(value)
        } catch let firstError {
            if firstError is CancellationError { throw firstError }
            // Issues of the first type do not concern the second.
            log?.remove(since: mark)
            do {
                return .second(try second())
            } catch let secondError {
                if secondError is CancellationError { throw secondError }
                let (first, second) = (Progress(firstError), Progress(secondError))
                if first != second { throw first > second ? firstError : secondError }
                let expected = "\(expectedNoun(First.self)) or \(expectedNoun(Second.self))"
                throw neither(MappingIssue(.wrongType, expected: expected))
            }
        }
    }

    /// How far a type got into the value: to a member that it has, further than to one that is missing.
    private struct Progress: Comparable {
        let depth: Int
        let isPresent: Bool

        init(_ error: any Error) {
            let issue = MappingError(wrapping: error).issues.first
            depth = issue?.localPath.components.count ?? 0
            isPresent = issue?.kind != .missing
        }

        static func < (left: Progress, right: Progress) -> Bool {
            (left.depth, left.isPresent ? 1 : 0) < (right.depth, right.isPresent ? 1 : 0)
        }
    }

    /// The second type if it loses nothing, else the first, which has lost something.
    private static func preferred(
        first: First,
        second: () throws -> Second,
        _ log: IssueLog,
        since mark: IssueLog.Mark
    ) throws -> Either {
        let reported = log.take(since: mark)
        do {
            let value = try second()
            if !log.hasDropped(since: mark) { return .second(value) }
        } catch let error as CancellationError {
            throw error
        } catch {}
        log.remove(since: mark)
        log.add(reported)
        return .first(first)
    }
}

extension Either: Decodable where First: Decodable, Second: Decodable {
    /// Reads the first type, else the second.
    /// - Parameter decoder: The decoder.
    /// - Throws: The error of the type that got further; if none did, `DecodingError.dataCorrupted`,
    ///   with a ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try Self.read(
            first: { try container.decode(First.self) },
            second: { try container.decode(Second.self) },
            neither: { issue in
                let error = MappingError(issue)
                return DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
                )
            }
        )
    }
}

extension Either: Encodable where First: Encodable, Second: Encodable {
    /// Writes the value alone.
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
    /// The raw value of both types.
    public typealias Raw = Json

    /// Reads the first type, else the second.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` of the type that got further; of kind `wrong type` if none did.
    public static func from(raw: Json) throws -> Either {
        try read(
            first: { try First.from(raw: raw) },
            second: { try Second.from(raw: raw) },
            neither: { issue in
                var issue = issue
                issue.found = raw.found
                return MappingError(issue, in: raw)
            }
        )
    }
}

extension Either: RawEncodable where First: RawEncodable, Second: RawEncodable, First.Raw == Json, Second.Raw == Json {
    /// Writes the value alone.
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
