/// An error that says that a request was not sent.
protocol UnsentRequestError: Error {}

extension Error {
    /// Whether the server may have done what the request of this error asks for. It may have got the request, and it
    /// has not refused it.
    var leavesChangeUnknown: Bool {
        if self is any UnsentRequestError { return false }
        guard let error = self as? TransportError else { return true }
        // The head may have arrived, and only the body was lost.
        if let status = error.response?.status { return status.isSuccess || status.isRedirection }
        let unsent: [TransportError.Kind] = [
            .notConnected, .cannotFindHost, .cannotConnect, .secureConnectionFailed, .invalidRequest, .unsupported,
        ]
        return !unsent.contains(error.kind)
    }
}
