/// The query of a route: names and values in their order, repeated names kept.
///
/// ```swift
/// let route = Route<[User]>.get("users", query: ["older_than": 30, "tag": ["a", "b"], "name": nil])
/// // users?older_than=30&tag=a&tag=b
/// ```
/// A `nil` leaves its item out; a list repeats the name. Everything except the unreserved characters is escaped, `+`
/// included, so servers that parse a query as a form read it correctly (RFC 3986 §3.4).
public struct QueryItems: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One item, before escaping.
    public struct Item: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The items in their order.
    public private(set) var items: [Item] = []

    /// Makes a query from names and values.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        for (name, value) in elements { append(value, for: name) }
    }

    /// Adds an item, or one for each element of a list, or none for `nil`.
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name.
    public mutating func append(_ value: (any QueryValue)?, for name: String) {
        items += value?.queryValues.map { Item(name: name, value: $0) } ?? []
    }

    var encodedPairs: [String] {
        items.map { item in
            [item.name, item.value].map { $0.percentEncoded(keeping: .unreserved) }.joined(separator: "=")
        }
    }
}

/// A value of a query item: any ``RouteArgument``, or a list of them.
public protocol QueryValue: Sendable {
    /// The value of each item; the name is repeated for each.
    var queryValues: [String] { get }
}

extension RouteArgument {
    /// The value alone.
    public var queryValues: [String] { [routeArgument] }
}

extension Array: QueryValue where Element: RouteArgument {
    /// The elements in their order.
    public var queryValues: [String] { map(\.routeArgument) }
}
