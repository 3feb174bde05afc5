/// How much of the longest wait before an attempt a retry waits.
///
/// ```swift
/// let transport = StubTransport(.status(503))
///     .wrapped(by: .retry(.exponential(attempts: 3, jitter: .none)))        // a test knows the waits
/// ```
public struct RetryJitter: Sendable {
    let choose: @Sendable (_ longest: Duration) -> Duration

    /// Makes a choice of your own.
    /// - Parameter choose: Returns the wait, given the longest one for the attempt.
    public init(_ choose: @escaping @Sendable (_ longest: Duration) -> Duration) { self.choose = choose }

    /// A random part of it ("full jitter"), so that clients do not come back all at once.
    public static let full = RetryJitter { $0 * Double.random(in: 0...1) }

    /// All of it: for tests, with a clock of theirs.
    public static let none = RetryJitter { $0 }
}

extension RetryJitter: Redacted {}
