/// Whether ``Authentication`` and ``BasicAuthentication`` add credentials to the requests of a call.
///
/// Use it for public endpoints, which are also called while no user is signed in:
///
/// ```swift
/// let status = Route<Json>.get("status").with(option: Authentication.none)
/// ```
///
/// Such a call needs no token. Its request is passed on unchanged. A response such as 401 is returned and starts no
/// refresh.
public enum CredentialPolicy: CallOption, Hashable {
    /// Credentials are added: the default.
    case added
    /// The request is passed on as it is.
    case omitted
}
