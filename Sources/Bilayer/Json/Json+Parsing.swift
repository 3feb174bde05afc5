public import Foundation

extension Json {
    /// How a text is read where RFC 8259 leaves a choice.
    ///
    /// ```swift
    /// var options = Json.ParsingOptions()
    /// options.maximumDepth = 64
    /// options.duplicateKeys = .reject
    /// let json = try Json(parsing: Data("[1]".utf8), options: options)
    /// ```
    public struct ParsingOptions: Sendable, Hashable {
        /// How many arrays and objects may be open at once; 512 unless said otherwise, 16,777,216 at most. A deeper
        /// text is a ``JsonSyntaxError``.
        public var maximumDepth: Int
        /// What two members of one object with the same key mean (RFC 8259 §4 leaves it open).
        public var duplicateKeys: DuplicateKeys
        /// Whether the bytes EF BB BF are accepted before the text (RFC 8259 §8.1 leaves it open).
        public var byteOrderMark: ByteOrderMark

        /// What two members of one object with the same key mean. Keys are the same if their bytes are, after escapes
        /// are resolved: `"é"` in one scalar and in two are different keys.
        public enum DuplicateKeys: Sendable, Hashable {
            /// The first one counts, as with Foundation's decoder. The others stay in ``Json/members`` and in the text.
            case firstWins
            /// The last one counts, as in JavaScript. The others stay in ``Json/members`` and in the text.
            case lastWins
            /// The text is refused. This takes one more pass over the index.
            case reject
        }

        /// Whether a byte order mark is accepted before the text.
        public enum ByteOrderMark: Sendable, Hashable {
            /// It is skipped.
            case accept
            /// The text is refused.
            case reject
        }

        /// Makes options.
        /// - Parameters:
        ///   - maximumDepth: How many arrays and objects may be open at once.
        ///   - duplicateKeys: What two members with the same key mean.
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

    /// Reads a JSON text (RFC 8259, UTF-8). Any value may be the root.
    ///
    /// The whole text is checked now; strings and numbers are made when they are asked for. The bytes are not copied. A
    /// text of over 4 GB (4,000,000,000 bytes) is refused, and one of over 64 MB where addresses have 32 bits.
    /// - Parameters:
    ///   - data: The text. It is kept as long as the value or a part of it lives. Changing your `Data` afterwards does
    ///     not change the value. A `Data` made with `bytesNoCopy` does not own its memory: keep that unchanged as long,
    ///     or pass `Array(data)`.
    ///   - options: How to read where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed there.
    public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(data, options: options.index))
    }

    /// Reads a JSON text from any bytes that lie in one piece: `[UInt8]`, a slice of it, `UnsafeRawBufferPointer`. They
    /// are copied.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - options: How to read where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed there.
    public init(
        parsing bytes: some Collection<UInt8>,
        options: ParsingOptions = ParsingOptions()
    ) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(copying: bytes, options: options.index))
    }

    /// Reads a JSON text.
    /// - Parameters:
    ///   - text: The text.
    ///   - options: How to read where the standard leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first byte that is not allowed there.
    public init(parsing text: String, options: ParsingOptions = ParsingOptions()) throws(JsonSyntaxError) {
        try self.init(parsing: text.utf8, options: options)
    }
}

extension Json.ParsingOptions {
    /// The options as the index takes them.
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
