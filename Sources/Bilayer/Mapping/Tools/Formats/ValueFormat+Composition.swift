import Foundation

// Formats made of other formats. Only ``firstOf(_:_:)``, ``lenient(_:)`` and ``emptyAsNil(_:)`` report a value that is
// not in the expected form.

extension ValueFormat {
    /// Several formats, tried in order. The first format is the expected format, and is used for writing. A value in
    /// another format is reported as ``MappingIssue/Kind/coerced``.
    ///
    /// ```swift
    /// enum ShopDate: NamedFormat {
    ///     static let format = ValueFormat.firstOf(.rfc3339, .dateOnly, .unixSeconds)
    /// }
    /// struct OrderEntry: Codable { @Formatted<ShopDate> var createdAt: Date }
    /// ```
    /// - Parameters:
    ///   - first: The expected format.
    ///   - others: The other accepted formats.
    /// - Returns: The format.
    public static func firstOf(_ first: ValueFormat, _ others: ValueFormat...) -> ValueFormat {
        several(first, others, areReported: true)
    }

    /// Several formats that are all legal, tried in order. The first is used for writing. No value is reported. An
    /// example is a `Long` that a server may send as a number or a string.
    ///
    /// ```swift
    /// struct Long: CustomScalar, Hashable {
    ///     var value: Int64
    ///     static let format = ValueFormat<Int64>.anyOf(.plain, .quoted).map(Long.init) { $0.value }
    /// }
    /// ```
    /// - Parameters:
    ///   - first: The format for writing.
    ///   - others: The other legal formats.
    /// - Returns: The format.
    public static func anyOf(_ first: ValueFormat, _ others: ValueFormat...) -> ValueFormat {
        several(first, others, areReported: false)
    }

    private static func several(_ first: ValueFormat, _ others: [ValueFormat], areReported: Bool) -> ValueFormat {
        var format = ValueFormat(
            ([first] + others).map { $0.expectation() }.joined(separator: " or "),
            kind: others.allSatisfy { $0.kind == first.kind } ? first.kind : nil,
            read: { raw in
                let log = IssueLog.current
                let mark = log?.mark ?? .start
                if let value = try first.attempt(raw) { return value }
                log?.remove(since: mark)
                return try other(of: others, reading: raw, insteadOf: areReported ? first : nil)
            },
            write: { try first.write($0) }
        )
        format.quickRead = first.quickRead
        return format
    }

    /// Reads a value in one of the other formats. Reports that it is not in the expected format, if one is given.
    private static func other(
        of others: [ValueFormat],
        reading raw: Json,
        insteadOf expected: ValueFormat?
    ) throws -> Value? {
        let log = IssueLog.current
        for other in others {
            let mark = log?.mark ?? .start
            guard let value = try other.attempt(raw) else {
                log?.remove(since: mark)
                continue
            }
            if log != nil, let expected {
                try raw.coerced(from: expected.expectation(), to: other.expectation()).reportOrThrow()
            }
            return value
        }
        return nil
    }

    /// Values that may be `null`.
    /// - Parameter format: The format of values other than `null`.
    /// - Returns: The format.
    public static func optional<Wrapped>(_ format: ValueFormat<Wrapped>) -> Self where Value == Wrapped? {
        var optional = Self("\(format.expectation()) or null") { raw in
            .some(raw.isNull ? nil : try format.read(raw))
        } write: { value in
            try value.map(format.write) ?? .null
        }
        if let read = format.quickRead {
            optional.quickRead = { nodes, position, take in read(nodes, position) { take($0) } }
        }
        return optional
    }

    /// Values for which a server sends `""`, `{}` or `[]` when it means `null`. Empty values are reported as
    /// ``MappingIssue/Kind/coerced``. The format writes `nil` as `null`.
    /// - Parameter format: The format of the values.
    /// - Returns: The format.
    public static func emptyAsNil<Wrapped>(_ format: ValueFormat<Wrapped>) -> Self where Value == Wrapped? {
        Self("\(format.expectation()) or null") { raw in
            if raw.isNull { return .some(nil) }
            guard raw.isEmpty else { return .some(try format.read(raw)) }
            if IssueLog.current != nil {
                try raw.coerced(from: "\(format.expectation()) or null", to: "null").reportOrThrow()
            }
            return .some(nil)
        } write: { value in
            try value.map(format.write) ?? .null
        }
    }

    /// Scalars in quotes, for reading and writing: `"42"`, `"9.90"`, `"true"`.
    /// - Parameter format: The format of the scalar without quotes.
    /// - Returns: The format.
    public static func quoted(_ format: ValueFormat) -> ValueFormat {
        var quoted = ValueFormat("\(format.expectation()) in quotes", kind: .string) { raw in
            guard let text = raw.string, let scalar = Json(scalar: text) else { return nil }
            return try describing(raw, in: format) { try format.parse(scalar) }
        } write: { value in
            let scalar = try format.write(value)
            return (scalar.numberText ?? scalar.bool.map { String($0) }).map { Json($0) }
        }
        if let read = format.quickRead {
            quoted.quickRead = { nodes, position, take in
                nodes.withQuotedNumber(at: position) { read($0, 0, take) } ?? false
            }
        }
        return quoted
    }

    /// Reads the scalar of a string. Errors and issues describe the string, which is what the JSON has.
    private static func describing(_ raw: Json, in format: ValueFormat, _ read: () throws -> Value?) throws -> Value? {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        func describe(_ issue: inout MappingIssue) {
            guard issue.localPath.isRoot, issue.found != nil else { return }
            issue.found = raw.found
            let expectation = format.expectation()
            // A format made by `map` names its type before the expectation.
            guard let expected = issue.expected, expected.hasSuffix(expectation) else { return }
            if expected == expectation || expected.hasSuffix(" from \(expectation)") {
                issue.expected = "\(expected) in quotes"
            }
        }
        do {
            let value = try read()
            if let log, log.hasAdditions(since: mark) { log.rewrite(since: mark, describe) }
            return value
        } catch let error as MappingError {
            throw error.updatingIssues(describe)
        }
    }

    /// Scalars that a server sometimes puts in quotes. Quotes are reported as ``MappingIssue/Kind/coerced``. The format
    /// writes no quotes.
    /// - Parameter format: The format of the scalar without quotes.
    /// - Returns: The format.
    public static func lenient(_ format: ValueFormat) -> ValueFormat { .firstOf(format, .quoted(format)) }
}

extension ValueFormat {
    /// Returns a format with the same JSON for values of another type.
    /// - Parameters:
    ///   - wrap: Converts to the other type. Returns `nil` if there is no such value; reading then throws an error that
    ///     expects, for example, `Decimal from String`.
    ///   - unwrap: Converts from the other type.
    /// - Returns: The format.
    public func map<Other>(
        _ wrap: @escaping @Sendable (Value) throws -> Other?,
        _ unwrap: @escaping @Sendable (Other) throws -> Value
    ) -> ValueFormat<Other> {
        var other = ValueFormat<Other>(expectation(), kind: kind) { raw in
            guard let value = try parse(raw) else { return nil }
            if let wrapped = try wrap(value) { return wrapped }
            var issue = refusal(of: raw)
            issue.expected = "\(typeName(Other.self)) from \(expectation())"
            throw MappingError(issue)
        } write: { value in
            try write(unwrap(value))
        }
        if let read = quickRead {
            other.quickRead = { nodes, position, take in
                let log = IssueLog.current
                let mark = log?.mark ?? .start
                var isTaken = false
                _ = read(nodes, position) { value in
                    let wrapped = try? wrap(value)
                    // An issue of `wrap` has no path here. So the value is read again as `Json`, which adds the path.
                    guard log?.mark ?? .start == mark, let wrapped else { return }
                    take(wrapped)
                    isTaken = true
                }
                if !isTaken { log?.remove(since: mark) }
                return isTaken
            }
        }
        return other
    }

    /// Arrays of values in a format.
    /// - Parameter format: The format of an element.
    /// - Returns: The format.
    @inlinable
    public static func array<Element>(of format: ValueFormat<Element>) -> Self where Value == [Element] {
        Self("an array", kind: .array) { raw in
            guard raw.kind == .array else { return nil }
            return try raw.elements.mapElements { try format.read($0) }
        } write: { values in
            Json(try values.mapElements { try format.write($0) })
        }
    }

    /// Objects whose members are values in a format, with unchanged keys.
    /// - Parameter format: The format of the members' values.
    /// - Returns: The format.
    public static func members<Member>(of format: ValueFormat<Member>) -> Self where Value == [String: Member] {
        Self("an object", kind: .object) { raw in
            guard raw.kind == .object else { return nil }
            let counting = raw.effectiveMembers
            let members = try counting.mapMembers(count: counting.count, name: { $0 }) { ($0, try format.read($1)) }
            return counting.dictionary(of: members.lazy.map(\.value))
        } write: { values in
            Json(members: try values.mapMembers { try format.write($0) }.map { (key: $0, value: $1) })
        }
    }

    /// Arrays for which the server may send a single element without brackets: `"a"` or `["a","b"]`. The format writes
    /// an array.
    ///
    /// If the elements are arrays themselves, an array is always read as the list of elements.
    /// - Parameter format: The format of an element.
    /// - Returns: The format.
    public static func oneOrMany<Element>(_ format: ValueFormat<Element>) -> Self where Value == [Element] {
        let many = ValueFormat<[Element]>.array(of: format)
        return Self("\(format.expectation()) or an array") { raw in
            raw.kind == .array ? try many.read(raw) : [try format.read(raw)]
        } write: {
            try many.write($0)
        }
    }
}

extension ValueFormat where Value: RawMappable & SendableMetatype, Value.Raw == Json {
    /// The type's own format, made of `from(raw:)` and `toRaw()`.
    public static var plain: Self {
        var plain = Self(typeName(Value.self), kind: plainKind) {
            try Value.from(part: $0)
        } write: {
            try $0.toRaw()
        }
        plain.quickRead = (Value.self as? any IndexReadable.Type)?.quickRead(of: Value.self)
        return plain
    }

    /// The JSON type of some scalars; `nil` for other types. It lets ``attempt(_:)`` refuse a value of another JSON
    /// type without an error.
    private static var plainKind: Json.Kind? {
        if Value.self == Bool.self { return .bool }
        if Value.self == String.self { return .string }
        return Value.self == Int.self || Value.self == Double.self || Value.self == Decimal.self ? .number : nil
    }

    /// ``quoted(_:)`` of the type's own format.
    public static var quoted: Self { .quoted(.plain) }

    /// ``lenient(_:)`` of the type's own format.
    public static var lenient: Self { .lenient(.plain) }
}

extension Json {
    /// Whether the value is empty: `""`, `{}`, `[]`.
    fileprivate var isEmpty: Bool {
        switch kind {
        case .string: string?.isEmpty == true
        case .array, .object: count == 0
        default: false
        }
    }

    /// Returns the issue of a value that was read in another form than the expected form.
    func coerced(from expected: String, to taken: String) -> MappingIssue {
        var issue = MappingIssue(.coerced, severity: .warning, expected: expected, found: found)
        issue.outcome = "read as \(taken)"
        return issue
    }
}
