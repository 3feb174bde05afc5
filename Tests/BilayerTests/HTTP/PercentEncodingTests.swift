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
}
