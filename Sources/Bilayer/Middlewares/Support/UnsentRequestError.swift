/// An error that says that a request was not sent.
protocol UnsentRequestError: Error {
    /// Whether an earlier attempt of the same request may have been sent.
    var followsAttempt: Bool { get }
    /// The error of a request of which an earlier attempt may have been sent, for a failover around it.
    var afterAttempt: Self { get }
}
