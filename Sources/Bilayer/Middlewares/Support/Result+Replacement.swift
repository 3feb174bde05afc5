/// What middlewares around a cache decide by, if a stored response has replaced a failure.
extension Result<HTTPResponse, any Error> {
    /// The failure that a cache has replaced by a stored response, or else this outcome.
    var beforeReplacement: Self { (try? get())?.replaced?.outcome ?? self }

    /// The stored response of an earlier attempt instead of a fault of the transport, or of a cancel: a deadline
    /// returns what there is by then, and the pipeline of a cancelled caller ends.
    func replacingFault(by stored: HTTPResponse?) -> Self {
        guard let stored, case .failure(let error) = self, error is TransportError || error is CancellationError else {
            return self
        }
        return .success(stored)
    }
}
