public import Bilayer
public import Foundation

extension StubTransport {
    /// What a stub does with a request: respond, fail, or wait first.
    ///
    /// The static members are the usual ones; any other is a closure:
    ///
    /// ```swift
    /// stub.on(.post, "/echo", StubTransport.Answer { request, _ in HTTPResponse(status: 200, body: request.body ?? Data()) })
    /// ```
    public struct Answer: Sendable {
        let respond: @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse

        /// Makes an answer of a closure.
        /// - Parameter respond: Gives the response, or throws what the transport shall throw.
        public init(
            _ respond: @escaping @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse
        ) {
            self.respond = respond
        }
    }
}

extension StubTransport.Answer {
    /// Gives this response.
    public static func response(_ response: HTTPResponse) -> Self { Self { _, _ in response } }

    /// Gives JSON text. The text is taken as it is, so a broken one stays broken.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Self {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// Gives the bytes of JSON. They are taken as they are.
    public static func json(_ body: Data, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Self {
        data(body, contentType: "application/json", status: status, headers: headers)
    }

    /// Gives plain text.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Self {
        data(Data(text.utf8), contentType: contentType, status: status, headers: headers)
    }

    /// Gives bytes.
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

    /// Gives a response without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Self {
        response(HTTPResponse(status: status, headers: headers))
    }

    /// Throws, as a transport does that got no answer: `.failure(TransportError(.connectionLost))`.
    public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

    /// Waits on the call's clock, then goes on with another answer. With a ``TestClock`` nobody waits for real.
    public static func delayed(_ duration: Duration, then answer: Self = .json("{}")) -> Self {
        Self { request, context in
            try await context.clock.sleep(for: duration)
            return try await answer.respond(request, context)
        }
    }

    /// Never answers: waits until the call is cancelled.
    public static let hold = Self { _, _ in try await Watched(()).wait { nil } }
}
