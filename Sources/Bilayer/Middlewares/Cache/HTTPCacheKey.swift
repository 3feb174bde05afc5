public import Foundation

/// The name under which a store keeps the responses of one address (RFC 9111 §4.1).
///
/// The name is a digest, so it contains neither the address nor a secret query value.
///
/// Addresses that differ only in their escapes, such as `/users/eva@home` and `/users/eva%40home`, have one key. So
/// ``HTTPCache/remove(_:)`` removes the responses of every spelling. A server may respond differently to each spelling,
/// so the cache uses a stored response for its own spelling only. A digest of a spelling with escapes is a part of
/// ``HTTPCacheEntry/variant``.
public struct HTTPCacheKey: Sendable, Hashable {
    /// 64 hexadecimal digits: the SHA-256 of the address with decoded escapes and without its fragment. Usable as a
    /// file name.
    public let name: String

    /// Makes the key of an address.
    /// - Parameter url: An absolute address. Case of scheme and host, a default port, escapes and the fragment make no
    ///   difference.
    public init(_ url: URL) {
        name = SHA256.hexadecimal(of: url.normalizedAddress.resolvingEscapes { _ in true })
    }
}

extension URL {
    /// A digest that distinguishes the spellings of one ``HTTPCacheKey``; empty for an address without escapes.
    var cacheSpellingDigest: String {
        let address = normalizedAddress
        return address.contains("%") ? SHA256.hexadecimal(of: address) : ""
    }
}

extension HTTPCacheKey: Redacted {
    /// The type with the first digits of the digest.
    public var description: String { "HTTPCacheKey(\(name.prefix(8))…)" }
}
