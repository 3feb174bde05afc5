/// The encodings that a text response, such as JSON, may have: a setting of a client, a route or a call.
///
/// ```swift
/// let route = Route<Json>.get("health").with(option: CharsetPolicy.onlyUTF8)
/// ```
public enum CharsetPolicy: Sendable, Hashable, CallOption {
    /// Text in UTF-16, ISO 8859-1 and Windows-1252 is converted. The default.
    ///
    /// A byte order mark determines the encoding, or else the parameter `charset` of the media type. Without both, the
    /// text is UTF-8. As in browsers, `iso-8859-1` is read as Windows-1252 (WHATWG Encoding §4.2). An unknown charset
    /// is an error.
    case converting
    /// UTF-8 with or without a byte order mark (RFC 8259 §8.1). Any other encoding is an error.
    case onlyUTF8
}
