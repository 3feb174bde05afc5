/// The request of a download: as the client has made it, and as the middlewares have sent it.
struct DownloadRequest: Sendable {
    /// The request before the middlewares.
    let made: HTTPRequest
    /// The request after the middlewares and after redirects.
    let sent: HTTPRequest
    /// The request whose address and fields choose the response: as the middlewares have sent it, because a redirect
    /// to another origin is chosen by credentials that it removes. It is without the credentials that a middleware has
    /// set for a user, such as a token or a signature, which may be others in each request. ``users`` are compared
    /// instead. All other credentials are compared as they are.
    let choosing: HTTPRequest
    /// The users of those credentials, as a text that is equal for equal users of one run of the app; empty if there
    /// are none.
    let users: String

    /// - Parameters:
    ///   - made: The request before the middlewares.
    ///   - run: The run of the pipeline that has sent it.
    init(_ made: HTTPRequest, in run: CallContext) {
        self.made = made
        sent = run.sentRequest ?? made
        var (choosing, users): (HTTPRequest, Set<String>) = (sent, [])
        if let request = run.streamRequest { choosing = request }
        // A node inside may have set another value since then.
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

    /// Whether a range of the response may be requested: that is possible for `GET` only (RFC 9110 §14.2), and the
    /// response to a request with a body depends on that.
    static func mayHaveRange(_ request: HTTPRequest) -> Bool { request.method == .get && request.body == nil }
}
