#if os(Linux)
/// A result code of libcurl, by its number in `curl/curl.h`.
struct CurlCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    static let ok = CurlCode(rawValue: 0)
    static let unsupportedProtocol = CurlCode(rawValue: 1)
    static let badAddress = CurlCode(rawValue: 3)
    static let notBuiltIn = CurlCode(rawValue: 4)
    static let proxyNotFound = CurlCode(rawValue: 5)
    static let hostNotFound = CurlCode(rawValue: 6)
    static let cannotConnect = CurlCode(rawValue: 7)
    static let weirdReply = CurlCode(rawValue: 8)
    static let http2 = CurlCode(rawValue: 16)
    static let partialFile = CurlCode(rawValue: 18)
    /// The response to a request for a WebSocket does not open one.
    static let refused = CurlCode(rawValue: 22)
    /// Bytes follow the end of a compressed body, or a callback has refused bytes.
    static let writeFailed = CurlCode(rawValue: 23)
    /// In older versions, this code also means a line of the head with more than 100 KB.
    static let outOfMemory = CurlCode(rawValue: 27)
    static let timedOut = CurlCode(rawValue: 28)
    /// A callback has ended the transfer.
    static let aborted = CurlCode(rawValue: 42)
    /// The head begins with a continued line (one that begins with white space). In newer versions, this code also
    /// means that a client's key cannot be read.
    static let badCall = CurlCode(rawValue: 43)
    static let gotNothing = CurlCode(rawValue: 52)
    static let sendFailed = CurlCode(rawValue: 55)
    static let receiveFailed = CurlCode(rawValue: 56)
    static let badEncoding = CurlCode(rawValue: 61)
    /// The request's body cannot be sent from its start again.
    static let cannotRewind = CurlCode(rawValue: 65)
    /// Receiving or sending would have to wait.
    static let again = CurlCode(rawValue: 81)
    static let http2Stream = CurlCode(rawValue: 92)
    static let proxyFailed = CurlCode(rawValue: 97)
    static let tooLarge = CurlCode(rawValue: 100)

    /// Whether the code is about a TLS handshake, a certificate, a key or a pin.
    var isOfTLS: Bool { Self.tls.contains(rawValue) }

    private static let tls: Set<Int32> = [35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98]
}
#endif
