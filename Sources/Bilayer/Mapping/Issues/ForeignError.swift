import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The words for an error from outside the framework: its own if it has any, else its type and case. Payload values stay out:
/// the default text of an error prints whatever it stores, and a `URLError` prints the address with its secrets.
func describeForeign(_ error: any Error) -> String {
    if let error = error as? URLError { return "URLError \(error.code.rawValue)" }
    if type(of: error) is any CustomStringConvertible.Type { return "\(error)" }
    let name = typeName(type(of: error))
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return name }
    return "\(name).\(mirror.children.first?.label ?? "\(error)")"
}
