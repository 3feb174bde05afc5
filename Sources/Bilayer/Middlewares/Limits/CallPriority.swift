/// How urgent a call is, for a ``ConcurrencyLimit``.
///
/// ```swift
/// let prefetch = Route.users.with(option: CallPriority.background)
/// ```
public enum CallPriority: Int, CallOption, Hashable, Comparable {
    /// No user waits for it: a prefetch, an upload of logs.
    case background
    /// The default.
    case normal
    /// A user looks at an empty screen.
    case high

    /// Whether a priority is lower than another.
    public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}
