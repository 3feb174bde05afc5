/// A member of an object that is absent, `null`, or a value.
///
/// Choose it for the bodies of `PATCH` requests and for other types in which an absent member and `null` differ. An
/// optional cannot distinguish them: synthesized `Codable` code reads both as `nil`, even into a `String??`.
///
/// ```swift
/// struct ProfilePatch: Codable, RawMappable {
///     var nickname: Field<String> = .absent
///     var birthday: Field<Date> = .absent
/// }
///
/// var patch = ProfilePatch()
/// patch.nickname = "Ada"                               // {"nickname":"Ada"}
/// patch.birthday = .null                               // {"nickname":"Ada","birthday":null}
/// try patch.nickname.apply(to: &profile.nickname)      // profile.nickname is now "Ada"
/// ```
/// Only a member of an object can be absent. Writing an absent field that is the root, an element, or a value of a
/// dictionary is an error.
public enum Field<Value> {
    /// There is no such member.
    case absent
    /// The member is `null`.
    case null
    /// The member has a value.
    case value(Value)
}

extension Field: Sendable where Value: Sendable {}
extension Field: Equatable where Value: Equatable {}
extension Field: Hashable where Value: Hashable {}

extension Field {
    /// Makes a field with a value, or ``null`` for `nil`.
    public init(_ value: Value?) {
        self = value.map(Field.value) ?? .null
    }

    /// The value; `nil` for the other two states.
    public var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    /// Whether there is no such member.
    public var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    /// Whether the member is `null`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Returns the field with its value transformed. An absent field and `null` stay as they are.
    public func map<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Field<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }

    /// Merges the field into an optional. Absent changes nothing, `null` clears the optional, a value replaces it.
    public func apply(to target: inout Value?) {
        switch self {
        case .absent: break
        case .null: target = nil
        case .value(let value): target = value
        }
    }

    /// Merges the field into a value that is not optional. Absent changes nothing, a value replaces it, `null` is an
    /// error.
    /// - Parameters:
    ///   - target: The value to change.
    ///   - name: The field's name, for the error.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/null``.
    public func apply(to target: inout Value, _ name: String? = nil) throws {
        switch self {
        case .absent: break
        case .null:
            let issue = MappingIssue(.null, expected: typeName(Value.self), found: .init(type: "null"))
            throw MappingError(issue.located(atField: name))
        case .value(let value): target = value
        }
    }
}
