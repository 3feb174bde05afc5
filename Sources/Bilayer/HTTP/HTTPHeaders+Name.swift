extension HTTPHeaders {
    /// The name of a header field. Names are compared without case (RFC 9110 §5.1) and keep their original case. HTTP/2
    /// and HTTP/3 send them in lower case.
    ///
    /// An app declares its own names next to the static members:
    ///
    /// ```swift
    /// extension HTTPHeaders.Name {
    ///     static let tenant: Self = "X-Tenant"
    /// }
    /// ```
    public struct Name: RawRepresentable, Sendable {
        /// The name with its original case.
        public let rawValue: String
        /// Whether the name is a token (RFC 9110 §5.6.2). A field with any other name is refused.
        public let isValid: Bool

        /// Makes a name. If the text is not a token, headers refuse every field with the name
        /// (``HTTPHeaders/refused``).
        public init(rawValue: String) {
            self.rawValue = rawValue
            isValid = isToken(rawValue)
        }
    }
}

extension HTTPHeaders.Name {
    /// Makes a name from text.
    public init(_ text: String) { self.init(rawValue: text) }
}

extension HTTPHeaders.Name: Hashable {
    /// Whether two names are equal, regardless of the case of ASCII letters.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8) { lowercased($0) == lowercased($1) }
    }

    /// Hashes the name without case.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(lowercased(byte)) }
    }
}

extension HTTPHeaders.Name: ExpressibleByStringLiteral {
    /// Makes a name from a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension HTTPHeaders.Name: CustomStringConvertible {
    /// The name without the characters that a token cannot have.
    public var description: String { isValid ? rawValue : tokenCharacters(of: rawValue) }
}

extension HTTPHeaders.Name {
    /// `Accept`
    public static let accept: Self = "Accept"
    /// `Accept-Encoding`
    public static let acceptEncoding: Self = "Accept-Encoding"
    /// `Accept-Language`
    public static let acceptLanguage: Self = "Accept-Language"
    /// `Authorization`
    public static let authorization: Self = "Authorization"
    /// `Cache-Control`
    public static let cacheControl: Self = "Cache-Control"
    /// `Content-Encoding`
    public static let contentEncoding: Self = "Content-Encoding"
    /// `Content-Length`
    public static let contentLength: Self = "Content-Length"
    /// `Content-Location`
    public static let contentLocation: Self = "Content-Location"
    /// `Content-Type`
    public static let contentType: Self = "Content-Type"
    /// `Cookie`
    public static let cookie: Self = "Cookie"
    /// `Date`
    public static let date: Self = "Date"
    /// `ETag`
    public static let eTag: Self = "ETag"
    /// `If-Modified-Since`
    public static let ifModifiedSince: Self = "If-Modified-Since"
    /// `If-None-Match`
    public static let ifNoneMatch: Self = "If-None-Match"
    /// `Idempotency-Key`
    public static let idempotencyKey: Self = "Idempotency-Key"
    /// `Last-Modified`
    public static let lastModified: Self = "Last-Modified"
    /// `Link`
    public static let link: Self = "Link"
    /// `Location`
    public static let location: Self = "Location"
    /// `Proxy-Authorization`
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    /// `Referer`
    public static let referer: Self = "Referer"
    /// `Retry-After`
    public static let retryAfter: Self = "Retry-After"
    /// `Set-Cookie`
    public static let setCookie: Self = "Set-Cookie"
    /// `User-Agent`
    public static let userAgent: Self = "User-Agent"
    /// `WWW-Authenticate`
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
    /// `X-API-Key`
    public static let apiKey: Self = "X-API-Key"
}

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
