public import Foundation

/// A request as it goes to a ``Transport``: a plain value that any node may change on its way.
///
/// ```swift
/// var request = HTTPRequest(method: .post, url: url, headers: [.contentType: "application/json"], body: data)
/// request.headers[.authorization] = "Bearer \(token)"
/// request.timeout = .seconds(5)
/// ```
public struct HTTPRequest: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute address, with scheme `http` or `https`.
    public var url: URL
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, `nil` for a request without one.
    public var body: HTTPBody?
    /// How long the transport may wait for the next byte; `nil` leaves that to the transport. Not a limit for the whole
    /// call.
    public var timeout: Duration?
    /// Whether a successful response (2xx) is to come as its head, with the body as a stream
    /// (``HTTPResponse/stream``). Every other response comes whole, so that middlewares can read it.
    ///
    /// A transport that cannot stream ignores it: elements then come after the end of the response, and one that does
    /// not end never comes. ``Client/streamsResponses`` says so beforehand, and a note of the call
    /// (``CallContext/events``).
    public var streamsResponse = false
    /// Whether a WebSocket is to be opened (RFC 6455 §4.1): the transport returns a ``HTTPResponse/webSocket``, or
    /// with the server's response if it refuses.
    ///
    /// `client.webSocket(_:sending:)` sets it. A transport that cannot open one throws
    /// ``TransportError/Kind-swift.struct/unsupported``.
    public var opensWebSocket = false
    /// The route that the request was made from: its description shows the names of arguments, not their values.
    var endpoint: Endpoint?
    /// The base address of that route.
    var baseURL: URL?

    /// Makes a request.
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute address.
    ///   - headers: The header fields.
    ///   - body: The body, `nil` for none.
    ///   - timeout: How long to wait for the next byte.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    /// Makes a request with bytes in memory.
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute address.
    ///   - headers: The header fields.
    ///   - body: The bytes of the body, `nil` for none.
    ///   - timeout: How long to wait for the next byte.
    @_disfavoredOverload
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: Data?,
        timeout: Duration? = nil
    ) {
        self.init(method: method, url: url, headers: headers, body: body.map { .data($0) }, timeout: timeout)
    }

    /// Whether the request can be sent a second time: it has no body, or one that can be read again.
    public var isReplayable: Bool { body?.isReplayable ?? true }

    /// Checks that the method is a token, that no header field was refused, and that the address is absolute HTTP.
    ///
    /// ``URLSessionTransport`` calls this before it sends; a custom transport calls it first, too.
    /// - Throws: ``TransportError`` of the kind ``TransportError/Kind-swift.struct/invalidRequest``, which names the
    ///   reason, without values.
    public func validate() throws {
        // libcurl takes no method of 8 MB, and FoundationNetworking ends the process when libcurl refuses one.
        guard method.rawValue.utf8.count <= Self.longestMethod else {
            throw TransportError(.invalidRequest, detail: "expected a method of at most \(Self.longestMethod) bytes")
        }
        guard isToken(method.rawValue) else {
            throw TransportError(
                .invalidRequest,
                detail: "the method is no token: expected characters of RFC 9110 §5.6.2"
            )
        }
        if let name = headers.refused.first {
            throw TransportError(.invalidRequest, detail: refusal(of: name))
        }
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false else {
            throw TransportError(.invalidRequest, detail: "expected an absolute http or https address with a host")
        }
    }

    private static let longestMethod = 1_000

    private func refusal(of name: HTTPHeaders.Name) -> String {
        name.isValid
            ? "header \(name): found CR, LF or NUL in its value, expected none (RFC 9110 §5.5)"
            : "header name \"\(name)\": found a character that no token has (RFC 9110 §5.6.2)"
    }
}

extension HTTPRequest {
    /// Whether two requests send equal messages. Their routes are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.method == right.method && left.url == right.url && left.headers == right.headers && left.body == right.body
            && left.timeout == right.timeout && left.streamsResponse == right.streamsResponse
            && left.opensWebSocket == right.opensWebSocket
    }

    /// Hashes the message, without the route.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(headers)
        hasher.combine(body)
        hasher.combine(timeout)
        hasher.combine(streamsResponse)
        hasher.combine(opensWebSocket)
    }
}

extension HTTPRequest: Redacted {
    /// Method and address, and the body's size: `POST https://api.example.com/users/{id}?token=…, 18 B`.
    ///
    /// User info, parameters of the path, query values and fragment are left out. The arguments of a route are shown by
    /// their names. Of another path, after a redirect, only segments are shown that the route or the base address has.
    /// The path of a request that was made without a route is shown.
    public var description: String { described(as: nil) }

    /// The description, with the names of the arguments of `endpoint` if the request has no endpoint of its own.
    func described(as endpoint: Endpoint?) -> String {
        let address = redactedAddress(url.absoluteString)
        let endpoint = self.endpoint ?? endpoint
        let shown = endpoint?.namingArguments(in: address, below: baseURL) ?? address
        let operation = endpoint?.operation.map { " (\($0))" } ?? ""
        return "\(method) \(shown)\(operation)" + (body.map { ", \($0)" } ?? "")
    }
}
