/// Checks a rule of the model. If it is violated, throws a ``MappingError`` with the rule and its source location.
///
/// Choose it for values that are present and of the right type, but not valid in the app:
///
/// ```swift
/// struct OrderEntry: Codable, RawDecodable { let total: Decimal }
///
/// struct Order: DTODecodable {
///     let total: Decimal
///
///     static func from(dto: OrderEntry) throws -> Order {
///         try require(that: dto.total >= 0, "a total is never negative", at: "total")
///         return Order(total: dto.total)
///     }
/// }
/// // $.orders[3].total: broken rule: a total is never negative in OrderEntry -> Order at Order.swift:14 from(dto:)
/// ```
/// - Parameters:
///   - condition: The condition.
///   - rule: The rule as a sentence, for the error; without payload values.
///   - name: The field or path that violates the rule; omit it for a rule about the whole value.
///   - key: The field's key in the JSON, if it differs from the name.
///   - fileID: The file of the rule.
///   - line: The line of the rule.
///   - function: The function of the rule.
/// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/brokenRule``, or the error of the condition.
@inlinable
public func require(
    that condition: @autoclosure () throws -> Bool,
    _ rule: @autoclosure () -> String,
    at name: String? = nil,
    key: String? = nil,
    fileID: String = #fileID,
    line: UInt = #line,
    function: String = #function
) throws {
    if try condition() { return }
    let source = MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
    throw MappingError.broken(rule(), name, key: key, at: source)
}

extension MappingError {
    @usableFromInline
    static func broken(
        _ rule: String,
        _ name: String?,
        key: String?,
        at source: MappingIssue.SourceLocation
    ) -> MappingError {
        let issue = MappingIssue(.brokenRule, source: source, detail: rule)
        return MappingError(issue.located(atField: name, key: key))
    }
}
