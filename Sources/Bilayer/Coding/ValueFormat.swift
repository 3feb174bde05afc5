/// A JSON format of a type's values, for reading and writing: a date as RFC 3339 text, an amount as a quoted number.
///
/// Choose a format wherever the server's format differs from the type's own. It works wherever values are read:
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
/// A format accepts only its own values. Formats made with ``firstOf(_:_:)``, ``lenient(_:)`` or ``emptyAsNil(_:)``
/// accept more. Each value that they accept in addition is reported as ``MappingIssue/Kind/coerced``.
/// ``MappingPolicy/strict`` refuses it.
///
/// Make a custom format from two closures, which return `nil` for a value that does not fit:
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
    /// The JSON type of a value in this format; `nil` if there are several, or if the format does not state one.
    let kind: Json.Kind?
    /// A noun phrase for errors that describes a value in this format: `an RFC 3339 date`.
    let expectation: @Sendable () -> String
    /// Reads a value; returns `nil` if the JSON does not have this format.
    @usableFromInline let parse: @Sendable (Json) throws -> Value?
    private let spell: @Sendable (Value) throws -> Json?
    /// Reads a value directly from the index, without a `Json`. The closure is set only for formats where it is faster
    /// than ``parse``.
    var quickRead: QuickRead?

    /// Reads the value at an index position and passes it to `take`. Returns false if the value is not in the format,
    /// or if only ``parse`` can read it.
    typealias QuickRead = @Sendable (_ nodes: JsonNodes, _ position: Int, _ take: (Value) -> Void) -> Bool

    /// Makes a format of JSON values of any kind.
    /// - Parameters:
    ///   - expectation: A noun phrase for errors that describes a value in this format: `a range of pages`.
    ///   - kind: The JSON type of such a value, if there is only one.
    ///   - read: Makes a value; returns `nil` for JSON that does not fit.
    ///   - write: Makes the JSON; returns `nil` for a value that the format cannot represent.
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

    /// Returns a copy of the format that reads values directly from the index if possible.
    /// - Parameter read: Returns the value at a position; `nil` if the value is not in this format, or if only
    ///   ``parse`` can decide.
    /// - Returns: The format.
    @inline(__always)
    func reading(_ read: @escaping @Sendable (_ nodes: JsonNodes, _ position: Int) -> Value?) -> ValueFormat {
        var format = self
        format.quickRead = { nodes, position, take in
            guard let value = read(nodes, position) else { return false }
            take(value)
            return true
        }
        return format
    }

    /// Makes a format of JSON strings.
    /// - Parameters:
    ///   - expectation: A noun phrase for errors that describes a value in this format: `a range of pages`.
    ///   - read: Makes a value; returns `nil` for a string that does not fit.
    ///   - write: Makes the string; returns `nil` for a value that the format cannot represent.
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
    /// - Throws: ``MappingError`` with the expectation, and with the type and length of the JSON that was found. Also
    ///   throws what the format's closure for reading throws.
    @inlinable
    public func read(_ raw: Json) throws -> Value {
        if let value = try parse(raw) { return value }
        throw MappingError(refusal(of: raw))
    }

    /// Writes a value.
    /// - Parameter value: The value.
    /// - Returns: Its JSON.
    /// - Throws: ``MappingError`` if the format cannot represent the value. Also throws what the format's closure for
    ///   writing throws.
    public func write(_ value: Value) throws -> Json {
        if let raw = try spell(value) { return raw }
        throw MappingError(
            MappingIssue(.invalidValue, expected: expectation(), found: .init(type: "a \(typeName(Value.self))"))
        )
    }

    /// Reads a value. Returns `nil` for JSON that does not fit, and for every error but a cancellation, which it
    /// throws.
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

extension ValueFormat: Redacted {
    /// A description of the format's values.
    public var description: String { expectation() }
}
