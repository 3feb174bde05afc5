/// An identifier that belongs to one type: using an order's identifier as a customer's identifier does not compile.
///
/// Choose it for every identifier of a model. It is read and written like its raw value, and has no arithmetic. It can
/// be an argument of a route and a key of a dictionary.
///
/// ```swift
/// struct Order: Identified {
///     typealias RawIdentifier = Int                 // String by default
///     let id: ID                                    // TypedIdentifier<Order, Int>
/// }
///
/// let id = Order.ID(42)
/// let route = Route<Json>.get("orders/{id}", ["id": id])
/// ```
public struct TypedIdentifier<Owner, RawValue: Hashable & Sendable>: RawRepresentable, Hashable, Sendable {
    /// The server's value.
    public let rawValue: RawValue

    /// Makes an identifier.
    public init(rawValue: RawValue) { self.rawValue = rawValue }

    /// Makes an identifier.
    public init(_ rawValue: RawValue) { self.rawValue = rawValue }
}

/// An identifier that is a string.
public typealias TypedStringIdentifier<Owner> = TypedIdentifier<Owner, String>

/// An identifier that is an integer.
public typealias TypedIntIdentifier<Owner> = TypedIdentifier<Owner, Int>

/// A type with its own identifier type. Conforming makes it `Identifiable` with an `ID` that belongs to it.
///
/// ```swift
/// struct Offer: Identified {
///     let id: ID                                    // Offer.ID is a TypedIdentifier<Offer, String>
/// }
/// ```
/// In an enum without cases, which is only a namespace, declare the type alias instead:
/// `typealias ID = TypedStringIdentifier<Offer>`.
///
/// Inside a type or namespace with its own `ID`, plain `ID` means the outer type's `ID`. So write `let id: Line.ID` in
/// `Order.Line`. Otherwise the compiler reports that `Line` is not `Identifiable`.
public protocol Identified: Identifiable {
    /// The type of the server's identifiers.
    associatedtype RawIdentifier: Hashable & Sendable = String

    /// The type's identifiers.
    override associatedtype ID = TypedIdentifier<Self, RawIdentifier>
}

extension TypedIdentifier: CustomStringConvertible {
    /// The raw value as text.
    public var description: String { "\(rawValue)" }
}

extension TypedIdentifier: LosslessStringConvertible where RawValue: LosslessStringConvertible {
    /// Makes an identifier from the text of its raw value.
    @_disfavoredOverload
    public init?(_ description: String) {
        guard let rawValue = RawValue(description) else { return nil }
        self.init(rawValue)
    }
}

extension TypedIdentifier: QueryValue where RawValue: RouteArgument {}

extension TypedIdentifier: RouteArgument where RawValue: RouteArgument {
    /// The raw value as text.
    public var routeArgument: String { rawValue.routeArgument }
}

extension TypedIdentifier: CodingKeyRepresentable where RawValue: CodingKeyRepresentable {
    /// The coding key of the raw value.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Makes an identifier from a key.
    public init?(codingKey: some CodingKey) {
        guard let rawValue = RawValue(codingKey: codingKey) else { return nil }
        self.init(rawValue)
    }
}

extension TypedIdentifier: ExpressibleByUnicodeScalarLiteral where RawValue: ExpressibleByUnicodeScalarLiteral {
    /// Makes an identifier.
    public init(unicodeScalarLiteral value: RawValue.UnicodeScalarLiteralType) {
        self.init(RawValue(unicodeScalarLiteral: value))
    }
}

extension TypedIdentifier: ExpressibleByExtendedGraphemeClusterLiteral
where RawValue: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Makes an identifier.
    public init(extendedGraphemeClusterLiteral value: RawValue.ExtendedGraphemeClusterLiteralType) {
        self.init(RawValue(extendedGraphemeClusterLiteral: value))
    }
}

extension TypedIdentifier: ExpressibleByStringLiteral where RawValue: ExpressibleByStringLiteral {
    /// Makes an identifier.
    public init(stringLiteral value: RawValue.StringLiteralType) { self.init(RawValue(stringLiteral: value)) }
}

extension TypedIdentifier: ExpressibleByIntegerLiteral where RawValue: ExpressibleByIntegerLiteral {
    /// Makes an identifier.
    public init(integerLiteral value: RawValue.IntegerLiteralType) { self.init(RawValue(integerLiteral: value)) }
}
