#if os(Linux)
/// The known facts of a failed transfer.
struct CurlEvidence {
    let code: CurlCode
    let text: String
    /// Whether the request uses TLS, and no line of the final head has arrived.
    let isBeforeHeadOverTLS: Bool
    /// The status, the fields and the received part of the body, if the head was complete.
    let partial: HTTPResponse?
    /// The number of body bytes that the head announces.
    let announced: Int?
    /// The number of received body bytes, before decompression.
    let received: Int
    /// The status of a proxy's response to the request for a tunnel; 0 if there was no such request.
    let proxyStatus: Int
    /// Whether the peer has ended the connection with a TLS alert.
    let hasAlert: Bool
    /// The encodings that libcurl can decode.
    let encodings: [String]

    fileprivate var isOfTLS: Bool { code.isOfTLS || (code == .badCall || hasAlert) && isBeforeHeadOverTLS }

    /// The encodings that the head names and libcurl cannot decode, if they are the reason for the failure.
    fileprivate var unknownEncodings: [String] {
        guard code == .badEncoding, let partial else { return [] }
        return partial.headers.bodyEncodings.filter { !encodings.contains($0) }
    }

    /// The encoding that the head names, if the bytes of the body are not valid in it.
    fileprivate var brokenContentEncoding: String? {
        guard code == .badEncoding || code == .writeFailed else { return nil }
        return partial?.headers[.contentEncoding].map { tokenCharacters(of: $0) }
    }
}

extension TransportError {
    /// Makes the error of a failed transfer.
    init(_ evidence: CurlEvidence) {
        let kind = Kind(evidence)
        self.init(
            kind,
            detail: Self.detail(of: kind, evidence),
            underlyingError: CurlError(code: Int(evidence.code.rawValue), text: evidence.text),
            response: evidence.partial
        )
    }

    private static func detail(of kind: Kind, _ evidence: CurlEvidence) -> String {
        if kind == .unsupported {
            let found = evidence.unknownEncodings.map { tokenCharacters(of: $0) }.joined(separator: ", ")
            let known = evidence.encodings.isEmpty ? "" : "one of \(evidence.encodings.joined(separator: ", ")), or "
            return "found a body in the encoding \(found), expected \(known)none"
        }
        if kind == .brokenBody, let encoding = evidence.brokenContentEncoding {
            return "found bytes that are no \(encoding), expected one valid stream of it"
        }
        if kind == .brokenBody {
            let expected = evidence.announced.map { "\($0) as announced" } ?? "a complete body"
            return "found \(evidence.received) bytes, expected \(expected)"
        }
        if evidence.proxyStatus >= 300 { return "the proxy answered \(evidence.proxyStatus), expected a tunnel" }
        if kind == .responseTooLarge, evidence.code == .outOfMemory {
            return "found a line of the head that libcurl has no memory for, expected at most 100 KB"
        }
        // With TLS 1.3 the handshake has ended for the client before the server checks the client's certificate.
        if kind == .secureConnectionFailed, evidence.hasAlert, !evidence.code.isOfTLS {
            return "found an alert of TLS, expected a response: the server may require a client certificate"
        }
        if evidence.code == .proxyNotFound { return "no address of the proxy" }
        return evidence.code == .ok ? "closed inside the head" : "curl \(evidence.code.rawValue): \(evidence.text)"
    }
}

extension TransportError.Kind {
    fileprivate init(_ evidence: CurlEvidence) {
        let code = evidence.code
        if let kind = causes[code] {
            self = kind
        } else if evidence.isOfTLS {
            self = .secureConnectionFailed
        } else if !evidence.unknownEncodings.isEmpty {
            self = .unsupported
        } else if evidence.partial != nil {
            self = .brokenBody
        } else if evidence.proxyStatus >= 300 {
            self = .cannotConnect
        } else {
            self = lossesInHead[code] ?? .other
        }
    }
}

/// The codes that have one meaning in every phase of a transfer.
private let causes: [CurlCode: TransportError.Kind] = [
    .badAddress: .invalidRequest, .proxyNotFound: .cannotFindHost, .hostNotFound: .cannotFindHost,
    .cannotConnect: .cannotConnect, .proxyFailed: .cannotConnect, .timedOut: .timedOut, .tooLarge: .responseTooLarge,
    .cannotRewind: .bodyUnavailable,
]

/// The meaning of other codes before the head is complete. libcurl does not report a close inside the head as an error.
private let lossesInHead: [CurlCode: TransportError.Kind] = [
    .ok: .connectionLost, .gotNothing: .connectionLost, .sendFailed: .connectionLost, .receiveFailed: .connectionLost,
    .partialFile: .connectionLost, .http2: .connectionLost, .http2Stream: .connectionLost,
    .unsupportedProtocol: .malformedResponse, .weirdReply: .malformedResponse, .badEncoding: .malformedResponse,
    .badCall: .malformedResponse, .outOfMemory: .responseTooLarge,
]
#endif
