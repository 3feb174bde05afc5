/// One page of a list: an element of ``Pages``.
public struct Page<Response: Sendable>: Sendable {
    /// The route's response.
    public let value: Response
    /// The number of the page, counted from 1.
    public let number: Int
    /// The HTTP response. `nil` only if a node of the app has sent another request in the context of this call after
    /// the response (``Answer/response``).
    public let response: HTTPResponse?
    /// The position after this page.
    public let next: PageState
}

extension Page: Redacted {
    /// The number and the value's type: `page 3: Array<User>`.
    public var description: String { "page \(number): \(typeName(Response.self))" }
}
