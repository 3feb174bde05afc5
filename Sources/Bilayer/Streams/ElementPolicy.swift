/// How a stream treats an element that cannot be mapped.
public enum ElementPolicy: Sendable, Hashable {
    /// The error of the element ends the stream.
    case fail
    /// The element is left out. The reporter receives its issues.
    case skip
    /// The stream ends before the element. The reporter receives its issues.
    case end
}
