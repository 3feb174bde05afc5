public import Foundation

/// The name under which a store keeps the responses of one address (RFC 9111 §4.1).
///
/// The name is a digest. So a store, its files and its logs contain no address, and no secret query value.
///
/// Addresses that differ only in their escapes, such as `/users/eva@home` and `/users/eva%40home`, have one key. So
/// ``HTTPCache/remove(_:)`` removes the responses of every spelling. A server may respond differently to each spelling,
/// so the cache uses a stored response for its own spelling only. A digest of the spelling is a part of
/// ``HTTPCacheEntry/variant``.
public struct HTTPCacheKey: Sendable, Hashable {
    /// 64 hexadecimal digits: the SHA-256 of the address without its escapes and its fragment. Usable as a file name.
    public let name: String

    /// Makes the key of an address.
    /// - Parameter url: An absolute address. Case of scheme and host, a default port, escapes and the fragment make no
    ///   difference.
    public init(_ url: URL) {
        name = SHA256.hexadecimal(of: url.cacheAddress.resolvingEscapes { _ in true })
    }
}

extension URL {
    /// The address in a normal form: equal addresses have equal texts (RFC 9110 §4.2.3, RFC 3986 §6.2.2).
    var cacheAddress: String {
        let path = path(percentEncoded: true)
        let query = query(percentEncoded: true).map { "?\($0)" } ?? ""
        let user = user(percentEncoded: true).map { "\($0):\(password(percentEncoded: true) ?? "")@" } ?? ""
        let place = "\(path.isEmpty ? "/" : path)\(query)".resolvingEscapes(of: UnescapedCharacters.unreserved.contains)
        return "\(cacheOrigin)|\(user)|\(place)"
    }

    /// A digest that distinguishes the spellings of one ``HTTPCacheKey``; empty for an address without escapes.
    var cacheSpellingDigest: String {
        let address = cacheAddress
        return address.contains("%") ? SHA256.hexadecimal(of: address) : ""
    }

    /// Scheme, host and port (RFC 6454 §4).
    var cacheOrigin: String {
        let scheme = (scheme ?? "").lowercased()
        return
            "\(scheme)://\((host(percentEncoded: true) ?? "").lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}

extension HTTPCacheKey: Redacted {
    /// The type with the first digits of the digest.
    public var description: String { "HTTPCacheKey(\(name.prefix(8))…)" }
}
