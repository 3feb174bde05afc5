extension Json {
    /// Returns the instant of an RFC 3339 string; nil for other values. Strings without escapes are read in the text.
    func rfc3339Instant(acceptingSpace: Bool) -> RFC3339.Instant? {
        if case .view(let document, let position) = storage, document.nodes.tag(at: position) != .escapedString {
            return document.withNodes { $0.rfc3339Instant(at: position, acceptingSpace: acceptingSpace) }
        }
        guard var text = string else { return nil }
        return text.withUTF8 { unsafe RFC3339.parse(utf8: $0, acceptingSpace: acceptingSpace) }
    }
}

extension JsonNodes {
    /// Returns the instant of an RFC 3339 string; nil for other values, and for strings with escapes.
    func rfc3339Instant(at position: Int, acceptingSpace: Bool) -> RFC3339.Instant? {
        let tag = tag(at: position)
        guard tag.isString, tag != .escapedString else { return nil }
        let range = range(at: position)
        // Bound: the range of a string lies inside the text.
        let bytes = unsafe bytes.buffer(from: range.lowerBound, count: range.count)
        return unsafe RFC3339.parse(utf8: bytes, acceptingSpace: acceptingSpace)
    }
}

extension RFC3339 {
    /// Parses as ``parse(utf8:)`` does, but refuses a space instead of the `T` unless `acceptingSpace` is true.
    fileprivate static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, acceptingSpace: Bool) -> Instant? {
        // Bound: the count is more than 10.
        if !acceptingSpace, bytes.count > 10, unsafe bytes[10] == Ascii.space { return nil }
        return unsafe parse(utf8: bytes)
    }
}
