/// How a call treats a response that has data and errors.
///
/// ```swift
/// let route = Route<TripFields?>.trip("7").with(option: GraphQLErrorPolicy.keep)       // of one call
/// var client = client
/// client.options[GraphQLErrorPolicy.self] = .keep                                      // of all calls
/// ```
/// A response with errors and without data ends the call under every policy.
public enum GraphQLErrorPolicy: Sendable, Hashable, CallOption {
    /// Errors end the call. Its ``CallError`` has a ``GraphQLFailure`` as the underlying error. This is the default.
    case fail
    /// The data is mapped. Each error is a warning in the report, with its path. Use ``Route/keepingErrors()`` to
    /// receive the errors with the response.
    case keep
    /// The data is mapped, and the errors are not reported.
    case ignore
}
