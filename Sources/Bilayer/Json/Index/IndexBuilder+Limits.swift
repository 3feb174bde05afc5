extension IndexBuilder {
    /// Whether a whole text has more containers inside each other than usual ones.
    var isDeep: Bool { maximumDepth > Self.usualDepth }

    /// Containers inside each other that every stack has room for, whatever is made of them.
    static var usualDepth: Int { 24 }

    // Offsets and counts of words have 32 bits. A container that is closed has a word for each byte at most, one that
    // is open has two for its bracket. So there are fewer than 2^32 words as long as the two limits together are less
    // than that.

    /// 4 GB, or 64 MB where addresses have 32 bits.
    static var maximumTextSize: Int { Int(maximumTextSize(addressableBytes: Int64(Int.max))) }

    /// The longest text whose index can be addressed. A growing index has at most four words of eight bytes for each
    /// byte of text.
    static func maximumTextSize(addressableBytes: Int64) -> Int64 { min(4_000_000_000, addressableBytes / 32) }

    /// The most containers that may be open at once, whatever the options say.
    static var greatestDepth: Int { 1 << 24 }
}
