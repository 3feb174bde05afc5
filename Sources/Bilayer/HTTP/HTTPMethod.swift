/// The method of a request: what the server is to do (RFC 9110 §9).
///
/// The usual ones are static members; any other token is a method too:
///
/// ```swift
/// let purge: HTTPMethod = "PURGE"
/// let read = HTTPMethod(rawValue: textFromConfiguration)      // nil when the text is no token
/// ```
///
/// Methods are compared with case, as RFC 9110 §9.1 says: `"get"` is not ``get``.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    /// The method as it goes on the wire.
    public let rawValue: String

    /// Makes a method of text from outside, or `nil` when the text is no token (RFC 9110 §5.6.2).
    public init?(rawValue: String) {
        guard isToken(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

extension HTTPMethod: ExpressibleByStringLiteral {
    /// Makes a method of a literal. A literal that is no token is an error when the request is validated
    /// (``HTTPRequest/validate()``), so it is never sent.
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
    /// Whether a request with the method is to change nothing (RFC 9110 §9.2.1).
    var isSafe: Bool { [.get, .head, .options, "TRACE"].contains(self) }
}
