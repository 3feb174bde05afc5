import Foundation

/// The request of a route, as a value: method, path template, arguments and query.
///
/// Every node finds it in ``CallContext/endpoint``, so logs and metrics can group by ``name`` (the template, not the
/// filled path).
public struct Endpoint: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// The path below the base address, with a `{name}` for each argument. The text after a `?` is part of the query.
    ///
    /// Both are escaped where needed; escapes in the text stay. A `%` without two hexadecimal digits is refused, and so
    /// is a segment `.` or `..`, escaped or not.
    public var path: String
    /// The arguments for the path.
    public var arguments: PathArguments
    /// The query items.
    public var query: QueryItems
    /// The response type of the route.
    var response: ResponseType?
    /// The name of the operation, where all operations of a server have one path.
    var operation: String?
    /// The name of the response type, for the headline of a report.
    var responseName: String? { response.map { typeName($0.type) } }

    /// Describes a route.
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

    /// The name for logs and metrics, equal for all arguments: `GET users/{id}`. Values in the path's own query text
    /// and after a `;` are left out, as the text may come from a server: `GET items;…?cursor=…`. The operation of a
    /// GraphQL route is part of it: `POST graphql (Trip)`.
    public var name: String { "\(method) \(redactedAddress(path))\(operation.map { " (\($0))" } ?? "")" }
}

/// A type, compared by its identity. Its name is made when it is read, because that takes longer than a small call's
/// other steps.
struct ResponseType: Sendable, Hashable {
    let type: Any.Type

    static func == (one: Self, other: Self) -> Bool { one.type == other.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension Endpoint {
    /// The whole address: the route's path is appended to the base's path. The base's query and the template's query
    /// come before the query items.
    func url(relativeTo baseURL: URL) throws -> URL {
        if let failure = query.failure { throw failure.error }
        let own = try expandedPath()
        let ownQuery = queryText(templateQuery)
        try check(own, ownQuery, own: own)
        if let url = baseURL.appending(own, ownQuery) { return url }
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw RouteError("found a base address that is not a URL, expected a URL", in: self)
        }
        let base = components.percentEncodedPath.trimmingSlashes
        let path = "/" + [base, own].filter { !$0.isEmpty }.joined(separator: "/")
        let query = queryText(components.percentEncodedQuery, templateQuery)
        try check(path[...], query, own: own)
        components.percentEncodedPath = path
        components.percentEncodedQuery = query
        guard let url = components.url else {
            throw RouteError("found a path that makes no URL, expected one that does", in: self)
        }
        return url
    }

    /// Foundation ends the process when it is given a text that is not percent-encoded, so such a text is an error
    /// first.
    private func check(_ path: Substring, _ query: String?, own: Substring) throws {
        // It would be appended to the base address, and sent to the wrong server.
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

    /// The path below the base address with the arguments in it.
    func expandedPath() throws -> Substring {
        try expand(templatePath).trimmingLeadingSlashes
    }

    /// The path's own text without its query.
    var templatePath: Substring {
        path[..<(queryMark ?? path.endIndex)]
    }

    /// The query of the path's own text.
    private var templateQuery: String? {
        queryMark.map { path[path.utf8.index(after: $0)...].percentEncoded(keeping: .queryText) }
    }

    /// The search compares bytes, as a server does: a combining mark after the `?` does not hide it.
    private var queryMark: String.Index? { path.utf8.firstIndex(of: UInt8(ascii: "?")) }

    private func queryText(_ inherited: String?...) -> String? {
        if query.items.isEmpty, inherited.allSatisfy({ $0 == nil }) { return nil }
        let parts = inherited.compactMap { $0 }.filter { !$0.isEmpty } + query.encodedPairs
        return parts.isEmpty ? nil : parts.joined(separator: "&")
    }

    /// Inserts the arguments, each as one segment or part of one. Throws if template and arguments do not match.
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
        // Dots are unreserved, so their escapes are equivalent (RFC 3986 §6.2.2.2): escaping does not help here.
        if value.percentEncoded(keeping: .unreserved).hasRelativeSegment {
            throw RouteError("found a relative segment (. or ..) in the argument \(name), expected none", in: self)
        }
        // An empty argument would turn the path of one resource into the path of the collection.
        if value.isEmpty { throw RouteError("found an empty argument \(name), expected a text", in: self) }
        return value.percentEncoded(keeping: .unreserved)
    }
}

/// An error in a route whose address cannot be made: an invalid template, or an argument that a path cannot contain.
public struct RouteError: Error, Sendable {
    /// The mistake; names arguments, never their values.
    public let reason: String
    /// The route, `GET users/{id}`.
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
/// Each argument is escaped, so it stays within its segment. An argument that would change the path even when escaped
/// is an error when the request is made. That is an empty one, `.`, `..`, and one with such a part between slashes or
/// backslashes.
public struct PathArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// Makes arguments from names and values; of two with equal names the last one counts.
    public init(dictionaryLiteral elements: (String, any RouteArgument)...) {
        values = [:]
        for (name, argument) in elements { values[name] = argument.routeArgument }
    }

    /// The names, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// The first name, in alphabetical order, that is not in braces in a template.
    func firstName(missingIn template: Substring) -> String? {
        values.keys.filter { !template.hasPlaceholder($0) }.min()
    }

    /// An argument as text, before escaping.
    public subscript(name: String) -> String? { values[name] }
}

extension Substring {
    /// The name in braces that the text begins with; `nil` if the brace is not closed.
    var leadingPlaceholder: Substring? {
        let name = self[utf8.index(after: startIndex)...]
        return name.utf8.firstIndex(of: UInt8(ascii: "}")).map { name[..<$0] }
    }

    /// Whether a name in braces is in the text.
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
    /// The address with a path and a query appended to its text. That takes a fraction of the time of `URLComponents`.
    /// - Parameters:
    ///   - path: An escaped path without a leading slash.
    ///   - query: An escaped query.
    /// - Returns: The address; `nil` if appending is not enough: if this address is relative, has a query, a fragment
    ///   or empty segments, or if an escape is invalid.
    func appending(_ path: some StringProtocol, _ query: String?) -> URL? {
        let base = absoluteString
        guard baseURL == nil, let start = base.plainPathStart, !base.hasIncompleteEscape else { return nil }
        guard !path.hasIncompleteEscape, query?.hasIncompleteEscape != true else { return nil }
        var text = base
        while text.utf8.count > start, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
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
    /// Whether the text begins as an absolute address does (RFC 3986 §3.1).
    fileprivate var hasScheme: Bool {
        let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }
        return utf8.dropFirst(scheme.count).starts(with: "://".utf8) && !scheme.isEmpty
            && scheme.allSatisfy { !"/?#{".utf8.contains($0) }
    }

    /// The number of UTF-8 bytes before the path of an absolute address without query, fragment and empty segments.
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
    /// For example `GET users/{id}: found {id}, expected an argument for it`.
    public var description: String { "\(route): \(reason)" }
}

extension PathArguments: Redacted {
    /// The names, sorted: `id: …, photo: …`. Values are left out.
    public var description: String { names.sorted().map { "\($0): …" }.joined(separator: ", ") }
}
