/// A key that an entry writes by hand (``RawEncodable``), or that is written for a coding key: its text, and whether
/// its bytes are written unchanged.
///
/// In an optimized build, the compiler computes ``isPlain`` from the key in the app's code. So at run time, a plain key
/// is not searched for bytes that need an escape.
@usableFromInline
struct MemberKey {
    @usableFromInline let text: String
    /// True if the text is a ``SmallString`` and no byte of it needs an escape; false for every other key.
    @usableFromInline let isPlain: Bool

    @inlinable
    @inline(__always)
    init(_ text: String) {
        self.text = text
        isPlain = SmallString(ascii: text)?.needsNoEscape ?? false
    }
}

extension SmallString {
    /// Whether no byte of the text is a quote, a backslash or a control character.
    @inlinable
    @inline(__always)
    var needsNoEscape: Bool {
        // A zero byte follows the text. If this zero is the first byte that needs an escape, the text needs none.
        let stops = Swar.escapeStops(first)
        if stops != 0 { return Swar.firstMark(stops) == count }
        return 8 &+ Swar.firstMark(Swar.escapeStops(rest)) == count
    }
}
