import Foundation

/// Reads the body of a response as text, in UTF-8 or in the charset that the response names (``CharsetPolicy``).
public struct ReadText: Node {
    /// Makes the node.
    public init() {}

    /// Reads the text.
    /// - Returns: The text.
    /// - Throws: ``BodyError`` if the charset is unknown or not allowed, or if the bytes are not of the charset.
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> String {
        do {
            let bytes = try response.textBody(in: context)
            guard let text = String(data: bytes, encoding: .utf8) else {
                throw MappingError(MappingIssue(.invalidValue, expected: "UTF-8"))
            }
            return text
        } catch {
            throw BodyError(error, expected: "text", in: response)
        }
    }
}
