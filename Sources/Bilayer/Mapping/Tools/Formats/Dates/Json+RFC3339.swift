extension Json {
    /// Returns the instant of an RFC 3339 string; `nil` for other values. If this value is a part of a parsed text, the
    /// instant is read directly from the text.
    func rfc3339Instant(acceptingSpace: Bool) -> RFC3339.Instant? {
        if case .view(let document, let position) = storage {
            return document.withNodes { $0.rfc3339Instant(at: position, acceptingSpace: acceptingSpace) }
        }
        return string.flatMap { RFC3339.parse($0, acceptingSpace: acceptingSpace) }
    }
}
