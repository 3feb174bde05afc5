/// The offset and the reason of a scanner's failure. The fault takes only two machine words. ``JsonSyntaxError`` makes
/// its texts later.
struct SyntaxFault: Error {
    /// The offset of the byte that is not allowed; the length of the text if the text ends too early.
    var offset: Int
    var reason: Reason

    /// The fault of a text that exceeds the maximum size.
    static var tooLarge: SyntaxFault { SyntaxFault(offset: 0, reason: .size) }

    enum Reason: Sendable {
        case value
        case key
        case colon
        case commaOrClose(isObject: Bool)
        case endOfText
        case digit
        case leadingZero
        case closingQuote
        case escapedControlCharacter
        case escapeCharacter
        case hexDigits
        case surrogatePair
        case utf8
        case depth(Int)
        case size
        case nothingMore
        case duplicateKey
        case noByteOrderMark
    }
}
