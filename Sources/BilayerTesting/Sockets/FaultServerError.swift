public import Bilayer

/// The error of a ``FaultServer`` that could not start, was stopped, or received too few requests in time.
public struct FaultServerError: Error, Sendable, Redacted {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }
}
