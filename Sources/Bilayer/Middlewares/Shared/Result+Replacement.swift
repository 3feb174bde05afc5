/// The outcomes by which middlewares around a cache decide, if a stored response has replaced a failure.
extension Result<HTTPResponse, any Error> {
    /// The failure that a cache has replaced by a stored response; this outcome if it has replaced none.
    var beforeReplacement: Self { (try? get())?.replaced?.outcome ?? self }

    /// Returns the stored response of an earlier attempt if this outcome is a fault of the transport or a cancel. A
    /// cancel may be that of a deadline, which then returns the stored response. If the caller is cancelled, the
    /// pipeline still throws.
    func replacingFault(by stored: HTTPResponse?) -> Self {
        guard let stored, case .failure(let error) = self, error is TransportError || error is CancellationError else {
            return self
        }
        return .success(stored)
    }
}
