public import Foundation

extension Json {
    /// The parsing options where RFC 8259 leaves a choice.
    ///
    /// ```swift
    /// var options = Json.ParsingOptions()
    /// options.maximumDepth = 64
    /// options.duplicateKeys = .reject
    /// let json = try Json(parsing: Data("[1]".utf8), options: options)
    /// ```
    public struct ParsingOptions: Sendable, Hashable {
        /// The maximum nesting of arrays and objects; by default 512, at most 16,777,216. A deeper text is a
        /// ``JsonSyntaxError``.
        public var maximumDepth: Int
        /// The rule for two members of one object with equal keys (RFC 8259 §4 leaves it open).
        public var duplicateKeys: DuplicateKeys
        /// Whether the bytes EF BB BF are accepted before the text (RFC 8259 §8.1 leaves it open).
        public var byteOrderMark: ByteOrderMark

        /// The rule for two members of one object with equal keys. Keys are equal if their bytes are, after escapes are
        /// resolved. `"é"` as one scalar and as two are different keys.
        public enum DuplicateKeys: Sendable, Hashable {
            /// The first one counts, as with Foundation's decoder. The others remain in ``Json/members`` and in the
            /// text.
            case firstWins
            /// The last one counts, as in JavaScript. The others remain in ``Json/members`` and in the text.
            case lastWins
            /// The text is refused. This takes one more pass over the index.
            case reject
        }

        /// Whether a byte order mark is accepted before the text.
        public enum ByteOrderMark: Sendable, Hashable {
            /// The mark is skipped.
            case accept
            /// The text is refused.
            case reject
        }

        /// Makes options.
        /// - Parameters:
        ///   - maximumDepth: The maximum nesting of arrays and objects.
        ///   - duplicateKeys: The rule for two members with equal keys.
        ///   - byteOrderMark: Whether a byte order mark is accepted before the text.
        public init(
            maximumDepth: Int = 512,
            duplicateKeys: DuplicateKeys = .firstWins,
            byteOrderMark: ByteOrderMark = .accept
        ) {
            self.maximumDepth = maximumDepth
            self.duplicateKeys = duplicateKeys
            self.byteOrderMark = byteOrderMark
        }
    }

    /// Parses a JSON text (RFC 8259, UTF-8). Any value may be the root.
    ///
    /// The whole text is checked now. Strings and numbers are made on demand. The bytes of a text of 64 or
    /// more are not copied. A text of over 4 GB (4,000,000,000 bytes) is refused, and one of over 64 MB where addresses
    /// have 32 bits.
    /// - Parameters:
    ///   - data: The text. It is retained as long as the value or a part of it lives. Changing your `Data` afterwards
    ///     does not change the value. A `Data` made with `bytesNoCopy` does not own its memory: keep that unchanged as
    ///     long, or pass `Array(data)`.
    ///   - options: The options where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed.
    public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(data, options: options.index))
    }

    /// Parses a JSON text from contiguous bytes: `[UInt8]`, a slice of it, `UnsafeRawBufferPointer`. The bytes are
    /// copied.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - options: The options where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed.
    public init(
        parsing bytes: some Collection<UInt8>,
        options: ParsingOptions = ParsingOptions()
    ) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(copying: bytes, options: options.index))
    }

    /// Parses a JSON text.
    /// - Parameters:
    ///   - text: The text.
    ///   - options: The options where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed.
    public init(parsing text: String, options: ParsingOptions = ParsingOptions()) throws(JsonSyntaxError) {
        try self.init(parsing: text.utf8, options: options)
    }
}

extension Json.ParsingOptions {
    /// The options for the index.
    var index: IndexOptions {
        let keys: IndexOptions.RepeatedKeys =
            switch duplicateKeys {
            case .firstWins: .firstWins
            case .lastWins: .lastWins
            case .reject: .reject
            }
        return IndexOptions(
            maximumDepth: maximumDepth,
            repeatedKeys: keys,
            acceptsByteOrderMark: byteOrderMark == .accept
        )
    }
}
