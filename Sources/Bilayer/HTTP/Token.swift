/// Returns whether `text` is a token: one or more of the characters of method and header names (RFC 9110 §5.6.2).
func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
}

/// Returns the characters of `text` that a token can have. So a name from a server or from input cannot add a line
/// break to a log.
func tokenCharacters(of text: String) -> String {
    isToken(text) ? text : String(decoding: text.utf8.filter(isTokenCharacter), as: UTF8.self)
}

private func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "^")...UInt8(ascii: "z"),
        UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default: false
    }
}
