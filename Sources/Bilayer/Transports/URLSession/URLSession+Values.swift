import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Makes the `URLRequest` of a request. The request is validated first; an invalid request is never sent.
    init(_ request: HTTPRequest) throws {
        try request.validate()
        let hasBody = request.body.map { !$0.isEmpty } ?? false
        if request.method == .get, hasBody {
            throw TransportError(
                .invalidRequest,
                detail: "found a body, expected none: URLSession sends no GET with one"
            )
        }
        if let file = request.body?.file, request.body?.length == nil {
            let found = RegularFile.otherKind(at: file.path).map { "found \($0), expected a regular file" }
            let detail = found ?? "found a file that cannot be read, expected a readable one"
            throw TransportError(.bodyUnavailable, detail: detail)
        }
        self.init(url: request.url.withLowercaseScheme)
        httpMethod = request.method.rawValue
        httpBody = hasBody || request.method != .get ? request.body?.data : nil
        // The session sets the fields that frame the body. With a wrong length, the server would wait for more of the
        // body, or read a part of it as another request.
        for name in Set(request.headers.map(\.name)) where name != .contentLength && name != "Transfer-Encoding" {
            setValue(request.headers[name], forHTTPHeaderField: name.rawValue)
        }
        if let timeout = request.timeout { timeoutInterval = wireTimeout(timeout) }
    }
}

extension HTTPRequest {
    /// Whether the session may deliver a proxy's answer to the request for a tunnel as a head. False on Apple
    /// platforms. On Linux libcurl takes the proxy from the environment.
    var mayNeedTunnel: Bool {
        #if canImport(FoundationNetworking)
        guard url.scheme?.lowercased() == "https" else { return false }
        let environment = ProcessInfo.processInfo.environment
        return ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { environment[$0]?.isEmpty == false }
        #else
        return false
        #endif
    }
}

extension HTTPResponse {
    /// Makes the response of a session. Its fields are a dictionary without an order, so they are sorted by name.
    init(_ head: HTTPURLResponse, body: Data) {
        var headers = HTTPHeaders()
        let fields = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            headers.append(value, for: HTTPHeaders.Name(name))
        }
        self.init(status: HTTPStatus(head.statusCode), headers: headers, body: body, url: head.url)
    }
}

/// Returns the seconds for `URLRequest`. On Linux they are rounded up, because `URLRequest` on Linux truncates them to
/// whole seconds, and 0 would leave no time.
private func wireTimeout(_ timeout: Duration) -> TimeInterval {
    let seconds = max(timeout / .seconds(1), 0.001)
    #if canImport(FoundationNetworking)
    return min(seconds.rounded(.up), 1_000_000)
    #else
    return seconds
    #endif
}

extension URL {
    /// The address with its scheme in lowercase. A session takes a scheme in capitals as an unknown one (RFC 3986
    /// §3.1).
    fileprivate var withLowercaseScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
