import Testing

@testable import Bilayer

@Suite("Escapes in addresses")
struct PercentEncodingTests {
    @Test(
        "chosen escapes are resolved, and the others are written in capitals",
        arguments: [
            ("plain", "plain"), ("%7e%2f", "~%2F"), ("caf%c3%A9", "caf%C3%A9"), ("%2541", "%2541"), ("", ""),
            ("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("%%41", "%A"), ("%+1", "%+1"),
        ]
    )
    func resolve(text: String, normal: String) {
        #expect(text.resolvingEscapes(of: UnescapedCharacters.unreserved.contains) == normal)
    }

    @Test(
        "a percent sign without two digits is escaped, and escapes are preserved",
        arguments: [
            ("plain", "plain"), ("%c3%A9", "%c3%A9"), ("%", "%25"), ("50%&a=%20", "50%25&a=%20"), ("%4", "%254"),
            ("%zz%41", "%25zz%41"), ("%%41", "%25%41"), ("%%%", "%25%25%25"), ("", ""), ("%é", "%25é"),
        ]
    )
    func complete(text: String, completed: String) {
        #expect(text.escapingIncompleteEscapes == completed)
        #expect(!completed.hasIncompleteEscape)
    }
}
