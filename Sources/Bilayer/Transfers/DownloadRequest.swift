/// The request of a download, before and after the middlewares.
struct DownloadRequest: Sendable {
    /// The request before the middlewares.
    let made: HTTPRequest
    /// The request after the middlewares and after redirects.
    let sent: HTTPRequest
    /// The request by whose address and fields the server selects the response. It is the request that the middlewares
    /// have sent, before any redirect. The server may choose the target of a redirect by the request's credentials. A
    /// request that is redirected to another origin no longer has them. Credentials that a middleware has set for a
    /// user, such as a token or a signature, may differ in each request. So they are replaced here, and ``users`` are
    /// compared instead. All other credentials are compared as they are.
    let choosing: HTTPRequest
    /// The users of the replaced credentials, as a text; empty if there are none. Within one run of the app, equal
    /// users give equal texts.
    let users: String

    /// - Parameters:
    ///   - made: The request before the middlewares.
    ///   - run: The run of the pipeline that has sent it.
    init(_ made: HTTPRequest, in run: CallContext) {
        self.made = made
        sent = run.sentRequest ?? made
        var (choosing, users): (HTTPRequest, Set<String>) = (sent, [])
        if let request = run.streamRequest { choosing = request }
        // A field with another value was set by an inner node, and belongs to no user.
        for (name, field) in run.userFields where choosing.headers[name] == field.value {
            choosing.headers[name] = "of a user"
            users.insert(Self.number(of: field.user))
        }
        var addresses = run.userAddresses
        while let known = addresses.removeValue(forKey: choosing.url) {
            choosing.url = known.before
            users.insert(Self.number(of: known.user))
        }
        self.choosing = choosing
        self.users = users.sorted().joined(separator: " ")
    }

    private static func number(of user: UserMark) -> String { "\(user.source.sourceNumber).\(user.userNumber)" }

    /// Whether a range of the response may be requested. Only `GET` supports ranges (RFC 9110 §14.2). The request must
    /// not have a body, because the response may depend on it.
    static func mayHaveRange(_ request: HTTPRequest) -> Bool { request.method == .get && request.body == nil }
}
