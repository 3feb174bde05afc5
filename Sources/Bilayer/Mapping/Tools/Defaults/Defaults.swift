/// The defaults of a field: one for a missing member, one for `null`, one for an invalid value.
///
/// A server that leaves a member out, or sends `null` for it, often does so on purpose. The defaults for these two
/// cases are reported as information. An invalid value is a breach of the contract. Its default is reported as a
/// warning with the found type, and is an error under a policy that treats warnings as errors. Without a default, a
/// missing value is an error. So is a `null`, unless the type itself reads `null`. An invalid value is an error, except
/// under a policy that salvages.
///
/// A value with ``ifInvalid`` is invalid if any part of it cannot be read, for example one element of a list. This
/// holds under every policy. Under a policy that salvages, a value without ``ifInvalid`` loses its bad elements,
/// members and optional properties. If it cannot be read even so, it becomes ``ifMissing``, or else ``ifNull``. The
/// report then has the kind ``MappingIssue/Kind/dropped``, because the policy allows this loss, and not the type.
public struct Defaults<Value> {
    /// The value for a missing member.
    public var ifMissing: Value?
    /// The value for a `null`.
    public var ifNull: Value?
    /// The value for an invalid value other than `null`.
    public var ifInvalid: Value?

    /// Makes defaults. A case with `nil` has no default.
    public init(ifMissing: Value? = nil, ifNull: Value? = nil, ifInvalid: Value? = nil) {
        self.ifMissing = ifMissing
        self.ifNull = ifNull
        self.ifInvalid = ifInvalid
    }
}

extension Defaults {
    /// The substitute for an invalid value that a policy leaves out. `nil` if ``ifInvalid`` is declared, or if there is
    /// no default at all.
    var ifLeftOut: Value? { ifInvalid == nil ? ifMissing ?? ifNull : nil }

    /// Returns a value that was read with tolerance, or the substitute if the value was left out. An optional that is
    /// left out is `nil`.
    static func value(_ value: Value?, orIfLeftOut ifLeftOut: Value) -> Value {
        guard let value, (value as? any OptionalValue)?.isNil != true else { return ifLeftOut }
        return value
    }
}

extension Defaults: Sendable where Value: Sendable {}

/// The state of a member before it is read.
enum Presence {
    case missing
    case null
    case value
}

extension Defaults {
    /// Reads a member, or returns its default.
    /// - Parameters:
    ///   - presence: Whether the member is missing, `null` or a value.
    ///   - path: The member's path in issues.
    ///   - property: The property's name, if it can differ from the last key of the path.
    ///   - found: The JSON type of the member's value, for issues.
    ///   - describe: Makes a mapping error of what `read` throws.
    ///   - read: Reads the member.
    ///   - leftOut: Called if ``ifInvalid`` replaces an invalid value under a policy that salvages.
    /// - Returns: The value or a default.
    /// - Throws: The error of `read`, if the case has no default, unless the policy salvages an invalid value (see
    ///   ``Defaults``); ``MappingError`` for an invalid value under a policy that treats warnings as errors. Always
    ///   throws a `CancellationError` of `read`.
    func value(
        _ presence: Presence,
        at path: @autoclosure () -> JsonPath,
        of property: @autoclosure () -> String? = nil,
        found: @autoclosure () -> MappingIssue.Found?,
        describing describe: (any Error) -> MappingError = MappingError.init(wrapping:),
        _ read: () throws -> Value,
        leftOut: () -> Void = {}
    ) throws -> Value {
        func usedDefault(_ severity: MappingIssue.Severity, instead found: MappingIssue.Found?) -> MappingIssue {
            let expected = typeName(Value.self)
            var issue = MappingIssue(.usedDefault, severity: severity, path: path(), expected: expected, found: found)
            if let property = property() { issue.nameProperty(property) }
            return issue
        }
        switch presence {
        case .missing:
            guard let ifMissing else { return try read() }
            IssueLog.current?.add(usedDefault(.info, instead: MappingIssue.Found(type: "nothing")))
            return ifMissing
        case .null:
            guard let ifNull else { return try read() }
            IssueLog.current?.add(usedDefault(.info, instead: MappingIssue.Found(type: "null")))
            return ifNull
        case .value:
            if let ifInvalid {
                return try replacing(ifInvalid, usedDefault(.warning, instead: found()), describe, read, leftOut)
            }
            guard let ifLeftOut else { return try read() }
            func salvage() throws -> Value? { try salvagingOptional(at: path(), describing: describe, read) }
            guard IssueLog.current?.policy.leavesOut == true else { return try salvage() ?? ifLeftOut }
            let name = property()
            let value = try name.map { try namingProperty($0, at: path(), salvage) } ?? salvage()
            return Self.value(value, orIfLeftOut: ifLeftOut)
        }
    }

    private func replacing(
        _ value: Value,
        _ usedDefault: @autoclosure () -> MappingIssue,
        _ describe: (any Error) -> MappingError,
        _ read: () throws -> Value,
        _ leftOut: () -> Void
    ) throws -> Value {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        do {
            return try MappingSession.readingWhole {
                do {
                    return try read()
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // The error is described here, because only the session of this reading has recorded which type
                    // declares the failed field.
                    throw describe(error)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            guard let log else { return value }
            log.remove(since: mark)
            if log.policy.leavesOut { leftOut() }
            let causes = MappingError(wrapping: error).issues
            var issue = usedDefault()
            issue.causes = causes
            try issue.reportOrThrow()
            return value
        }
    }
}

extension Json {
    /// Reads a member of this object, with separate defaults for three cases (``Defaults``).
    ///
    /// ```swift
    /// enum Colour: String, Codable, RawDecodable { case red, other }
    ///
    /// struct PaintEntry: RawDecodable {
    ///     let reviews: Int
    ///     let colour: Colour
    ///
    ///     static func from(raw: Json) throws -> PaintEntry {
    ///         try PaintEntry(
    ///             reviews: raw.decode("reviews", ifMissing: 0, ifNull: 0),     // a broken one is still an error
    ///             colour: raw.decode("colour", ifInvalid: Colour.other))       // warning  $.colour  used default: …
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - key: The member's key.
    ///   - ifMissing: The value for a missing member.
    ///   - ifNull: The value for a `null`.
    ///   - ifInvalid: The value for an invalid value. Its use is reported as a warning.
    /// - Returns: The value or a default.
    /// - Throws: ``MappingError`` if the value is missing or cannot be read, and its case has no default, unless the
    ///   policy salvages an invalid value (see ``Defaults``). Also ``MappingError`` for an invalid value under a policy
    ///   that treats warnings as errors.
    public func decode<Value: RawDecodable>(
        _ key: String,
        ifMissing: Value? = nil,
        ifNull: Value? = nil,
        ifInvalid: Value? = nil
    ) throws -> Value where Value.Raw == Json {
        let defaults = Defaults(ifMissing: ifMissing, ifNull: ifNull, ifInvalid: ifInvalid)
        return try locating(at: nil, in: self) {
            try defaults.value(presence(of: key), at: [.key(key)], found: self[key]?.found) { try decode(key) }
        }
    }

    func presence(of key: String) -> Presence {
        guard let member = self[key] else { return kind == .object ? .missing : .value }
        return member.isNull ? .null : .value
    }
}

extension Defaults: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
