/// An error that says that a request was not sent.
protocol UnsentRequestError: Error {
    /// The error of a request of which an earlier attempt may have been sent, for a failover around it.
    var afterAttempt: Self { get }
}
