import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// The error of a session's task as one of the kinds.
    ///
    /// Platforms report errors after the head of a response by different codes. Linux: -1 for a body that is cut, badly
    /// chunked or badly compressed, -1005 for a reset. Apple: -1005, -1015, -1016 or -1017. All of them are
    /// ``Kind-swift.struct/brokenBody``.
    /// - Parameters:
    ///   - error: The error of the task.
    ///   - announced: The length of the body by the head of the response, -1 if it has none; `nil` if no head came.
    ///   - partial: The response as far as it is known.
    ///   - count: The bytes of the body that came, those of a stream included; `nil` if that is unknown.
    init(_ error: any Error, announced: Int64?, partial: HTTPResponse?, count: Int?) {
        let code = (error as? URLError)?.code
        let kind = code.flatMap { knownKinds[$0] } ?? kindByWords(of: error)
        guard let announced, kind.isLoss else {
            let detail = code.map { "URLError \($0.rawValue)" }
            self.init(kind, detail: detail, underlyingError: error, response: partial)
            return
        }
        // The length of a compressed body is another one than that of what it contains.
        let encoding = partial?.headers[.contentEncoding].map { tokenCharacters(of: $0) }
        let bytes = count.map { "\($0) bytes" } ?? "a part"
        let found = encoding.map { "\(bytes) out of \($0)" } ?? bytes
        let expected = announced >= 0 && encoding == nil ? "\(announced) as announced" : "a complete body"
        let detail = "found \(found), expected \(expected)"
        self.init(.brokenBody, detail: detail, underlyingError: error, response: partial)
    }
}

extension TransportError.Kind {
    /// Whether the kind says only that no response was received. No error of a session says that a body is too large,
    /// so that kind is about the head here.
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
    // libcurl: "empty reply" is -1011, "weird server reply" -1002. Addresses were checked before.
    kinds[.badServerResponse] = .connectionLost
    kinds[.unsupportedURL] = .malformedResponse
    #else
    kinds[.badServerResponse] = .malformedResponse
    kinds[.unsupportedURL] = .invalidRequest
    #endif
    return kinds
}()

/// On Linux most errors of libcurl have the code -1 and differ only in their text.
private func kindByWords(of error: any Error) -> TransportError.Kind {
    let text = error.localizedDescription.lowercased()
    return wordsOfKinds.first { words, _ in words.contains { text.contains($0) } }?.1 ?? .other
}

/// In the order of search: a host may be called `tls.example.com`, and a connection that breaks under TLS is lost, not
/// insecure. Older versions of libcurl have no memory for a line of the head of more than 100 KB.
private let wordsOfKinds: [([String], TransportError.Kind)] = [
    (["failed to connect", "couldn't connect"], .cannotConnect),
    (["out of memory"], .responseTooLarge),
    (["ssl_read", "ssl_write", "recv failure", "send failure"], .connectionLost),
    (["ssl", "tls", "certificate"], .secureConnectionFailed),
    (["header", "http version", "content-length", "status line"], .malformedResponse),
]
