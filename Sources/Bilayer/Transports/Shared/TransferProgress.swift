/// The progress of a body that is sent or received.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public let bytes: Int
    /// The number of all bytes; `nil` means unknown.
    public let total: Int?

    /// Makes a value that describes the progress.
    /// - Parameters:
    ///   - bytes: The number of bytes so far.
    ///   - total: The number of all bytes; `nil` means unknown.
    public init(bytes: Int, total: Int? = nil) {
        self.bytes = bytes
        self.total = total
    }

    /// The transferred fraction of the total, from 0 to 1; `nil` if the total is unknown.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
    }
}

extension TransferProgress: Redacted {
    /// The bytes in words, for example `1.2 MB of 18.4 MB`.
    public var description: String {
        byteCountText(bytes) + (total.map { " of \(byteCountText($0))" } ?? "")
    }
}

/// Receives the progress of a call's request.
struct ProgressListener: CallOption {
    let note: @Sendable (TransferProgress) -> Void
}

extension CallContext {
    /// The listener for the progress of the request's body; `nil` if there is none.
    var progress: ProgressListener? { options[ProgressListener.self] }

    /// Reports how much of the request's body was sent. A transport may call it at any time while it sends.
    /// - Parameter progress: The number of bytes so far, and of all bytes if it is known.
    public func recordSending(_ progress: TransferProgress) { self.progress?.note(progress) }
}
