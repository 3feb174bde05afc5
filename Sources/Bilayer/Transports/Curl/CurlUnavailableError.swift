#if os(Linux)
/// The error of a ``CurlTransport`` that cannot be made: libcurl is missing, too old, cannot be called or started, or
/// has no memory.
///
/// ```swift
/// do {
///     let transport = try CurlTransport()
///     print(transport)
/// } catch let error as CurlUnavailableError {
///     print(error)                                     // expected libcurl 7.68.0 or newer, found 7.61.1
/// }
/// ```
public struct CurlUnavailableError: Error, Sendable, Redacted {
    /// What was found and expected.
    public let description: String

    init(_ description: String) { self.description = description }
}
#endif
