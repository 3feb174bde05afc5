/// The hash of a key, for filters. In an optimized build, the compiler computes it where the app's code has a short key
/// (``FieldKey``).
///
/// It is only used for filters of keys (``MemberHint``, ``KeyedReader``, ``NamingKeyTable``). If another key has the
/// same bit, the look-up may have to compare all keys of the object, as for a missing key. Structures that grow with
/// the text use ``KeySeed``.
@usableFromInline
struct KeyHash {
    /// The hash. Its highest bits are the best distributed.
    @usableFromInline let bits: UInt64

    /// Hashes a key.
    /// - Parameters:
    ///   - first: The first eight bytes, with zeros after the end of the key.
    ///   - rest: The bytes after the first eight, with zeros after the end. For a key of 16 bytes or more, the last
    ///     eight.
    ///   - length: The length of the key in bytes.
    @inlinable
    @inline(__always)
    init(first: UInt64, rest: UInt64, length: Int) {
        bits = (first ^ rest ^ UInt64(truncatingIfNeeded: length) &<< 56) &* 0xFF51_AFD7_ED55_8CCD
    }

    /// The bit of the key in the 47-bit filter of a ``MemberHint``: one of the bits 16 to 62.
    @inlinable
    @inline(__always)
    var filterBit: UInt64 { 1 &<< ((bits &>> 32 &* 47) &>> 32 &+ 16) }
}
