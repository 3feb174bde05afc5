/// Where the scanner stopped and why: all an error needs, in two words. Texts are made later (``JsonSyntaxError``).
struct SyntaxFault: Error {
    /// The position of the byte that is not allowed; the length of the text if it ends too early.
    var offset: Int
    var reason: Reason

    /// The text as a whole.
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
