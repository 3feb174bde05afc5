/// An error that says that a request was not sent.
protocol UnsentRequestError: Error {
    /// Whether an earlier attempt of the same request may have been sent.
    var followsAttempt: Bool { get }
    /// The error of a request of which an earlier attempt may have been sent, for a failover around it.
    var afterAttempt: Self { get }
}

extension Error {
    /// Whether the server may have done what the request of this error asks for. It may have got the request, and it
    /// has not refused it.
    var leavesChangeUnknown: Bool {
        if let error = self as? any UnsentRequestError { return error.followsAttempt }
        guard let error = self as? TransportError else { return true }
        // The head may have arrived, and only the body was lost.
        if let status = error.response?.status { return status.isSuccess || status.isRedirection }
        let unsent: [TransportError.Kind] = [
            .notConnected, .cannotFindHost, .cannotConnect, .secureConnectionFailed, .invalidRequest, .unsupported,
        ]
        return !unsent.contains(error.kind)
    }
}
