import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Makes the error for a failed task of `URLSession`.
    ///
    /// After the head of a response, platforms report one fault by different codes. Linux uses -1 for a body that is
    /// cut, badly chunked or badly compressed, and -1005 for a reset. Apple's systems use -1005, -1015, -1016 or -1017.
    /// All of these become ``Kind-swift.struct/brokenBody``.
    /// - Parameters:
    ///   - error: The error of the task.
    ///   - announced: The length of the body by the head of the response, -1 if the head has none; `nil` if no head was
    ///     received.
    ///   - partial: The part of the response that is known.
    ///   - count: The number of received bytes of the body, including those of a stream; `nil` means unknown.
    init(_ error: any Error, announced: Int64?, partial: HTTPResponse?, count: Int?) {
        let code = (error as? URLError)?.code
        let encoding = partial?.headers[.contentEncoding].map { tokenCharacters(of: $0) }
        #if canImport(FoundationNetworking)
        if let status = refusedTunnelStatus(in: error) {
            // The head is that of the proxy, and no response of the server.
            let detail = "the proxy answered \(status), expected a tunnel"
            self.init(.cannotConnect, detail: detail, underlyingError: error)
            return
        }
        if announced != nil, let kind = kindInsideTunnel(of: error) {
            self.init(kind, detail: code.map { "URLError \($0.rawValue)" }, underlyingError: error)
            return
        }
        #endif
        let kind = code.flatMap { knownKinds[$0] } ?? kindByWords(of: error)
        if kind == .unsupported, let encoding {
            let detail = "found a body in the encoding \(encoding), expected one that libcurl can decode"
            self.init(kind, detail: detail, underlyingError: error, response: partial)
            return
        }
        guard let announced, kind.isLoss else {
            let detail = code.map { "URLError \($0.rawValue)" }
            self.init(kind, detail: detail, underlyingError: error, response: partial)
            return
        }
        // The announced length of a compressed body is not the length of its contents. If all announced bytes have
        // arrived, another part of the response is broken.
        let bytes = count.map { "\($0) bytes" } ?? "a part"
        let found = encoding.map { "\(bytes) out of \($0)" } ?? bytes
        let isLengthMissed = announced >= 0 && encoding == nil && count.map { Int64($0) < announced } ?? true
        let expected = isLengthMissed ? "\(announced) as announced" : "a complete body"
        let detail = "found \(found), expected \(expected)"
        self.init(.brokenBody, detail: detail, underlyingError: error, response: partial)
    }
}

extension TransportError.Kind {
    /// Whether the kind means only that no complete response was received. No error of `URLSession` means that a body
    /// is too large, so here ``responseTooLarge`` refers to the head.
    fileprivate var isLoss: Bool {
        [.connectionLost, .malformedResponse, .responseTooLarge, .other].contains(self)
    }
}

private let knownKinds: [URLError.Code: TransportError.Kind] = {
    var kinds: [URLError.Code: TransportError.Kind] = [
        .notConnectedToInternet: .notConnected, .dataNotAllowed: .notConnected, .internationalRoamingOff: .notConnected,
        .callIsActive: .notConnected,
        .cannotFindHost: .cannotFindHost, .dnsLookupFailed: .cannotFindHost,
        .cannotConnectToHost: .cannotConnect,
        .timedOut: .timedOut,
        .networkConnectionLost: .connectionLost,
        .cannotParseResponse: .malformedResponse, .cannotDecodeRawData: .malformedResponse,
        .cannotDecodeContentData: .malformedResponse,
        .httpTooManyRedirects: .tooManyRedirects,
        .secureConnectionFailed: .secureConnectionFailed, .serverCertificateHasBadDate: .secureConnectionFailed,
        .serverCertificateUntrusted: .secureConnectionFailed, .serverCertificateHasUnknownRoot: .secureConnectionFailed,
        .serverCertificateNotYetValid: .secureConnectionFailed, .clientCertificateRejected: .secureConnectionFailed,
        .clientCertificateRequired: .secureConnectionFailed,
        .appTransportSecurityRequiresSecureConnection: .secureConnectionFailed,
        .badURL: .invalidRequest,
    ]
    #if canImport(FoundationNetworking)
    // For libcurl's "empty reply" the code is -1011, for "weird server reply" -1002. The address was already checked,
    // so -1002 cannot mean an unsupported address.
    kinds[.badServerResponse] = .connectionLost
    kinds[.unsupportedURL] = .malformedResponse
    #else
    kinds[.badServerResponse] = .malformedResponse
    kinds[.unsupportedURL] = .invalidRequest
    #endif
    return kinds
}()

/// Returns the kind by the words of an error. On Linux most errors of libcurl have the code -1 and differ only in their
/// text.
private func kindByWords(of error: any Error) -> TransportError.Kind {
    let text = error.localizedDescription.lowercased()
    return wordsOfKinds.first { words, _ in words.contains { text.contains($0) } }?.1 ?? .other
}

#if canImport(FoundationNetworking)
/// Returns the status of a proxy that has refused a tunnel, by the two texts of libcurl for it: `CONNECT tunnel failed,
/// response 407`, and up to 7.85 `Received HTTP code 407 from proxy after CONNECT`. `nil` for any other error.
private func refusedTunnelStatus(in error: any Error) -> Int? {
    let text = error.localizedDescription
    let starts = ["CONNECT tunnel failed, response ", "Received HTTP code "]
    guard let start = starts.first(where: text.hasPrefix) else { return nil }
    return Int(text.dropFirst(start.count).prefix(3))
}

/// Returns the kind of an error that comes before the first byte of the server's head: the server's certificate was
/// refused, or libcurl has received nothing (-1011). A head that was delivered is then that of a proxy. `nil` for any
/// other error.
private func kindInsideTunnel(of error: any Error) -> TransportError.Kind? {
    if (error as? URLError)?.code == .badServerResponse { return .connectionLost }
    return error.localizedDescription.contains("certificate problem") ? .secureConnectionFailed : nil
}
#endif

/// The words in the order of search. The order matters: a host can be called `tls.example.com`, and a connection that
/// breaks under TLS is lost, not insecure. Older versions of libcurl report a line of the head over 100 KB as "out of
/// memory".
private let wordsOfKinds: [([String], TransportError.Kind)] = [
    (["failed to connect", "couldn't connect"], .cannotConnect),
    (["unrecognized content encoding"], .unsupported),
    (["out of memory"], .responseTooLarge),
    (["ssl_read", "ssl_write", "recv failure", "send failure"], .connectionLost),
    (["ssl", "tls", "certificate"], .secureConnectionFailed),
    (["header", "http version", "content-length", "status line"], .malformedResponse),
]
