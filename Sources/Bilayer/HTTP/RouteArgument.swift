public import Foundation

/// A value for the path or the query of a route.
///
/// Strings, numbers, `Bool`, `Decimal` and `UUID` conform. An enum or an identifier whose raw value conforms needs only
/// the declaration:
///
/// ```swift
/// enum SortOrder: String, RouteArgument { case ascending, descending }
/// ```
public protocol RouteArgument: QueryValue {
    /// The value as text, before escaping.
    var routeArgument: String { get }
}

extension RouteArgument where Self: RawRepresentable, RawValue: RouteArgument {
    /// The raw value as text.
    public var routeArgument: String { rawValue.routeArgument }
}

extension RouteArgument where Self: LosslessStringConvertible {
    /// The value as text.
    public var routeArgument: String { description }
}

extension String: RouteArgument {}
extension Substring: RouteArgument {}
extension Bool: RouteArgument {}
extension Int: RouteArgument {}
extension Int8: RouteArgument {}
extension Int16: RouteArgument {}
extension Int32: RouteArgument {}
extension Int64: RouteArgument {}
extension UInt: RouteArgument {}
extension UInt8: RouteArgument {}
extension UInt16: RouteArgument {}
extension UInt32: RouteArgument {}
extension UInt64: RouteArgument {}
extension Double: RouteArgument {}
extension Float: RouteArgument {}

extension Decimal: RouteArgument {
    /// The number with a decimal point in every locale.
    public var routeArgument: String { description }
}

extension UUID: RouteArgument {
    /// The identifier in upper case, like `uuidString`.
    public var routeArgument: String { uuidString }
}
