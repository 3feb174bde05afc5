public import Bilayer
public import Foundation

extension StubTransport {
    /// The answer of a stub to a request: a response, an error, or a wait before one of them.
    ///
    /// The static members make the usual answers. For any other answer, pass a closure:
    ///
    /// ```swift
    /// stub.on(
    ///     .post, "/echo",
    ///     StubTransport.Answer { request, _ in HTTPResponse(status: 200, body: request.body?.data ?? Data()) })
    /// ```
    public struct Answer: Sendable {
        let respond: @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse

        /// Makes an answer from a closure.
        /// - Parameter respond: Returns the response, or throws the transport's error.
        public init(
            _ respond: @escaping @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse
        ) {
            self.respond = respond
        }
    }
}

extension StubTransport.Answer {
    /// Returns this response.
    public static func response(_ response: HTTPResponse) -> Self { Self { _, _ in response } }

    /// Returns JSON text. The text is returned unchanged, even if it is not valid JSON.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Self {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// Returns the bytes of JSON, unchanged.
    public static func json(_ body: Data, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Self {
        data(body, contentType: "application/json", status: status, headers: headers)
    }

    /// Returns plain text.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Self {
        data(Data(text.utf8), contentType: contentType, status: status, headers: headers)
    }

    /// Returns bytes as the body.
    public static func data(
        _ body: Data,
        contentType: String = "application/octet-stream",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Self {
        var headers = headers
        headers[.contentType] = headers[.contentType] ?? contentType
        return response(HTTPResponse(status: status, headers: headers, body: body))
    }

    /// Returns a response without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Self {
        response(HTTPResponse(status: status, headers: headers))
    }

    /// Throws an error like a transport that receives no response: `.failure(TransportError(.connectionLost))`.
    public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

    /// Waits on the call's clock, then returns another answer. With a ``TestClock`` the wait takes no real time.
    public static func delayed(_ duration: Duration, then answer: Self = .json("{}")) -> Self {
        Self { request, context in
            try await context.clock.sleep(for: duration)
            return try await answer.respond(request, context)
        }
    }

    /// Returns no response. Waits until the call is cancelled.
    public static let hold = Self { _, _ in try await Watched(()).wait { nil } }
}

extension StubTransport.Answer: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
