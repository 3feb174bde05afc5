#if os(Linux)
import Foundation

/// Sets the options of libcurl for a request and for the settings of the transport.
struct CurlRequest {
    private let request: HTTPRequest
    private let settings: CurlSettings
    private let version: CurlVersion

    init(_ request: HTTPRequest, _ settings: CurlSettings, _ version: CurlVersion) {
        self.request = request
        self.settings = settings
        self.version = version
    }

    /// Sets all options.
    /// - Throws: ``TransportError`` if libcurl refuses an option, or if a file of a certificate or key is no regular
    ///   file.
    func set(on handle: CurlHandle) throws(TransportError) {
        try handle.set(.url, address)
        setBasics(on: handle)
        try setMethod(on: handle)
        handle.setHeaders(lines)
        // A stream accepts only the encodings whose expansion is bounded.
        try handle.set(
            .acceptedEncodings,
            request.streamsResponse ? CurlHead.boundedEncodings.joined(separator: ", ") : ""
        )
        try handle.set(.userAgent, settings.userAgent ?? "Bilayer libcurl/\(version)")
        try setProxy(on: handle)
        if isSecure { try setTLS(on: handle) }
    }

    private var isSecure: Bool { request.url.scheme?.lowercased() == "https" }

    /// The address without user and password, because libcurl would keep both for the connection.
    private var address: String {
        let hasUser = request.url.user != nil || request.url.password != nil
        guard hasUser || request.opensWebSocket,
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        else { return request.url.absoluteString }
        if hasUser { (parts.user, parts.password) = (nil, nil) }
        // RFC 6455 §3
        if request.opensWebSocket { parts.scheme = isSecure ? "wss" : "ws" }
        return parts.string ?? request.url.absoluteString
    }

    private func setBasics(on handle: CurlHandle) {
        handle.set(.noSignals, 1)
        let opensSocket = request.opensWebSocket
        handle.set(.protocols, opensSocket ? CurlConstant.socketProtocols : CurlConstant.webProtocols)
        if opensSocket {
            handle.set(.connectOnly, CurlConstant.onlyHandshake)
            handle.set(.webSocketOptions, CurlConstant.noAutomaticPong)
        }
        handle.set(.followLocation, 0)
        handle.set(.pathAsIs, 1)
        handle.set(.hidesConnectHeaders, 1)
        handle.set(.hidesProgress, 0)
        handle.set(.bufferSize, isStreamedCompressed ? 4 * 1024 : 64 * 1024)
        handle.set(.connectTimeLimitInMilliseconds, CurlConstant.longestMilliseconds)
        handle.set(.idleAge, max(Int(settings.connectionIdleAge.clamped / .seconds(1)), 1))
        let allowsHTTP2 = isSecure && settings.allowsHTTP2 && version >= .soundHTTP2 && !opensSocket
        handle.set(.httpVersion, allowsHTTP2 ? CurlConstant.http2OverTLS : CurlConstant.http1)
        if version >= .quickExit { handle.set(.quickExit, 1) }
    }

    /// Whether the response may be a stream with a compressed body. libcurl decompresses a whole receive buffer at
    /// once, each byte to about a thousand at most (``CurlHead/boundedEncodings``). It stores the decompressed bytes
    /// for which the reader has no room. So such a request gets a small receive buffer.
    private var isStreamedCompressed: Bool {
        request.streamsResponse && request.headers[.acceptEncoding] != "identity"
    }

    private func setMethod(on handle: CurlHandle) throws(TransportError) {
        if request.method == .head {
            handle.set(.noBody, 1)
            return
        }
        if sendsBody {
            handle.set(.upload, 1)
            // Without a length libcurl sends chunks over HTTP/1.1 (RFC 9112 §7.1).
            handle.set(.uploadSize, request.body.map { $0.length ?? -1 } ?? 0)
        }
        if request.method != .get || sendsBody { try handle.set(.method, request.method.rawValue) }
    }

    /// Whether a body is sent, which can be empty. RFC 9110 §8.6 recommends a length of 0 for methods that usually have
    /// a body.
    private var sendsBody: Bool {
        switch request.method {
        case .get, .head: request.body?.isEmpty == false
        case .post, .put, .patch: true
        default: request.body != nil
        }
    }

    /// User and password of the address (RFC 7617), unless the request has credentials.
    private var credentials: HTTPHeaders {
        guard let user = request.url.user(percentEncoded: false), request.headers[.authorization] == nil else {
            return [:]
        }
        let password = request.url.password(percentEncoded: false) ?? ""
        return [.authorization: "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"]
    }

    /// The header fields as lines. libcurl sets the fields that frame the body: with a wrong length, a server could
    /// read the rest of the body as a second request. The empty `Expect` makes libcurl send the body at once.
    private var lines: [CurlLine] {
        let own: [HTTPHeaders.Name] = [.contentLength, "Transfer-Encoding", "Expect"]
        let fields = request.headers.joiningCookies.filter { !own.contains($0.name) } + credentials
        return [.text("Expect:")] + fields.map { CurlLine($0) }
    }

    private func setProxy(on handle: CurlHandle) throws(TransportError) {
        if request.url.isLoopback, !settings.proxy.isForLoopback { return try handle.set(.proxy, "") }
        switch settings.proxy.choice {
        case .environment: break
        case .none: try handle.set(.proxy, "")
        case .server(let address, let exceptHosts):
            try handle.set(.proxy, address.absoluteString)
            try handle.set(.noProxy, exceptHosts.joined(separator: ","))
        }
    }

    private func setTLS(on handle: CurlHandle) throws(TransportError) {
        let tls = settings.tls
        handle.set(.tlsVersion, CurlConstant.tls12)
        let texts: [(CurlTextOption, String?)] = [
            (.authorityFile, tls.authorityFile), (.certificateFile, tls.clientCertificateFile),
            (.keyFile, tls.clientKeyFile),
            // Without a passphrase, OpenSSL would ask for one at the terminal, and all exchanges would wait for the
            // answer.
            (.keyPassphrase, tls.clientKeyPassphrase ?? tls.clientCertificateFile.map { _ in "" }),
            (.pinnedPublicKey, tls.pinnedPublicKeys.isEmpty ? nil : tls.pinnedPublicKeys.joined(separator: ";")),
        ]
        for file in [tls.authorityFile, tls.clientCertificateFile, tls.clientKeyFile] {
            // libcurl would wait for the bytes of a pipe, and all exchanges with it.
            guard let found = file.flatMap({ RegularFile.otherKind(at: $0) }) else { continue }
            let detail = "found \(found) in place of a certificate or a key, expected a regular file"
            throw TransportError(.secureConnectionFailed, detail: detail)
        }
        for (option, text) in texts {
            if let text { try handle.set(option, text) }
        }
    }
}
#endif
