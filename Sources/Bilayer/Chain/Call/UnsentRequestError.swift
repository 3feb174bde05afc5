/// An error that states that the request was not sent.
protocol UnsentRequestError: Error {
    /// The time until a request may be sent again.
    var remaining: Duration { get }
}

extension Error {
    /// Whether the request that ended with this error counts as one that the server may have carried out. True if the
    /// server may have received the request, and the status is 2xx or 3xx or has not arrived. Also true for an error of
    /// another type than ``TransportError`` and ``UnsentRequestError``.
    var leavesChangeUnknown: Bool {
        if self is any UnsentRequestError { return false }
        guard let error = self as? TransportError else { return true }
        // If the head of the response has arrived, only the body was lost, so the status decides.
        if let status = error.response?.status { return status.isSuccess || status.isRedirection }
        let unsent: [TransportError.Kind] = [
            .notConnected, .cannotFindHost, .cannotConnect, .secureConnectionFailed, .invalidRequest, .unsupported,
        ]
        return !unsent.contains(error.kind)
    }
}
