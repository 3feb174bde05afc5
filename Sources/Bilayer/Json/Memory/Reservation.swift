/// Limits the capacity that is reserved for the elements of a container before the first element is read.
///
/// The number of elements comes from input. An element can take only two bytes of text but any size in memory. So the
/// capacity is limited to a small multiple of the text's size. A collection with more elements grows while elements are
/// read.
@usableFromInline
enum Reservation {
    /// The maximum number of bytes of elements for each byte of the container's text. A list of one-digit integers
    /// needs four: eight bytes of memory for a digit and a comma.
    static var bytesPerTextByte: Int64 { 8 }
    /// The number of bytes of elements that every container may have, even if its text is short.
    static var minimumBytes: Int64 { 4096 }

    /// Returns the number of elements to reserve capacity for.
    /// - Parameters:
    ///   - count: The number of elements in the text.
    ///   - stride: The bytes of one element in memory.
    ///   - textBytes: The bytes of text that the elements are read from.
    /// - Returns: The number, at most `count`.
    @inline(__always)
    static func capacity(for count: Int, stride: Int, textBytes: Int) -> Int {
        let limit = max(Int64(textBytes) &* bytesPerTextByte, minimumBytes)
        // Neither product overflows: counts and lengths of texts have 32 bits, and no type has a stride of 2³¹ bytes.
        if Int64(count) &* Int64(stride) <= limit { return count }
        return max(1, Int(truncatingIfNeeded: limit / Int64(stride)))
    }
}
