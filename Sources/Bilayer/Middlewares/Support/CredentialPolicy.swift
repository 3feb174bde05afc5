/// Whether ``Authentication`` and ``BasicAuthentication`` add credentials to the requests of a call.
///
/// For the public endpoints of a client whose user may have signed out:
///
/// ```swift
/// let status = Route<Json>.get("status").with(option: Authentication.none)
/// ```
///
/// Such a call needs no token: it is passed on unchanged, and a response that refuses it is returned.
public enum CredentialPolicy: CallOption, Hashable {
    /// Credentials are added: the default.
    case added
    /// The request is passed on as it is.
    case omitted
}
