/// A failed operation of a ``DiskCacheStore`` on its folder or on a file in it.
///
/// If the file of a stored response cannot be removed, this process ignores the file until it can be removed or
/// replaced (``DiskCacheStore``).
public struct DiskCacheError: Error, Sendable {
    /// The operations that are reported.
    public enum Operation: Sendable, Hashable {
        /// The entries of an address were not stored.
        case write
        /// Entries were not removed, and are still in the folder.
        case remove
    }

    /// The operation that failed.
    public let operation: Operation
    /// The error of the system. It contains paths.
    public let underlyingError: any Error
}

extension DiskCacheError: Redacted {
    /// The operation and the system's error, without paths.
    public var description: String {
        "entries could not be \(operation == .write ? "written" : "removed"): \(describeForeign(underlyingError))"
    }
}
