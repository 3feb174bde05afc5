/// The capacity to reserve for the elements of a container before the first of them is read.
///
/// The number of elements comes from input, and an element of two bytes of text can represent a type of any size. So
/// the capacity is a small multiple of the text. A collection with more elements grows while elements are made.
@usableFromInline
enum Reservation {
    /// The bytes of elements for each byte of the container's text. Eight bytes of text hold a `Date` or a long
    /// integer, for example.
    static var bytesPerTextByte: Int64 { 8 }
    /// Bytes of elements that every container may have, however short its text is.
    static var minimumBytes: Int64 { 4096 }

    /// The number of elements to reserve capacity for.
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
