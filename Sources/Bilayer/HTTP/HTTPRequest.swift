public import Foundation

/// A request as a ``Transport`` receives it: a plain value, which any node before the transport can change.
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
    /// The body; `nil` for a request without a body.
    public var body: HTTPBody?
    /// The maximum time that the transport waits for the next byte; `nil` means the default of the transport. It does
    /// not limit the whole call. ``SubscriptionsOverWebSocket`` also waits this long for the server's acknowledgement.
    public var timeout: Duration?
    /// Whether the body of a successful response (2xx) is requested as a stream (``HTTPResponse/stream``). Such a
    /// response is returned as soon as its head is complete. Every other response is returned with its whole body, so
    /// that middlewares can read it.
    ///
    /// A transport without streaming ignores this property. The elements of a stream are then received after the
    /// response has ended, and never if the response does not end. ``Client/streamsResponses`` shows in advance whether
    /// the transport streams. If it does not, an event of the call reports this (``CallContext/events``).
    public var streamsResponse = false
    /// Whether a WebSocket is to be opened (RFC 6455 §4.1). The transport returns a response with a
    /// ``HTTPResponse/webSocket``, or the server's response if the server refuses.
    ///
    /// `client.webSocket(_:sending:)` and ``SubscriptionsOverWebSocket`` set this property. A transport without
    /// WebSockets throws a ``TransportError`` of the kind ``TransportError/Kind-swift.struct/unsupported``.
    public var opensWebSocket = false
    /// The route that the request was made from. The description shows the names of its arguments, not their values.
    var endpoint: Endpoint?
    /// The base address of ``endpoint``.
    var baseURL: URL?

    /// Makes a request.
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute address.
    ///   - headers: The header fields.
    ///   - body: The body; `nil` for none.
    ///   - timeout: The maximum time to wait for the next byte.
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
    ///   - body: The bytes of the body; `nil` for none.
    ///   - timeout: The maximum time to wait for the next byte.
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

    /// Whether the request can be sent a second time: it has no body, or its body can be read again.
    public var isReplayable: Bool { body?.isReplayable ?? true }

    /// Checks that the method is a token of at most 1,000 bytes, that no header field was refused, and that the address
    /// is absolute HTTP.
    ///
    /// ``URLSessionTransport`` and ``CurlTransport`` call this before they send a request. A custom transport must also
    /// call it first.
    /// - Throws: ``TransportError`` of the kind ``TransportError/Kind-swift.struct/invalidRequest``. Its detail
    ///   describes the fault without values.
    public func validate() throws {
        // libcurl refuses a method of 8 MB, and FoundationNetworking ends the process when libcurl refuses a method.
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
    /// Whether two requests send equal messages in the same way. Their routes are not compared.
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
    /// Method, address and size of the body: `POST https://api.example.com/users/{id}?token=…, 18 B`.
    ///
    /// User info, parameters of the path, query values and the fragment are omitted. The arguments of a route are shown
    /// by their names. After a redirect to another path, only those segments are shown that the route or the base
    /// address has. If a request was made without a route, its whole path is shown.
    public var description: String { described(as: nil) }

    /// Returns the description. If the request has no endpoint of its own, the arguments of `endpoint` are shown by
    /// their names.
    func described(as endpoint: Endpoint?) -> String {
        let address = redactedAddress(url.absoluteString)
        let endpoint = self.endpoint ?? endpoint
        let shown = endpoint?.namingArguments(in: address, below: baseURL) ?? address
        let operation = endpoint?.operation.map { " (\($0))" } ?? ""
        return "\(method) \(shown)\(operation)" + (body.map { ", \($0)" } ?? "")
    }
}
