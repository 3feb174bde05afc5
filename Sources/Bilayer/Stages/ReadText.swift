import Foundation

/// Reads the body of a response as text: UTF-8, or what its charset says (``CharsetPolicy``).
public struct ReadText: Node {
    /// Makes the node.
    public init() {}

    /// Reads the text.
    /// - Returns: The text.
    /// - Throws: ``BodyError`` when the bytes are not of the charset.
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
