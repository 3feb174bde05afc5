import Foundation

extension HTTPRequest {
    /// Returns the request for a redirect; `nil` if the response is not a redirect that may be followed (RFC 9110
    /// §15.4).
    ///
    /// Credentials, and a `Host` field of the app, are only sent to the same origin. A redirect from `https` to `http`
    /// is not followed.
    func redirected(by response: HTTPResponse) -> HTTPRequest? {
        guard let target = redirectTarget(of: response) else { return nil }
        var next = self
        next.url = target
        switch response.status {
        case 301 where method == .post, 302 where method == .post, 303 where method != .head: next.becomeGet()
        case 301, 302, 303, 307, 308: break
        default: return nil
        }
        if !target.hasSameOrigin(as: url) { next.removeCredentials() }
        return next
    }

    private func redirectTarget(of response: HTTPResponse) -> URL? {
        guard let location = response.headers.location,
            let target = URL(reference: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), scheme == "https" || scheme == url.scheme?.lowercased(),
            target.host()?.isEmpty == false, (1...65_535).contains(target.port ?? 80)
        else { return nil }
        // RFC 9110 §10.2.2: a target without a fragment inherits that of the request.
        guard target.fragment == nil, let fragment = url.fragment(percentEncoded: true),
            let inheriting = URL(string: "\(target.absoluteString)#\(fragment)")
        else { return target }
        return inheriting
    }

    private mutating func becomeGet() {
        method = .get
        body = nil
        for name in [.contentType, .contentLength, .contentEncoding, .contentLocation, "Content-Language"]
            as [HTTPHeaders.Name]
        {
            headers.remove(name)
        }
    }

    private mutating func removeCredentials() {
        for name in Set(headers.map(\.name)) where name.isSecret { headers.remove(name) }
        // The `Host` field of the app names the first origin.
        headers.remove("Host")
    }
}

extension HTTPHeaders {
    /// The address of a redirect; `nil` if the field is missing or repeated with different values (RFC 9110 §5.3).
    /// `URLSession` joins repeated values by `", "`, so a value that consists of equal parts is read as one of these
    /// parts.
    fileprivate var location: String? {
        let fields = values(for: .location)
        guard let first = fields.first, fields.allSatisfy({ $0 == first }) else { return nil }
        let parts = first.split(separator: ", ", omittingEmptySubsequences: false)
        return Set(parts).count == 1 ? parts.first.map { String($0) } : first
    }
}

extension URL {
    /// Whether two addresses have the same origin: scheme, host and port (RFC 6454 §4).
    func hasSameOrigin(as other: URL) -> Bool {
        httpScheme == other.httpScheme && host()?.lowercased() == other.host()?.lowercased()
            && effectivePort == other.effectivePort
    }

    /// The scheme; for the address of a WebSocket, the scheme of its handshake (RFC 6455 §3).
    private var httpScheme: String? {
        switch scheme?.lowercased() {
        case "ws": "http"
        case "wss": "https"
        case let scheme: scheme
        }
    }

    private var effectivePort: Int? { port ?? (httpScheme == "https" ? 443 : 80) }
}
