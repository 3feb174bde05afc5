import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// What a recording keeps of a request and its response, which have equal bodies.
struct RecordedAnswer {
    /// The recorded body of the response.
    let body: Data
    /// The identity of the request.
    let request: Recording.RequestKey
    let headers: HTTPHeaders

    init(
        _ mediaType: String? = nil,
        _ body: Data = Data(),
        headers: HTTPHeaders = [:],
        target: String = "a",
        redacting: Set<String> = []
    ) async throws {
        var headers = headers
        headers[.contentType] = mediaType
        let response = HTTPResponse(status: 200, headers: headers, body: body)
        let recorder = RecordingTransport(StubTransport { _, _ in response })
        let url = try #require(URL(string: "https://example.com/\(target)"))
        var request = HTTPRequest(method: .post, url: url, body: .data(body))
        request.headers[.contentType] = mediaType
        _ = try await recorder.process(request)
        let exchange = try #require(recorder.recording(redacting: redacting).exchanges.first)
        self.body = exchange.body
        self.request = exchange.request
        self.headers = exchange.response.headers
    }

    init(_ mediaType: String?, _ text: String, redacting: Set<String> = []) async throws {
        try await self.init(mediaType, Data(text.utf8), redacting: redacting)
    }

    /// The response's body as UTF-8.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Both bodies as ASCII without NULs, the request's body also decoded from base64, the target, and the values of
    /// the fields.
    var everything: String {
        let parts = request.body.split(whereSeparator: \.isWhitespace).compactMap { Data(base64Encoded: String($0)) }
        let bodies = [body, Data(request.body.utf8)] + parts
        return bodies.map { String(decoding: $0.filter { $0 > 0 && $0 < 128 }, as: UTF8.self) }.joined(separator: "\n")
            + "\n\(request.target)\n" + headers.map(\.value).joined(separator: "\n")
    }
}
