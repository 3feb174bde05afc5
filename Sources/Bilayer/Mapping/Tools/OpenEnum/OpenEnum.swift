/// An enum that the server may extend with further cases.
///
/// Conform enums with a raw value and use them through ``Open``, which keeps unknown values. See ``DefaultCase`` for
/// enums with a case for unknown values.
///
/// ```swift
/// enum Status: String, OpenEnum, Codable { case paid, sent }
///
/// struct OrderEntry: Codable, RawMappable {
///     let status: Open<Status>                 // "refunded" is .unknown("refunded"), with a report
/// }
/// ```
public protocol OpenEnum: RawRepresentable, Hashable, Sendable
where RawValue: Hashable & Sendable & Codable & RawDecodable & RawEncodable, RawValue.Raw == Json {
    /// Whether the server guarantees never to extend the enum. If so, an unknown value is an error. `false` by default.
    static var isFrozen: Bool { get }
}

extension OpenEnum {
    /// `false`: the server may extend the enum.
    public static var isFrozen: Bool { false }
}

extension MappingIssue {
    /// The issue of a raw value without a case.
    static func unknownCase<RawValue>(
        _ rawValue: RawValue,
        of type: Any.Type,
        at path: @autoclosure () -> JsonPath,
        outcome: String
    ) -> MappingIssue {
        let text = rawValue as? String
        let kind =
            switch rawValue {
            case is String: "string"
            case is Bool: "bool"
            case is any Numeric: "number"
            // A raw type of the app may be read from any JSON.
            default: typeName(RawValue.self)
            }
        var issue = MappingIssue(
            .unknownCase,
            severity: .warning,
            path: path(),
            expected: "a value of \(typeName(type))",
            found: Found(type: kind, length: text?.count)
        )
        issue.outcome = outcome
        return issue
    }

    /// Reports an unknown value that is accepted.
    /// - Throws: ``MappingError`` under a policy that treats warnings as errors.
    static func reportUnknownCase<RawValue>(
        _ rawValue: RawValue,
        of type: Any.Type,
        at path: @autoclosure () -> JsonPath,
        outcome: String
    ) throws {
        guard IssueLog.current != nil else { return }
        try unknownCase(rawValue, of: type, at: path(), outcome: outcome).reportOrThrow()
    }
}
