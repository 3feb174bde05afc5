/// How a call treats a response that has data and errors.
///
/// ```swift
/// let route = Route<TripFields?>.trip("7").with(option: GraphQLErrorPolicy.keep)       // of one call
/// var client = client
/// client.options[GraphQLErrorPolicy.self] = .keep                                      // of all calls
/// ```
/// Errors without data end the call under every policy.
public enum GraphQLErrorPolicy: Sendable, Hashable, CallOption {
    /// The call ends with a ``GraphQLFailure``. The default.
    case fail
    /// The data is mapped. Every error is an issue of the report, with its path. The caller has the errors by
    /// ``Route/keepingErrors()``.
    case keep
    /// The data is mapped, and the errors are not reported.
    case ignore
}
