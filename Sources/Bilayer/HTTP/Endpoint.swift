import Foundation

/// The request of a route as a value: method, path template, arguments and query.
///
/// Every node can read the endpoint in ``CallContext/endpoint``. Logs and metrics can group calls by ``name``, which
/// has the template instead of the filled path.
public struct Endpoint: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// The path below the base address, with `{name}` for each argument. The text after a `?` belongs to the query.
    ///
    /// Path and query are escaped where necessary. Escapes in the text are preserved. A `%` without two hexadecimal
    /// digits is an error, and so is a segment `.` or `..`, escaped or not.
    public var path: String
    /// The arguments for the path.
    public var arguments: PathArguments
    /// The query items.
    public var query: QueryItems
    /// The response type of the route.
    var response: ResponseType?
    /// The name of the GraphQL operation; `nil` for other routes. It distinguishes the operations of a server, which
    /// all have the same path.
    var operation: String?
    /// The name of the response type, for the headline of a report.
    var responseName: String? { response.map { typeName($0.type) } }

    /// Makes an endpoint.
    public init(
        _ method: HTTPMethod,
        _ path: String,
        arguments: PathArguments = [:],
        query: QueryItems = [:]
    ) {
        self.method = method
        self.path = path
        self.arguments = arguments
        self.query = query
    }

    /// The name for logs and metrics: `GET users/{id}`. It does not depend on the arguments. Query values and text
    /// after a `;` in the path are omitted, because a server can have sent them: `GET items;…?cursor=…`. A GraphQL
    /// operation is added: `POST graphql (Trip)`.
    public var name: String { "\(method) \(redactedAddress(path))\(operation.map { " (\($0))" } ?? "")" }
}

/// A type that is compared by its identity. Its name is made only when it is needed, because making it takes some
/// microseconds.
struct ResponseType: Sendable, Hashable {
    let type: Any.Type

    static func == (one: Self, other: Self) -> Bool { one.type == other.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension Endpoint {
    /// Returns the whole address: the base address with the route's path appended. An empty path preserves the base
    /// address byte for byte, except that a base address without a path gets the path `/`. The queries of the base
    /// address and of the template precede the query items.
    func url(relativeTo baseURL: URL) throws -> URL {
        if let failure = query.failure { throw failure.error }
        let own = try expandedPath()
        let ownQuery = queryText(templateQuery)
        try check(own, ownQuery, own: own)
        if let url = baseURL.appending(own, ownQuery) { return url }
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw RouteError("found a base address that is not a URL, expected a URL", in: self)
        }
        let (base, inherited) = (components.percentEncodedPath, components.percentEncodedQuery)
        let path = base.joined(toPath: own)
        let query = own.isEmpty && ownQuery == nil ? inherited : queryText(inherited, templateQuery)
        try check(path[...], query, own: own)
        components.percentEncodedPath = path
        components.percentEncodedQuery = query
        guard let url = components.url else {
            throw RouteError("found a path that makes no URL, expected one that does", in: self)
        }
        return url
    }

    /// Checks path and query. If a text is not percent-encoded, `URLComponents` ends the process. So this function
    /// throws an error for such a text.
    private func check(_ path: Substring, _ query: String?, own: Substring) throws {
        // A whole address would be appended to the base address, and the request sent to the wrong server.
        if self.path.hasScheme {
            let advice = "for a whole address, Client(baseURL: address) and a route with the path \"\""
            throw RouteError("found a whole address, expected a path below the base address; \(advice)", in: self)
        }
        if self.path.hasIncompleteEscape {
            throw RouteError("found a % without two hexadecimal digits, expected %25 or an escape", in: self)
        }
        guard path.isPercentEncoded(keeping: .path), query?.isPercentEncoded(keeping: .queryText) != false else {
            throw RouteError("found an address that is not percent-encoded, expected a percent-encoded one", in: self)
        }
        if own.hasRelativeSegment {
            throw RouteError("found a relative segment (. or ..) in the path, expected none", in: self)
        }
    }

    /// Returns the path below the base address, with its arguments inserted.
    func expandedPath() throws -> Substring {
        try expand(templatePath).trimmingLeadingSlashes
    }

    /// The path of the template, without its query.
    var templatePath: Substring {
        path[..<(queryMark ?? path.endIndex)]
    }

    /// The query of the template.
    private var templateQuery: String? {
        queryMark.map { path[path.utf8.index(after: $0)...].percentEncoded(keeping: .queryText) }
    }

    /// The position of the `?` in the template. The search compares bytes, as a server does, so a combining mark after
    /// the `?` does not hide it.
    private var queryMark: String.Index? { path.utf8.firstIndex(of: UInt8(ascii: "?")) }

    private func queryText(_ inherited: String?...) -> String? {
        if query.items.isEmpty, inherited.allSatisfy({ $0 == nil }) { return nil }
        let parts = inherited.compactMap { $0 }.filter { !$0.isEmpty } + query.encodedPairs
        return parts.isEmpty ? nil : parts.joined(separator: "&")
    }

    /// Inserts the arguments, each as a segment or a part of a segment. Throws if template and arguments do not match,
    /// or if an argument is not allowed in a path.
    private func expand(_ template: Substring) throws -> String {
        var text = ""
        var rest = template
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            guard let name = rest[open...].leadingPlaceholder else {
                throw RouteError("found { without }, expected {name}", in: self)
            }
            text += rest[..<open].percentEncoded(keeping: .path)
            text += try encodedArgument(String(name))
            rest = rest[rest.utf8.index(after: name.endIndex)...]
        }
        if let name = arguments.firstName(missingIn: template) {
            throw RouteError("found an argument \(name), expected {\(name)} in the path", in: self)
        }
        return text + rest.percentEncoded(keeping: .path)
    }

    private func encodedArgument(_ name: String) throws -> String {
        guard let value = arguments[name] else {
            throw RouteError("found {\(name)}, expected an argument for it", in: self)
        }
        // Dots are unreserved, so escaped dots are equivalent to dots (RFC 3986 §6.2.2.2). Escaping does not help here.
        if value.percentEncoded(keeping: .unreserved).hasRelativeSegment {
            throw RouteError("found a relative segment (. or ..) in the argument \(name), expected none", in: self)
        }
        // An empty argument would turn the path of one resource into the path of the collection.
        if value.isEmpty { throw RouteError("found an empty argument \(name), expected a text", in: self) }
        return value.percentEncoded(keeping: .unreserved)
    }
}

/// The error of a route that cannot be called as it is declared. For example, the template of its path is invalid, an
/// argument is not allowed in a path, or its response is not of the type that `at(_:)` or a pipeline expects.
public struct RouteError: Error, Sendable {
    /// The fault. It contains names of arguments, never their values.
    public let reason: String
    /// The name of the route, such as `GET users/{id}`.
    public let route: String

    init(_ reason: String, in route: Endpoint) {
        self.reason = reason
        self.route = route.name
    }
}

/// The arguments of a path template, by name.
///
/// ```swift
/// let route = Route<Photo>.get("users/{id}/photos/{photo}", ["id": 7, "photo": "a/b"])   // users/7/photos/a%2Fb
/// ```
/// Each argument is escaped, so it stays within its segment. Some arguments would change the path even if they are
/// escaped: the empty text, and a text with a segment `.` or `..`. With such an argument the call fails, and its
/// ``CallError`` has a ``RouteError`` as the underlying error. For this check, slashes and backslashes separate
/// segments, and the text after a `;` in a segment is ignored.
public struct PathArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// Makes arguments from names and values. If a name is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, any RouteArgument)...) {
        values = [:]
        for (name, argument) in elements { values[name] = argument.routeArgument }
    }

    /// The names, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// Returns the alphabetically first name that a template does not contain in braces; `nil` if the template contains
    /// all names.
    func firstName(missingIn template: Substring) -> String? {
        values.keys.filter { !template.hasPlaceholder($0) }.min()
    }

    /// The argument with a name as text, before escaping; `nil` if there is none.
    public subscript(name: String) -> String? { values[name] }
}

extension Substring {
    /// The name between the braces at the start of the text; `nil` if the brace is not closed.
    var leadingPlaceholder: Substring? {
        let name = self[utf8.index(after: startIndex)...]
        return name.utf8.firstIndex(of: UInt8(ascii: "}")).map { name[..<$0] }
    }

    /// Whether the text contains a name in braces.
    fileprivate func hasPlaceholder(_ name: String) -> Bool {
        var rest = self
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")), let found = rest[open...].leadingPlaceholder {
            if found == name { return true }
            rest = rest[found.endIndex...]
        }
        return false
    }
}

extension URL {
    /// Returns the address with a path and a query appended to its text. This takes a fraction of the time of
    /// `URLComponents`.
    /// - Parameters:
    ///   - path: An escaped path without a leading slash.
    ///   - query: An escaped query.
    /// - Returns: The address. `nil` if appending does not suffice: this address is relative or has a query, a fragment
    ///   or empty segments, an escape is invalid, or the text makes no URL.
    func appending(_ path: some StringProtocol, _ query: String?) -> URL? {
        let base = absoluteString
        guard baseURL == nil, let start = base.plainPathStart, !base.hasIncompleteEscape else { return nil }
        guard !path.hasIncompleteEscape, query?.hasIncompleteEscape != true else { return nil }
        var text = base
        // An empty path changes nothing: a signature may cover a slash at the end.
        if !path.isEmpty {
            while text.utf8.count > start, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        }
        text.reserveCapacity(text.utf8.count + 2 + path.utf8.count + (query?.utf8.count ?? 0))
        if !path.isEmpty || text.utf8.count == start { text += "/" }
        text += path
        if let query {
            text += "?"
            text += query
        }
        return URL(string: text)
    }
}

extension String {
    /// Returns the path of a base address with a route's path appended. An empty path preserves the base's path.
    fileprivate func joined(toPath own: Substring) -> String {
        if own.isEmpty { return hasPrefix("/") ? self : "/" + self }
        return "/" + [trimmingSlashes, own].filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Whether the text begins like an absolute address (RFC 3986 §3.1).
    fileprivate var hasScheme: Bool {
        let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }
        return utf8.dropFirst(scheme.count).starts(with: "://".utf8) && !scheme.isEmpty
            && scheme.allSatisfy { !"/?#{".utf8.contains($0) }
    }

    /// The number of UTF-8 bytes before the path of an absolute address. `nil` if the address is not absolute, or has a
    /// query, a fragment or empty segments.
    fileprivate var plainPathStart: Int? {
        let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }.count
        let mark = utf8.dropFirst(scheme).prefix(3)
        guard mark.elementsEqual("://".utf8) else { return nil }
        var length = scheme + mark.count
        var last = UInt8(ascii: "/")
        var slash: Int?
        for byte in utf8.dropFirst(length) {
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return nil }
            if byte == UInt8(ascii: "/") {
                if last == byte { return nil }
                slash = slash ?? length
            }
            last = byte
            length += 1
        }
        return slash ?? length
    }
}

extension Endpoint: Redacted {}

extension RouteError: Redacted {
    /// The route and the fault, for example `GET users/{id}: found {id}, expected an argument for it`.
    public var description: String { "\(route): \(reason)" }
}

extension PathArguments: Redacted {
    /// The names, sorted: `id: …, photo: …`. Values are omitted.
    public var description: String { names.sorted().map { "\($0): …" }.joined(separator: ", ") }
}
