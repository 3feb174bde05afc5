import Foundation

/// Converts a text to UTF-8 while it arrives. The rules are those for the body of a whole response.
struct TextConversion: Sendable {
    private let head: HTTPResponse
    private let policy: CharsetPolicy
    /// The encoding; `nil` until the first bytes of the text have arrived.
    private var charset: Charset?
    /// Bytes that are not converted yet: the first bytes, or a part of a character.
    private var rest = Data()

    /// - Parameters:
    ///   - head: The response that the text is the body of.
    ///   - context: The call, with its ``CharsetPolicy``.
    init(of head: HTTPResponse, in context: CallContext) {
        self.head = head
        policy = context.options[CharsetPolicy.self] ?? .converting
    }

    /// Takes bytes.
    /// - Parameter chunk: The bytes.
    /// - Returns: The text in UTF-8. UTF-8 is returned unchecked; UTF-16 as far as its characters are complete.
    /// - Throws: ``MappingError`` if the encoding is unknown or refused by the policy, or if UTF-16 is not valid.
    mutating func append(_ chunk: Data) throws -> Data {
        if charset == .utf8 { return chunk }
        rest.append(chunk)
        if charset == nil, let first = rest.first, first >= Charset.firstOfMarks, rest.count < Charset.longestMark {
            return Data()
        }
        return try convert()
    }

    /// Takes the end of the text.
    /// - Returns: The rest of the text; `nil` if nothing is left.
    /// - Throws: ``MappingError`` if a text in UTF-16 ends inside of a character, and the errors of ``append(_:)``.
    mutating func finish() throws -> Data? {
        if rest.isEmpty { return nil }
        let last = try convert()
        if rest.isEmpty { return last }
        // This throws, because the rest is a part of a character.
        return try last + (charset ?? .utf8).converted(rest)
    }

    private mutating func convert() throws -> Data {
        if rest.isEmpty { return rest }
        let charset: Charset
        if let known = self.charset {
            charset = known
        } else {
            let found = try Charset.found(in: head, beginningWith: rest, policy)
            charset = found.charset
            rest = Data(rest.dropFirst(found.markLength))
            self.charset = charset
        }
        let count = charset.completeCount(of: rest)
        defer { rest = Data(rest.dropFirst(count)) }
        return try charset.converted(Data(rest.prefix(count)))
    }
}
