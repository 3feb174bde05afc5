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
    /// Why a value could not be written as items; thrown when the request is made.
    private(set) var failure: Failure?

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

    /// Adds the items of another query.
    /// - Parameter others: The items, which come last.
    public mutating func append(contentsOf others: QueryItems) {
        items += others.items
        failure = failure ?? others.failure
    }

    /// Returns the items in the order of their names, for a server that signs queries. Items of one name keep their
    /// order, which a list needs.
    ///
    /// Names are compared by the bytes of their escaped form. The query of the route's own path is not sorted.
    public func sorted() -> QueryItems {
        var query = self
        query.items = items.sortedByName()
        return query
    }

    /// Makes a query of items.
    init(items: [Item]) { self.items = items }

    /// Makes a query that cannot be sent.
    init(failure: any Error) { self.failure = Failure(error: failure) }

    var encodedPairs: [String] {
        items.map { item in
            [item.name, item.value].map { $0.percentEncoded(keeping: .unreserved) }.joined(separator: "=")
        }
    }

    /// An error, compared by its text.
    struct Failure: Sendable, Hashable {
        let error: any Error

        static func == (left: Self, right: Self) -> Bool { left.text == right.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }

        private var text: String { String(describing: error) }
    }
}

extension [QueryItems.Item] {
    /// The items in the order of their escaped names; those of one name keep their order.
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

/// A value of a query item: any ``RouteArgument``, or a list of them. Conform a type that is several items:
///
/// ```swift
/// struct Flags: QueryValue {
///     let names: Set<String>
///     var queryValues: [String] { names.sorted() }
/// }
/// let route = Route<Json>.get("users", query: ["flag": Flags(names: ["new", "vip"])])      // ?flag=new&flag=vip
/// ```
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

extension QueryItems: Redacted {
    /// The names in their order: `older_than=…&tag=…`. Values are left out.
    public var description: String { items.map(\.description).joined(separator: "&") }
}

extension QueryItems.Item: Redacted {
    /// The name: `older_than=…`. The value is left out.
    public var description: String { "\(name)=…" }
}
