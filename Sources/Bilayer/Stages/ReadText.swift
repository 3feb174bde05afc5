import Foundation

/// Reads the body of a response as text in UTF-8.
public struct ReadText: Node {
    /// Makes the node.
    public init() {}

    /// Reads the text.
    /// - Returns: The text.
    /// - Throws: ``BodyError`` when the bytes are not UTF-8.
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> String {
        guard let text = String(data: response.body, encoding: .utf8) else {
            throw BodyError(
                MappingError(MappingIssue(.invalidValue, expected: "UTF-8")),
                expected: "text",
                in: response
            )
        }
        return text
    }
}
