/// An error in the parts of a body. Contains a description of the mistake, never a value.
public struct MultipartError: Error, Sendable, Redacted {
    /// The mistake.
    public let reason: String

    /// The mistake, for example `found a header X-Note that is not valid, expected one line (RFC 9110 §5.5)`.
    public var description: String { reason }
}
