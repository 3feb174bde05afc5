/// The offset and the reason of a scanner's failure. The fault is small, because it has no texts. ``JsonSyntaxError``
/// makes its texts later.
struct SyntaxFault: Error {
    /// The offset of the byte that is not allowed, or of the first byte of a part that is not allowed as a whole. The
    /// length of the text if the text ends too early; 0 if the text is too long.
    var offset: Int
    var reason: Reason

    /// The fault of a text that exceeds the maximum size.
    static var tooLarge: SyntaxFault { SyntaxFault(offset: 0, reason: .size) }

    /// The reason of a failure. Most cases have the name of what is missing at the offset.
    enum Reason: Sendable {
        /// No value starts at the offset, or a literal is misspelled.
        case value
        /// In an object, no opening quote of a key is at the offset.
        case key
        /// No colon follows the key.
        case colon
        /// Neither a comma nor the closing bracket follows the member or the element.
        case commaOrClose(isObject: Bool)
        /// The text ends inside a number, a literal or an escape, or after an opening bracket.
        case endOfText
        /// No digit follows a sign, a point, or the `e` of an exponent.
        case digit
        /// A number starts with a zero that another digit follows.
        case leadingZero
        /// The text ends inside a string.
        case closingQuote
        /// A string contains a byte below 0x20 that is not escaped.
        case unescapedControlCharacter
        /// The character after a backslash is not one of the escapes of RFC 8259 §7.
        case escapeCharacter
        /// Fewer than four hexadecimal digits follow `\u`.
        case hexDigits
        /// An escaped surrogate has no partner: a low surrogate comes first, or no low surrogate follows a high one.
        case surrogatePair
        /// The bytes are not well-formed UTF-8.
        case utf8
        /// A container exceeds the maximum nesting depth, which is the associated value.
        case depth(Int)
        /// The text exceeds the maximum size.
        case size
        /// Something other than white space follows the end of the JSON value.
        case nothingMore
        /// An object repeats a key, and repeated keys are refused (``IndexOptions/RepeatedKeys/reject``).
        case duplicateKey
        /// The text starts with a byte order mark, which the options do not accept.
        case noByteOrderMark
    }
}
