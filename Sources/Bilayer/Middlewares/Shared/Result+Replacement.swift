/// Outcomes for middlewares around a cache, which may have replaced a failure by a stored response.
extension Result<HTTPResponse, any Error> {
    /// The failure that a cache has replaced by a stored response; this outcome itself if no failure was replaced.
    var beforeReplacement: Self { (try? get())?.replaced?.outcome ?? self }

    /// Returns the stored response of an earlier attempt if this outcome is a fault of the transport or a cancel. If a
    /// deadline has cancelled the call, the deadline returns the stored response. If the caller was cancelled, the
    /// pipeline still throws.
    func replacingFault(by stored: HTTPResponse?) -> Self {
        guard let stored, case .failure(let error) = self, error is TransportError || error is CancellationError else {
            return self
        }
        return .success(stored)
    }
}
