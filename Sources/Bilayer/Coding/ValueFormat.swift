/// One way to spell the values of a type in JSON, both ways: a date as RFC 3339 text, money as a number in quotes.
///
/// Choose a format wherever the server's spelling is not the type's own. It works in all three places where values are
/// read:
///
/// ```swift
/// struct OrderEntry: Codable, RawMappable {                           // in a Codable entry, by its name
///     let id: String
///     @Formatted<RFC3339> var createdAt: Date
///     @Formatted<RFC3339?> var paidAt: Date?                          // missing and null are nil
/// }
///
/// struct VisitEntry: RawDecodable {                                   // by hand
///     let day: Date
///     static func from(raw: Json) throws -> VisitEntry {
///         try VisitEntry(day: raw.decode("day", as: .firstOf(.dateOnly, .unixSeconds)))
///     }
/// }
///
/// struct Visit: DTODecodable {                                        // from a field of a DTO
///     let start: Date
///     static func from(dto: [String: String]) throws -> Visit {
///         try Visit(start: dto["start"].parsed(as: .rfc3339, "start"))
///     }
/// }
/// ```
///
/// A format reads strictly. Where it was made tolerant (``firstOf(_:_:)``, ``lenient(_:)``, ``emptyAsNil(_:)``), each
/// value that needed it is reported as ``MappingIssue/Kind/coerced``, and refused under ``MappingPolicy/strict``.
///
/// Make your own from two closures; nil says that a value does not fit:
///
/// ```swift
/// extension ValueFormat where Value == ClosedRange<Int> {
///     static var pages: Self {
///         ValueFormat(text: "a range of pages") { text in
///             let ends = text.split(separator: "-").compactMap { Int($0) }
///             return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
///         } write: { "\($0.lowerBound)-\($0.upperBound)" }
///     }
/// }
/// ```
public struct ValueFormat<Value>: Sendable {
    /// The JSON type of a value in this format; nil if there are several.
    let kind: Json.Kind?
    /// What a value in this format is, in an error's words: `an RFC 3339 date`.
    let expectation: @Sendable () -> String
    /// Reads a value, nil if there is none of this format.
    @usableFromInline let parse: @Sendable (Json) throws -> Value?
    private let spell: @Sendable (Value) throws -> Json?

    /// Makes a format of JSON values of any kind.
    /// - Parameters:
    ///   - expectation: What a value in this format is, as a noun phrase for errors: `a range of pages`.
    ///   - kind: The JSON type of such a value, if it is always the same.
    ///   - read: Makes a value; nil for JSON that does not fit.
    ///   - write: Makes the JSON; nil for a value that this format cannot spell.
    public init(
        _ expectation: @autoclosure @escaping @Sendable () -> String,
        kind: Json.Kind? = nil,
        read: @escaping @Sendable (Json) throws -> Value?,
        write: @escaping @Sendable (Value) throws -> Json?
    ) {
        self.kind = kind
        self.expectation = expectation
        parse = read
        spell = write
    }

    /// Makes a format of JSON strings.
    /// - Parameters:
    ///   - expectation: What a value in this format is, as a noun phrase for errors: `a range of pages`.
    ///   - read: Makes a value; nil for a text that does not fit.
    ///   - write: Makes the text; nil for a value that this format cannot spell.
    public init(
        text expectation: @autoclosure @escaping @Sendable () -> String,
        read: @escaping @Sendable (String) throws -> Value?,
        write: @escaping @Sendable (Value) throws -> String?
    ) {
        self.init(expectation(), kind: .string) { raw in
            try raw.string.flatMap(read)
        } write: { value in
            try write(value).map { Json($0) }
        }
    }

    /// Reads a value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` that says what was expected and what was found, by its type and length.
    @inlinable
    public func read(_ raw: Json) throws -> Value {
        if let value = try parse(raw) { return value }
        throw MappingError(refusal(of: raw))
    }

    /// Writes a value.
    /// - Parameter value: The value.
    /// - Returns: Its JSON.
    /// - Throws: ``MappingError`` if this format cannot spell the value.
    public func write(_ value: Value) throws -> Json {
        if let raw = try spell(value) { return raw }
        throw MappingError(
            MappingIssue(.invalidValue, expected: expectation(), found: .init(type: "a \(typeName(Value.self))"))
        )
    }

    /// Reads a value if there is one of this format, whatever is wrong with others.
    func attempt(_ raw: Json) throws -> Value? {
        if let kind, kind != raw.kind { return nil }
        do {
            return try parse(raw)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }

    @usableFromInline
    func refusal(of raw: Json) -> MappingIssue {
        let issueKind: MappingIssue.Kind =
            if raw.isNull {
                .null
            } else if let kind, kind != raw.kind {
                .wrongType
            } else {
                kind == .number ? .outOfRange : .invalidValue
            }
        return MappingIssue(issueKind, expected: expectation(), found: raw.found)
    }
}
