public import Foundation

/// Addresses with a scheme: `@Formatted<AbsoluteURL> var image: URL`.
///
/// For a server that sends `""` instead of `null`: `@Formatted<EmptyAsNil<AbsoluteURL>> var site: URL?`.
public enum AbsoluteURL: NamedFormat {
    /// Absolute addresses as text.
    public static var format: ValueFormat<URL> { .url }
}

/// Addresses with or without a scheme, `/images/7.png`: `@Formatted<URLReference> var image: URL`.
public enum URLReference: NamedFormat {
    /// Addresses as text.
    public static var format: ValueFormat<URL> { .urlReference }
}

extension ValueFormat where Value == URL {
    /// An address with a scheme, and a host if the scheme is `http` or `https` (RFC 3986 §3). It may have a fragment.
    /// Characters beyond ASCII (RFC 3987) are percent-encoded. Spaces and other ASCII characters that an address cannot
    /// have are refused.
    public static var url: Self {
        Self(text: "an absolute URL") {
            URL(absoluteIRI: $0)
        } write: { url in
            url.isComplete ? url.absoluteString : nil
        }
        .reading { nodes, position in nodes.stringValue(at: position).flatMap { URL(absoluteIRI: $0) } }
    }

    /// An address that may be relative (RFC 3986 §4.1). The app resolves a relative address. Empty text is refused.
    public static var urlReference: Self {
        Self(text: "a URL") {
            URL(encodingIRI: $0)
        } write: {
            $0.relativeString
        }
    }
}

extension URL {
    /// Makes the absolute address of a text.
    fileprivate init?(absoluteIRI text: String) {
        self.init(encodingIRI: text)
        guard isComplete else { return nil }
    }

    /// Makes the address of a text. Foundation treats spaces, a bare `%` and similar characters differently on each
    /// system. So texts with them are refused before Foundation reads them.
    fileprivate init?(encodingIRI text: String) {
        guard !text.isEmpty, text.hasOnlyWholeEscapes else { return nil }
        if text.utf8.allSatisfy({ $0 < 0x80 && Unicode.Scalar($0).isAllowedInURL }) {
            self.init(string: text)
            return
        }
        var encoded = ""
        encoded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                guard scalar.isAllowedInURL else { return nil }
                encoded.unicodeScalars.append(scalar)
            } else {
                encoded += String(scalar).percentEncoded(keeping: .unreserved)
            }
        }
        self.init(string: encoded)
    }

    /// Whether the address has a scheme, and a host if the scheme needs one.
    fileprivate var isComplete: Bool {
        // Foundation takes ":" for an address with an empty scheme.
        guard baseURL == nil, let scheme = scheme?.lowercased(), !scheme.isEmpty else { return false }
        return scheme != "http" && scheme != "https" || host?.isEmpty == false
    }
}

extension String {
    /// Whether two hexadecimal digits follow every percent sign.
    fileprivate var hasOnlyWholeEscapes: Bool {
        guard utf8.contains(UInt8(ascii: "%")) else { return true }
        return utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { part in
                part.count >= 2 && part.prefix(2).allSatisfy { Ascii.hexValue($0) != nil }
            }
    }
}

extension Unicode.Scalar {
    /// Whether RFC 3986 §2 allows the character in an address. Allows `%`, too.
    fileprivate var isAllowedInURL: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "-", ".", "_", "~", ":", "/", "?", "#", "[", "]", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";",
            "=", "%":
            true
        default: false
        }
    }
}
