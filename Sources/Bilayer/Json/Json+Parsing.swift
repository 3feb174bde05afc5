public import Foundation

extension Json {
    /// The options for parsing, where RFC 8259 leaves a choice.
    ///
    /// ```swift
    /// var options = Json.ParsingOptions()
    /// options.maximumDepth = 64
    /// options.duplicateKeys = .reject
    /// let json = try Json(parsing: Data("[1]".utf8), options: options)
    /// ```
    public struct ParsingOptions: Sendable, Hashable {
        /// The maximum nesting of arrays and objects. The default is 512, the upper limit is 16,777,216. A text with
        /// deeper nesting is refused with a ``JsonSyntaxError``.
        public var maximumDepth: Int
        /// The rule for two members of one object with equal keys (RFC 8259 §4 leaves it open).
        public var duplicateKeys: DuplicateKeys
        /// Whether the bytes EF BB BF are accepted before the text (RFC 8259 §8.1 leaves it open).
        public var byteOrderMark: ByteOrderMark

        /// The rule for two members of one object with equal keys. Keys are equal if their bytes are equal after
        /// escapes are resolved. Therefore `"é"` as one scalar and as two scalars are different keys.
        public enum DuplicateKeys: Sendable, Hashable {
            /// Look-up finds the first member, as with Foundation's decoder. The other members remain in
            /// ``Json/members`` and in the text.
            case firstWins
            /// Look-up finds the last member, as in JavaScript. The other members remain in ``Json/members`` and in the
            /// text. Whoever reads the text again decides anew which of them counts: in the result of
            /// ``Json/init(encoding:using:)`` or `toRaw()` it is the first.
            case lastWins
            /// A text with repeated keys is refused. The check takes one more pass over the index.
            case reject
        }

        /// Whether a byte order mark is accepted before the text.
        public enum ByteOrderMark: Sendable, Hashable {
            /// The mark is skipped.
            case accept
            /// A text with a byte order mark is refused.
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
    /// The whole text is checked immediately. Strings and numbers are made when they are read. A text of 64 bytes or
    /// more is not copied. A text of more than 2.8 GB is refused. Where addresses have 32 bits, the limit is 64 MB.
    /// - Parameters:
    ///   - data: The text. It is retained as long as the value or a part of it exists. Changing your `Data` afterwards
    ///     does not change the value. A `Data` made with `bytesNoCopy` refers to memory of your code. Keep that memory
    ///     valid and unchanged as long as the value or a part of it exists, or pass `Array(data)`.
    ///   - options: The options where RFC 8259 leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first fault.
    public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(data, options: options.index))
    }

    /// Parses a JSON text from a collection of bytes, such as `[UInt8]`, a slice of it or `UnsafeRawBufferPointer`. The
    /// bytes are copied.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - options: The options where RFC 8259 leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first fault.
    public init(
        parsing bytes: some Collection<UInt8>,
        options: ParsingOptions = ParsingOptions()
    ) throws(JsonSyntaxError) {
        self.init(document: try JsonDocument.parse(copying: bytes, options: options.index))
    }

    /// Parses a JSON text.
    /// - Parameters:
    ///   - text: The text.
    ///   - options: The options where RFC 8259 leaves a choice.
    /// - Throws: A ``JsonSyntaxError`` with the offset, line and column of the first fault.
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
