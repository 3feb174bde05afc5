/// How much of a body was sent or received.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes so far.
    public let bytes: Int
    /// The number of all bytes; `nil` means unknown.
    public let total: Int?

    /// Makes a progress.
    /// - Parameters:
    ///   - bytes: The bytes so far.
    ///   - total: All bytes, if known.
    public init(bytes: Int, total: Int? = nil) {
        self.bytes = bytes
        self.total = total
    }

    /// The part of the whole, from 0 to 1; `nil` if the whole is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
    }
}

extension TransferProgress: Redacted {
    /// For example `1.2 MB of 18.4 MB`.
    public var description: String {
        byteCountText(bytes) + (total.map { " of \(byteCountText($0))" } ?? "")
    }
}

/// Receives the progress of a call's request.
struct ProgressListener: CallOption {
    let note: @Sendable (TransferProgress) -> Void
}

extension CallContext {
    /// Receives how much of the request's body was sent; `nil` without a listener.
    var progress: ProgressListener? { options[ProgressListener.self] }

    /// Reports how much of the request's body was sent. A transport may call it at any time while it sends.
    /// - Parameter progress: The bytes so far, and all bytes if they are known.
    public func recordSending(_ progress: TransferProgress) { self.progress?.note(progress) }
}
