/// A media type such as `text/html; charset=utf-8` (RFC 9110 §8.3.1), read as leniently as browsers do
/// (WHATWG MIME Sniffing §4.4).
///
/// ```swift
/// if response.mediaType?.isJson == true { print("JSON") }
/// ```
public struct MediaType: Sendable, Hashable {
    /// Type and subtype in lower case: `application/json`.
    public let essence: String
    /// The parameters by their names in lower case. If a parameter is repeated, its first value is used.
    public let parameters: [String: String]

    /// Reads a `Content-Type` value. Returns `nil` if it does not have a type and a subtype that are tokens.
    public init?(_ text: String) {
        var parts = text.splitOutsideQuotes(at: ";").parts[...]
        guard let essence = parts.popFirst().map(trimmed),
            let slash = essence.firstIndex(of: "/"),
            isToken(essence[..<slash]), isToken(essence[essence.index(after: slash)...])
        else { return nil }
        self.essence = essence.lowercased()
        parameters = Dictionary(parts.compactMap(parameter), uniquingKeysWith: { first, _ in first })
    }

    /// Makes a media type without parameters.
    init(essence: String) {
        self.essence = essence
        parameters = [:]
    }

    /// Whether the body is JSON: `application/json`, `text/json` or any type with the suffix `+json` (RFC 6839 §3.1).
    public var isJson: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }
}

private func parameter(_ text: Substring) -> (String, String)? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = trimmed(text[..<equals])
    guard isToken(name) else { return nil }
    var value = trimmed(text[text.index(after: equals)...])
    if value.first == "\"" {
        value.removeFirst()
        return (name.lowercased(), String(value.popQuotedContent()))
    }
    return value.isEmpty ? nil : (name.lowercased(), String(value))
}

/// Returns the text without white space of any kind at its start and end. Around the values of other header fields,
/// only spaces and tabs are removed.
private func trimmed(_ text: Substring) -> Substring { text.trimming(\.isWhitespace) }

extension MediaType: Redacted {
    /// Type and subtype. Parameters are omitted.
    public var description: String { essence }
}
