/// How much memory is reserved for the elements of a container before the first of them is read.
///
/// The number of elements comes from outside, and so does the choice between `[0,0,…]` and real elements: one element
/// of two bytes of text can stand for a type of any size. So the reservation is a small multiple of the text. A
/// collection with more elements than that grows while elements are made.
@usableFromInline
enum Reservation {
    /// Bytes of elements for each byte of the container's text: eight of text hold a `Date` or a long integer, and so
    /// on.
    static var bytesPerTextByte: Int64 { 8 }
    /// Bytes of elements that every container may have, however short its text is.
    static var minimumBytes: Int64 { 4096 }

    /// How many elements to reserve room for.
    /// - Parameters:
    ///   - count: How many elements there are.
    ///   - stride: Bytes of one in memory.
    ///   - textBytes: Bytes of text that they are read from.
    /// - Returns: The number, `count` at most.
    @inline(__always)
    static func capacity(for count: Int, stride: Int, textBytes: Int) -> Int {
        let limit = max(Int64(textBytes) &* bytesPerTextByte, minimumBytes)
        // Neither product overflows: counts and lengths of texts have 32 bits, and no type has a stride of 2³¹ bytes.
        if Int64(count) &* Int64(stride) <= limit { return count }
        return max(1, Int(truncatingIfNeeded: limit / Int64(stride)))
    }

    /// The capacity for elements that are mapped from others. Those are in memory already or, as ``Json``, take two
    /// bytes of text at least.
    @usableFromInline
    static func capacity<Source, Mapped>(for count: Int, mapping source: Source.Type, to type: Mapped.Type) -> Int {
        let textBytes = source == Json.self ? 2 : MemoryLayout<Source>.stride
        return capacity(for: count, stride: MemoryLayout<Mapped>.stride, textBytes: count &* textBytes)
    }
}

extension JsonNodes {
    /// How many elements of a type to reserve room for before the first one in a container is read.
    @inline(__always)
    func capacity<Element>(for count: Int, of type: Element.Type, in container: Int) -> Int {
        Reservation.capacity(
            for: count,
            stride: MemoryLayout<Element>.stride,
            textBytes: unsafe words[unchecked: container].shortLength
        )
    }

    /// The capacity for the members of a dictionary, whose table has room for up to three times as many.
    @inline(__always)
    func tableCapacity<Value>(for count: Int, of type: Value.Type, in container: Int) -> Int {
        Reservation.capacity(
            for: count,
            stride: 2 &* MemoryLayout<(String, Value)>.stride,
            textBytes: unsafe words[unchecked: container].shortLength
        )
    }
}

extension JsonDocument {
    /// How many elements of a type to reserve room for before the first one in an array is read.
    @usableFromInline
    func capacity<Element>(for count: Int, of type: Element.Type, in array: Int) -> Int {
        nodes.capacity(for: count, of: type, in: array)
    }

    /// The capacity for the members of a dictionary.
    @usableFromInline
    func tableCapacity<Value>(for count: Int, of type: Value.Type, in object: Int) -> Int {
        nodes.tableCapacity(for: count, of: type, in: object)
    }
}
