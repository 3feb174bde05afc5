import Testing

@testable import Bilayer

@Suite("The syntax that header fields share")
struct FieldSyntaxTests {
    @Test(arguments: [
        ("", []), (" , ,", []), ("gzip", ["gzip"]), ("gzip, br\t,  zstd ", ["gzip", "br", "zstd"]),
        (#"no-cache="X-A, X-B", no-store"#, [#"no-cache="X-A, X-B""#, "no-store"]),
        (#""a\", b", c"#, [#""a\", b""#, "c"]),
        (#"a\,b"#, [#"a\"#, "b"]),
    ])
    func aCommaInQuotesSeparatesNoElements(_ text: String, _ elements: [String]) {
        #expect(text.listElements == elements)
    }

    @Test(arguments: [(#"a="b, no-store"#, [#"a="b"#, "no-store"]), (#"a="b\", no-store"#, [#"a="b\""#, "no-store"])])
    func everyCommaSeparatesIfAQuoteHasNoEnd(_ text: String, _ elements: [String]) {
        #expect(text.listElements == elements)
    }

    @Test(arguments: [
        (#"UTF-8"; x=1"#, "UTF-8", "; x=1"), (#"a\"b\\" rest"#, #"a"b\"#, " rest"), ("no end", "no end", ""),
        (#"a\"#, "a", ""), (#"""#, "", ""),
    ])
    func aQuotedStringEndsAtAQuoteWithoutEscape(_ text: String, _ content: String, _ rest: String) {
        var characters = text[...]
        #expect(String(characters.popQuotedContent()) == content)
        #expect(characters == rest)
        var scalars = text.unicodeScalars[...]
        #expect(String(String.UnicodeScalarView(scalars.popQuotedContent())) == content)
        #expect(String(scalars) == rest)
    }

    @Test(arguments: [("", ""), (" \t", ""), ("\t120 ", "120"), ("a b", "a b"), ("\u{A0}a\u{A0}", "\u{A0}a\u{A0}")])
    func onlySpaceAndTabAreBlanks(_ text: String, _ rest: String) {
        #expect(text.trimmingBlanks == rest)
        #expect(text[...].trimmingBlanks == rest)
    }

    /// A media type is read as browsers read it, unlike other fields.
    @Test func aMediaTypeMayHaveAnyWhiteSpaceAroundItsParts() {
        #expect(MediaType("\u{A0}text/html ;\u{A0}charset=utf-8")?.parameters == ["charset": "utf-8"])
    }
}
