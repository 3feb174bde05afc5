/// The query of a route: names and values in order. Repeated names are preserved.
///
/// ```swift
/// let route = Route<[User]>.get("users", query: ["older_than": 30, "tag": ["a", "b"], "name": nil])
/// // users?older_than=30&tag=a&tag=b
/// ```
/// An item with the value `nil` is omitted. A list makes an item with the name for each of its elements. All characters
/// except the unreserved ones are escaped (RFC 3986 §2.3). This includes `+`, so servers that parse a query as a form
/// read it correctly.
public struct QueryItems: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One query item, before escaping.
    public struct Item: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The items in order.
    public private(set) var items: [Item] = []
    /// The error of a value that could not be written as items. It is thrown when the request is made.
    private(set) var failure: Failure?

    /// Makes a query from names and values.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        for (name, value) in elements { append(value, for: name) }
    }

    /// Appends one item, or an item for each element of a list. Appends nothing for `nil`.
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name.
    public mutating func append(_ value: (any QueryValue)?, for name: String) {
        items += value?.queryValues.map { Item(name: name, value: $0) } ?? []
    }

    /// Appends the items of another query.
    /// - Parameter others: The query with the items to append.
    public mutating func append(contentsOf others: QueryItems) {
        items += others.items
        failure = failure ?? others.failure
    }

    /// Returns a query with the items sorted by their names, for a server that expects a signed query. Items with equal
    /// names keep their order, which lists need.
    ///
    /// Names are compared by the bytes of their escaped form. A query in the path of the route is not sorted.
    public func sorted() -> QueryItems {
        var query = self
        query.items = items.sortedByName()
        return query
    }

    /// Makes a query from items.
    init(items: [Item]) { self.items = items }

    /// Makes a query that throws the failure when the request is made.
    init(failure: any Error) { self.failure = Failure(error: failure) }

    var encodedPairs: [String] {
        items.map { item in
            [item.name, item.value].map { $0.percentEncoded(keeping: .unreserved) }.joined(separator: "=")
        }
    }

    /// An error that is compared by its text.
    struct Failure: Sendable, Hashable {
        let error: any Error

        static func == (left: Self, right: Self) -> Bool { left.text == right.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }

        private var text: String { String(describing: error) }
    }
}

extension [QueryItems.Item] {
    /// Returns the items sorted by their escaped names. Items with equal names keep their order.
    func sortedByName() -> Self {
        let keyed = enumerated().map { (name: $1.name.percentEncoded(keeping: .unreserved), index: $0, item: $1) }
        return
            keyed.sorted { left, right in
                left.name == right.name
                    ? left.index < right.index : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
            .map(\.item)
    }
}

/// A value in a query: any ``RouteArgument``, or a list of them. Conform a type to this protocol if its value makes
/// several items:
///
/// ```swift
/// struct Flags: QueryValue {
///     let names: Set<String>
///     var queryValues: [String] { names.sorted() }
/// }
/// let route = Route<Json>.get("users", query: ["flag": Flags(names: ["new", "vip"])])      // ?flag=new&flag=vip
/// ```
public protocol QueryValue: Sendable {
    /// The values of the items. Each is sent with the same name.
    var queryValues: [String] { get }
}

extension RouteArgument {
    /// The value as the only item.
    public var queryValues: [String] { [routeArgument] }
}

extension Array: QueryValue where Element: RouteArgument {
    /// The elements in order, one item for each.
    public var queryValues: [String] { map(\.routeArgument) }
}

extension QueryItems: Redacted {
    /// The names in order: `older_than=…&tag=…`. Values are omitted.
    public var description: String { items.map(\.description).joined(separator: "&") }
}

extension QueryItems.Item: Redacted {
    /// The name: `older_than=…`. The value is omitted.
    public var description: String { "\(name)=…" }
}
