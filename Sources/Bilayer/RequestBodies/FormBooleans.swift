/// How a query or a form spells a Boolean value.
public enum FormBooleans: Sendable, Hashable {
    /// `true` and `false`.
    case words
    /// `1` and `0`.
    case digits
}
