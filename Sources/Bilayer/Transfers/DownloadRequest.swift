/// The request of a download: as the client has made it, and as the middlewares have sent it.
struct DownloadRequest: Sendable {
    /// Before the middlewares.
    let made: HTTPRequest
    /// After them, and after redirects.
    let sent: HTTPRequest
    /// Whether a middleware says for which user it sends the request.
    let hasKnownUser: Bool

    /// - Parameters:
    ///   - made: The request before the middlewares.
    ///   - run: The run of the pipeline that has sent it.
    init(_ made: HTTPRequest, in run: CallContext) {
        self.made = made
        sent = run.sentRequest ?? made
        hasKnownUser = !run.knownUsers.isEmpty
    }

    /// The request whose fields choose the response. Those that are credentials of a known user are left out, because a
    /// token and a signature are others in each request for that user.
    var choosing: HTTPRequest {
        guard hasKnownUser else { return sent }
        var request = sent
        for name in sent.headers.map(\.name) where name.isSecret { request.headers[name] = made.headers[name] }
        return request
    }
}
