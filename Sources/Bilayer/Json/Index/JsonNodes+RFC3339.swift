extension JsonNodes {
    /// Returns the instant of an RFC 3339 string; `nil` for other values.
    @inline(__always)
    func rfc3339Instant(at position: Int, acceptingSpace: Bool) -> RFC3339.Instant? {
        let tag = tag(at: position)
        guard tag.isString else { return nil }
        if tag == .escapedString { return RFC3339.parse(string(at: position), acceptingSpace: acceptingSpace) }
        let range = range(at: position)
        // Bound: the range of a string lies inside the text.
        let bytes = unsafe bytes.buffer(from: range.lowerBound, count: range.count)
        return unsafe RFC3339.parse(utf8: bytes, acceptingSpace: acceptingSpace)
    }
}
