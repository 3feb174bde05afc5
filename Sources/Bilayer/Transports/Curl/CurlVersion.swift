#if os(Linux)
/// The version of a libcurl.
struct CurlVersion: Comparable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int
    let patch: Int

    /// The first version with `curl_multi_wakeup`.
    static let oldest = CurlVersion(7, 68, 0)
    /// The first version in which two threads may call `curl_global_init` at once.
    static let threadSafeStart = CurlVersion(7, 84, 0)
    /// The first version that calls a callback right before a request is sent on a connection.
    static let prerequests = CurlVersion(7, 80, 0)
    /// The first version in which a transfer can be removed without waiting for the name look-up that it began.
    static let quickExit = CurlVersion(7, 87, 0)

    /// The first version in which a handle can be reused again. The versions from ``keptFields`` up to, but not
    /// including, this one keep a pointer to the last field of the previous transfer. If such a handle is reused, a
    /// head that begins with a continued line ends the process.
    static let cleanHandles = CurlVersion(8, 2, 0)
    static let keptFields = CurlVersion(7, 83, 0)

    /// The first version with which this transport uses HTTP/2. Older versions lose bytes in the middle of a body while
    /// uploads on the same connection are refused early: 7.88 does, 8.23 does not.
    static let soundHTTP2 = CurlVersion(8, 14, 0)

    /// The first version in which this transport can send pongs itself. WebSockets are experimental before 8.11.
    static let webSockets = CurlVersion(8, 14, 0)

    init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads the text that `curl_version` gives: `libcurl/7.88.1 OpenSSL/3.0.19 …`.
    init?(_ text: String) {
        guard let first = text.split(separator: " ").first, first.hasPrefix("libcurl/") else { return nil }
        let numbers = first.dropFirst("libcurl/".count).split(separator: "-").first?.split(separator: ".") ?? []
        let parsed = numbers.compactMap { Int($0) }
        guard parsed.count == 3, parsed.count == numbers.count else { return nil }
        self.init(parsed[0], parsed[1], parsed[2])
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    var description: String { "\(major).\(minor).\(patch)" }
}
#endif
