/// Outcomes for middlewares around a cache, which may have replaced a failure by a stored response.
extension Result<HTTPResponse, any Error> {
    /// The failure that a cache has replaced by a stored response; this outcome itself if no failure was replaced.
    var beforeReplacement: Self { (try? get())?.replaced?.outcome ?? self }

    /// Returns an earlier attempt's stored response if this outcome is a fault of the transport, an unsent request, a
    /// cancel, or a token refresh that failed because its server is out of reach. A deadline that has cancelled the
    /// work returns the stored response. If the caller has cancelled the call, the pipeline still throws.
    func replacingFault(by stored: HTTPResponse?) -> Self {
        guard let stored, case .failure(let error) = self, error.isReplaceable else { return self }
        return .success(stored)
    }
}

/// A middleware's error that may have the same reason as a fault of the transport, such as the error of a failed token
/// refresh.
protocol ReplaceableError: Error {
    /// Whether a stored response can be returned instead of the error.
    var isReplaceable: Bool { get }
    /// Whether the error has ended the attempt before its request was sent.
    var isBeforeSending: Bool { get }
}

extension Error {
    /// Returns whether the outcome of an earlier attempt says more than this error, because this attempt's request was
    /// not sent: a circuit is open, the server that refreshes the token is out of reach, or a node of the app threw.
    /// - Parameter sentNothing: Whether it is known that the attempt has sent no request. Its error is then that of a
    ///   node of the app, unless it is a fault of the transport, such as a time limit.
    /// - Returns: Whether the outcome of an earlier attempt says more.
    func isOfUnsentAttempt(thatSentNothing sentNothing: Bool) -> Bool {
        if self is any UnsentRequestError { return true }
        if let error = self as? any ReplaceableError { return error.isBeforeSending && error.isReplaceable }
        return sentNothing && !(self is TransportError || self is CancellationError)
    }
}

extension Error {
    fileprivate var isReplaceable: Bool {
        if let error = self as? any ReplaceableError { return error.isReplaceable }
        return self is TransportError || self is CancellationError || self is any UnsentRequestError
    }
}
