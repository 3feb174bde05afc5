import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// The error of a session's task as one of the kinds.
    ///
    /// What went wrong behind the head of an answer is told apart by no platform in the same way (Linux: -1 for a
    /// body that is cut, badly chunked or badly compressed, -1005 for a reset; Apple: -1005, -1015, -1016 or -1017),
    /// so all of it is ``Kind-swift.struct/brokenBody``.
    /// - Parameters:
    ///   - error: What the task ended with.
    ///   - head: The head of the answer, if one came.
    ///   - bodyCount: How many bytes of the body came.
    init(_ error: any Error, head: URLResponse?, bodyCount: Int) {
        let code = (error as? URLError)?.code
        let kind = code.flatMap { knownKinds[$0] } ?? kindByWords(of: error)
        guard let head, kind.isLoss else {
            self.init(kind, detail: code.map { "URLError \($0.rawValue)" }, underlyingError: error)
            return
        }
        let announced = head.expectedContentLength
        let expected = announced >= 0 ? "\(announced) as announced" : "a complete body"
        self.init(.brokenBody, detail: "found \(bodyCount) bytes, expected \(expected)", underlyingError: error)
    }
}

extension TransportError.Kind {
    /// Whether the kind says that the answer did not come, and nothing else.
    fileprivate var isLoss: Bool { [.connectionLost, .malformedResponse, .other].contains(self) }
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

/// On Linux most errors of libcurl come as -1 and differ in their text alone.
private func kindByWords(of error: any Error) -> TransportError.Kind {
    let text = error.localizedDescription.lowercased()
    return wordsOfKinds.first { words, _ in words.contains { text.contains($0) } }?.1 ?? .other
}

/// In the order of search: a connection that breaks under TLS is lost, not insecure.
private let wordsOfKinds: [([String], TransportError.Kind)] = [
    (["ssl_read", "ssl_write", "recv failure", "send failure"], .connectionLost),
    (["ssl", "tls", "certificate"], .secureConnectionFailed),
    (["header", "http version", "content-length", "status line"], .malformedResponse),
]
