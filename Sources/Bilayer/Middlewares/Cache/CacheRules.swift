import Foundation

/// The rules of RFC 9111: whether a response may be stored (§3), how long it is fresh, and how it may be used (§4).
struct CacheRules: Sendable {
    /// Whether the cache serves several users; the cache of an app serves one.
    var isShared = false

    /// Statuses that may be stored without a directive (RFC 9110 §15.1), except 206 and 501: parts and server errors
    /// are not stored.
    private static let heuristic: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414]

    /// The statuses that this cache understands, for the directive `must-understand` (RFC 9111 §5.2.2.3).
    private static let understood = heuristic.union([302, 303, 307, 451])

    /// Client errors that concern only this request, its token, or this moment.
    private static let passing: Set<Int> = [401, 407, 408, 421, 425, 429]

    /// Whether a response with the status is never stored, because the status says nothing about the next request.
    private func isTransient(_ status: HTTPStatus) -> Bool { Self.passing.contains(status.code) || status.code >= 500 }

    /// Whether the response to this request may be stored.
    func mayStore(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        let control = CacheControl(of: response.headers)
        guard request.method == .get, request.headers[CacheField.range] == nil,
            !CacheControl(ofRequest: request.headers).has("no-store"),
            response.status.code >= 200, response.status.code != 206, response.status.code != 304,
            !isTransient(response.status)
        else { return false }
        // A redirect arrives here only if the transport has not followed it. Another call may follow it.
        guard response.headers[.location] == nil || !response.status.isRedirection, isWhole(response),
            VaryFields.digest(of: request, for: response) != nil
        else { return false }
        if control.has("must-understand") {
            guard Self.understood.contains(response.status.code) else { return false }
        } else if control.has("no-store") {
            return false
        }
        if isShared, !mayShare(control, isAuthorized: request.headers[.authorization] != nil) { return false }
        return isPermitted(response, by: control)
    }

    /// Whether a shared cache may store the response (RFC 9111 §5.2.2.7 and §3.5).
    private func mayShare(_ control: CacheControl, isAuthorized: Bool) -> Bool {
        if control.hasUnqualified("private") { return false }
        return !isAuthorized || ["must-revalidate", "public", "s-maxage"].contains(where: control.has)
    }

    /// The last condition of RFC 9111 §3: a directive, a field or the status permits storing.
    private func isPermitted(_ response: HTTPResponse, by control: CacheControl) -> Bool {
        control.has("public") || !isShared && control.has("private") || control.has("max-age")
            || isShared && control.has("s-maxage") || response.headers[CacheField.expires] != nil
            || Self.heuristic.contains(response.status.code)
    }

    /// Whether the body is whole: its end is certain, and it has the length of `Content-Length`, if there is one (RFC
    /// 9111 §3.3). The length of a compressed body is not compared, because the field has the length before
    /// decompression.
    private func isWhole(_ response: HTTPResponse) -> Bool {
        if response.mayBeIncomplete { return false }
        guard !response.isEncoded, let length = response.headers[.contentLength] else { return true }
        return Int(length).map { $0 == response.body.count } ?? true
    }

    /// Whether the response came from the request's address. A response that came after a redirect to another address
    /// must not be stored for this address: the redirect may be gone tomorrow.
    func isUnredirected(_ response: HTTPResponse, from request: HTTPRequest) -> Bool {
        response.target.map { $0.normalizedAddress == request.url.normalizedAddress } ?? true
    }

    /// The fields that may be stored (RFC 9111 §3.1, §5.2.2.4, §5.2.2.7).
    func storedFields(of headers: HTTPHeaders) -> HTTPHeaders {
        var kept = headers
        let control = CacheControl(of: headers)
        let hopByHop = (headers[CacheField.connection] ?? "").listElements.map { HTTPHeaders.Name($0) }
        let secret = control.fields("no-cache") + (isShared ? control.fields("private") : [])
        for name in CacheField.unstored + hopByHop + secret { kept.remove(name) }
        return kept
    }
}

extension CacheRules {
    /// Whether the lifetime of a response may be guessed (RFC 9111 §4.2.2).
    func mayGuess(_ status: HTTPStatus, _ control: CacheControl) -> Bool {
        Self.heuristic.contains(status.code) || control.has("public")
    }
}
