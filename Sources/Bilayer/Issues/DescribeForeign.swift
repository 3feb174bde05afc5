import Foundation

/// Returns a text for any error. For an error of the framework, the text is its description. For a `DecodingError`, the
/// text has its issues. For any other error, the text has only the name of the type, and the case of an enum or the
/// code of a `CustomNSError`. An `NSError` has its domain and code.
///
/// Descriptions and fields of other errors are not shown. A `URLError` prints the whole address, and a `CocoaError` a
/// file's path. An app's error can print any payload.
func describeForeign(_ error: any Error) -> String {
    switch error {
    case let error as any Redacted: return error.description
    case let error as DecodingError: return MappingError(error).description
    default: break
    }
    let type = type(of: error)
    let name = typeName(type)
    if type is NSError.Type {
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }
    if type is any CustomNSError.Type, let error = error as? any CustomNSError { return "\(name) \(error.errorCode)" }
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum, !(type is any CustomReflectable.Type) else { return name }
    if let label = mirror.children.first?.label { return "\(name).\(label)" }
    let hasOwnText = type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
    return hasOwnText ? name : "\(name).\(error)"
}

/// An error whose description also contains the reasons. If such an error is the cause of an issue, only the error's
/// headline is shown.
protocol Headlined: Error {
    /// The failure on one line, without the reasons.
    var headline: String { get }
    /// The reasons as issues for a report; never empty. The issues do not describe the call.
    var reasons: [MappingIssue] { get }
}

/// An error from outside of the mapping that contains issues of its own, such as a ``GraphQLFailure``.
protocol IssueSource: Error {
    /// The issues that it contains.
    var mappingError: MappingError { get }
}
