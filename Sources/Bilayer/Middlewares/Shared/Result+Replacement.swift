/// Outcomes for middlewares around a cache, which may have replaced a failure by a stored response.
extension Result<HTTPResponse, any Error> {
    /// The failure that a cache has replaced by a stored response; this outcome itself if no failure was replaced.
    var beforeReplacement: Self { (try? get())?.replaced?.outcome ?? self }

    /// Returns an earlier attempt's stored response if this outcome is a fault of the transport, an unsent request, or
    /// a cancel. If a deadline has cancelled the call, the deadline returns the stored response. If the caller was
    /// cancelled, the pipeline still throws.
    func replacingFault(by stored: HTTPResponse?) -> Self {
        guard let stored, case .failure(let error) = self, error.isReplaceable else { return self }
        return .success(stored)
    }
}

/// An error of a middleware, which may have the same reason as a fault of the transport.
protocol ReplaceableError: Error {
    /// Whether a stored response can be returned instead of the error.
    var isReplaceable: Bool { get }
    /// Whether the error has ended the attempt before its request was sent.
    var isBeforeSending: Bool { get }
}

extension Error {
    /// Whether an earlier attempt's outcome says more than this error. True if the request was not sent, and its server
    /// has not refused it.
    var isOfUnsentAttempt: Bool {
        if self is any UnsentRequestError { return true }
        guard let error = self as? any ReplaceableError else { return false }
        return error.isBeforeSending && error.isReplaceable
    }
}

extension Error {
    fileprivate var isReplaceable: Bool {
        if let error = self as? any ReplaceableError { return error.isReplaceable }
        return self is TransportError || self is CancellationError || self is any UnsentRequestError
    }
}
