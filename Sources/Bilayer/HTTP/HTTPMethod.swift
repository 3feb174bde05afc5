/// The method of a request, which tells the server what to do (RFC 9110 §9).
///
/// The usual methods are static members. Any other token is also a method:
///
/// ```swift
/// let purge: HTTPMethod = "PURGE"
/// let read = HTTPMethod(rawValue: textFromConfiguration)      // nil when the text is no token
/// ```
///
/// Methods are case-sensitive (RFC 9110 §9.1): `"get"` is not ``get``.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method from text of any source. Returns `nil` if the text is not a token (RFC 9110 §5.6.2).
    public init?(rawValue: String) {
        guard isToken(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

extension HTTPMethod: ExpressibleByStringLiteral {
    /// Makes a method from a literal. A literal that is not a token makes ``HTTPRequest/validate()`` throw, so the
    /// request is never sent.
    public init(stringLiteral value: String) { rawValue = value }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method without the characters that a token cannot have.
    public var description: String { tokenCharacters(of: rawValue) }
}

extension HTTPMethod {
    /// Reads a resource.
    public static let get: HTTPMethod = "GET"
    /// Reads the head of a resource: the response has no body.
    public static let head: HTTPMethod = "HEAD"
    /// Lets the resource process the body.
    public static let post: HTTPMethod = "POST"
    /// Replaces a resource.
    public static let put: HTTPMethod = "PUT"
    /// Changes a part of a resource (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"
    /// Removes a resource.
    public static let delete: HTTPMethod = "DELETE"
    /// Requests the methods and features of a resource.
    public static let options: HTTPMethod = "OPTIONS"
}

extension HTTPMethod {
    /// Whether the method is safe: a request with it asks for no change (RFC 9110 §9.2.1).
    var isSafe: Bool { [.get, .head, .options, "TRACE"].contains(self) }

    /// The idempotent methods: several equal requests have the effect of one (RFC 9110 §9.2.2).
    static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .options, "TRACE", .put, .delete]
}
