import Foundation

/// Reads the body of a response as JSON.
public typealias ParseJson = ParseBody<Json>

/// Reads the body of a response as a raw value.
///
/// A 204, a 205 and the response to `HEAD` have no body by definition (RFC 9110 §15.3.5, §15.3.6, §9.3.2). If JSON is
/// expected, such a response is read as `null`, so an optional response becomes `nil`. Any other response is then an
/// error if it is no JSON: for example another empty body, or an HTML page from a proxy.
public struct ParseBody<Raw: RawBody>: Node, CustomStringConvertible {
    /// Makes the node.
    public init() {}

    /// Parses the body on the concurrent pool.
    /// - Returns: The raw value.
    /// - Throws: ``BodyError``, which contains the error of the format or of the charset.
    @concurrent
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> Raw {
        if let absent = absentBody(of: response, in: context) { return absent }
        do {
            return try context.mapping {
                try Raw.parse(Raw.isText ? response.textBody(in: context) : response.body)
            }
        } catch {
            throw BodyError(error, expected: Raw.mediaType, in: response)
        }
    }

    private func absentBody(of response: HTTPResponse, in context: CallContext) -> Raw? {
        guard response.body.isEmpty else { return nil }
        let bodiless = [204, 205].contains(response.status.code) || context.sentRequest?.method == .head
        return bodiless ? Json.null as? Raw : nil
    }

    /// The name of the node: `ParseJson` for ``Json``.
    public var description: String { "Parse\(typeName(Raw.self))" }
}

/// The error of a body in another format than the route expects. Contains the expected and the received media type, and
/// the size.
public struct BodyError: Error, Sendable, Redacted, FaultNaming {
    /// The media type that the route reads; `text` for a route that reads text (``ReadText``).
    public let expected: String
    /// The media type that the server announced.
    public let contentType: MediaType?
    /// The body's size in bytes.
    public let byteCount: Int
    /// The error of the format or of the charset.
    public let underlyingError: any Error

    init(_ underlyingError: any Error, expected: String, in response: HTTPResponse) {
        self.underlyingError = underlyingError
        self.expected = expected
        contentType = response.mediaType
        byteCount = response.body.count
    }

    var fault: String { "no \(expected)" }

    /// The expected and the found body, then the error of the format. For example, the text begins with
    /// `expected application/json, found text/html (1.2 kB)`.
    public var description: String {
        if byteCount == 0 { return "expected \(expected), found an empty body" }
        let found = contentType?.essence ?? "a body without a content type"
        let fits = expected == Json.mediaType ? contentType?.isJson == true : contentType?.essence == expected
        if fits { return "the body is not valid \(expected): \(describeForeign(underlyingError))" }
        return "expected \(expected), found \(found) (\(byteCountText(byteCount))): \(describeForeign(underlyingError))"
    }
}
