/// The request of a download: as the client has made it, and as the middlewares have sent it.
struct DownloadRequest: Sendable {
    /// The request before the middlewares.
    let made: HTTPRequest
    /// The request after the middlewares and after redirects.
    let sent: HTTPRequest
    /// Whether a middleware states the user for whom it sends the request.
    let hasKnownUser: Bool

    /// - Parameters:
    ///   - made: The request before the middlewares.
    ///   - run: The run of the pipeline that has sent it.
    init(_ made: HTTPRequest, in run: CallContext) {
        self.made = made
        sent = run.sentRequest ?? made
        hasKnownUser = !run.knownUsers.isEmpty
    }

    /// The request with the fields by which the server chooses the response. The credentials that middlewares have
    /// added for a known user are left out, because a token or a signature can differ in each request of that user.
    var choosing: HTTPRequest {
        guard hasKnownUser else { return sent }
        var request = sent
        for name in sent.headers.map(\.name) where name.isSecret { request.headers[name] = made.headers[name] }
        return request
    }
}
