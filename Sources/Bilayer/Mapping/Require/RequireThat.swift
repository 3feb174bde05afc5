/// Checks a rule of the model, or throws a ``MappingError`` with the rule as a sentence and its place in the code.
///
/// Choose it where values are there and of the right type, but the app cannot work with them:
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
///   - condition: What must hold.
///   - rule: The rule as a sentence, for the error; without payload values.
///   - name: The field that breaks it, or the path that leads there; leave it out where the rule is about the whole.
///   - key: The field's key in the JSON, where it differs.
///   - fileID: The place of the rule.
///   - line: The place of the rule.
///   - function: The place of the rule.
/// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/brokenRule``, or what the condition throws.
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
        return MappingError(issue.placed(atField: name, key: key))
    }
}
