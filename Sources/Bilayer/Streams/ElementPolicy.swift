/// How a stream treats an element that cannot be mapped.
public enum ElementPolicy: Sendable, Hashable {
    /// Its error ends the stream.
    case fail
    /// It is left out; the client's reporter receives its issues.
    case skip
    /// The stream ends before it; the client's reporter receives its issues.
    case end
}
