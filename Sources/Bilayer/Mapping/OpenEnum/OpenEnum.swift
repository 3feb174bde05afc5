/// An enum that the server may extend: the cases are those that the app knows today.
///
/// Conform enums with a raw value and use them through ``Open``, which keeps a value that is not known. See
/// ``DefaultCase`` for enums that have a case of their own for that.
///
/// ```swift
/// enum Status: String, OpenEnum, Codable { case paid, sent }
///
/// struct OrderEntry: Codable, RawMappable {
///     let status: Open<Status>                 // "refunded" is .unknown("refunded"), reported, and written back as it was
/// }
/// ```
public protocol OpenEnum: RawRepresentable, Hashable, Sendable
where RawValue: Hashable & Sendable & Codable & RawDecodable & RawEncodable, RawValue.Raw == Json {
    /// Whether the server has promised never to extend it: then an unknown value is an error. `false` unless said
    /// otherwise.
    static var isFrozen: Bool { get }
}

extension OpenEnum {
    /// The server may extend it.
    public static var isFrozen: Bool { false }
}

extension MappingIssue {
    /// The issue of a raw value that no case stands for.
    static func unknownCase<RawValue>(
        _ rawValue: RawValue,
        of type: Any.Type,
        at path: @autoclosure () -> JsonPath,
        outcome: String
    ) -> MappingIssue {
        let text = rawValue as? String
        var issue = MappingIssue(
            .unknownCase,
            severity: .warning,
            path: path(),
            expected: "a value of \(typeName(type))",
            found: Found(type: text == nil ? "number" : "string", length: text?.count)
        )
        issue.outcome = outcome
        return issue
    }

    /// Lets an unknown value pass, with a report.
    static func forgiveUnknownCase<RawValue>(
        _ rawValue: RawValue,
        of type: Any.Type,
        at path: @autoclosure () -> JsonPath,
        outcome: String
    ) throws {
        guard IssueLog.current != nil else { return }
        try unknownCase(rawValue, of: type, at: path(), outcome: outcome).reportOrThrow()
    }
}
