extension Json {
    /// Uses the value at another position of the same parsed text for the length of a call, and counts no reference for
    /// it.
    ///
    /// An entry that keeps what it is given makes a copy, which is counted as every copy is.
    ///
    /// **Bound.** This value is a view and outlives the call, and with it the document does.
    @inlinable
    @inline(__always)
    func lendPart<Result>(at position: Int, _ body: (Json) throws -> Result) throws -> Result {
        guard Self.canLendParts else { return try body(part(at: position)) }
        defer { withExtendedLifetime(self) {} }
        var bits = unsafe withUnsafePointer(to: self) { unsafe UnsafeRawPointer($0).load(as: ViewBits.self) }
        bits.position = position
        return try unsafe withUnsafePointer(to: bits) { bits in
            try unsafe bits.withMemoryRebound(to: Borrowed<Json>.self, capacity: 1) { try unsafe $0.pointee.use(body) }
        }
    }

    /// The value at another position of the same parsed text.
    @usableFromInline
    func part(at position: Int) -> Json {
        guard case .view(let document, _) = storage else { return .null }
        return Json(.view(document, position))
    }

    /// Whether two views of one document differ only in the word of the position. The size of `Json` tells.
    /// `-D BILAYER_COUNTED_PARTS` disables the optimization, for tests and to measure its gain.
    @inlinable
    @inline(__always)
    static var canLendParts: Bool {
        #if BILAYER_COUNTED_PARTS
        return false
        #else
        return MemoryLayout<Json>.size == MemoryLayout<ViewBits>.size
        #endif
    }

    /// How a view is held: the reference, the position, and which case it is.
    @usableFromInline
    struct ViewBits {
        @usableFromInline let document: UInt
        @usableFromInline var position: Int
        @usableFromInline let sort: UInt8
    }
}
