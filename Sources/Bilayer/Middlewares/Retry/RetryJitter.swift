/// Chooses the wait before an attempt of a ``Retry``, given the longest wait for that attempt.
///
/// ```swift
/// let transport = StubTransport(.status(503))
///     .wrapped(by: .retry(.exponential(attempts: 3, jitter: .none)))        // a test knows the waits
/// ```
public struct RetryJitter: Sendable {
    let choose: @Sendable (_ longest: Duration) -> Duration

    /// Makes a jitter from a closure of your own.
    /// - Parameter choose: Returns the wait, given the longest wait for the attempt.
    public init(_ choose: @escaping @Sendable (_ longest: Duration) -> Duration) { self.choose = choose }

    /// Waits a random part of the longest wait ("full jitter"), so that clients do not come back all at once.
    public static let full = RetryJitter { $0 * Double.random(in: 0...1) }

    /// Always waits the longest wait, for tests with a clock of their own.
    public static let none = RetryJitter { $0 }
}

extension RetryJitter: Redacted {}
