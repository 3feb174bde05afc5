import Bilayer
import Foundation
import Testing

@Suite("URLs as a format")
struct URLFormatTests {
    @Test(
        "absolute addresses, letters beyond ASCII percent-encoded",
        arguments: [
            ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
            ("https://example.com/Größe/日本?q=é", "https://example.com/Gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC?q=%C3%A9"),
            ("https://example.com/%C3%A9", "https://example.com/%C3%A9"),
            ("mailto:a@example.com", "mailto:a@example.com"),
            ("urn:isbn:0451450523", "urn:isbn:0451450523"),
            ("HTTP://EXAMPLE.com:8080/", "HTTP://EXAMPLE.com:8080/"),
        ]
    )
    func reads(text: String, url: String) throws {
        let read = try ValueFormat.url.read(Json(text))
        #expect(read.absoluteString == url)
        #expect(try ValueFormat.url.write(read) == Json(url))
        #expect(try ValueFormat.url.read(Json(url)) == read)
    }

    @Test(
        "what is no absolute address is refused",
        arguments: [
            "", " ", "/images/7.png", "images/7.png", "//example.com/a", "https://", "https:///a", "http:example.com",
            "https://a b",
            "https://example.com/%", "https://example.com/%4", "https://example.com/%zz", "https://example.com/<a>",
            "https://example.com/\"", "https://example.com/a\\b", "https://example.com/\u{7}", "not a url",
            ":", "::", "://a.b",
        ]
    )
    func refuses(text: String) {
        let message = failure { try ValueFormat.url.read(Json(text)) }
        #expect(message.hasPrefix("$: invalid value: expected an absolute URL, found string"), "\(text)")
    }

    @Test(
        "relative addresses on request",
        arguments: ["/images/7.png", "images/7.png", "../a?b", "?q=1", "#top", "//example.com/a"]
    )
    func relative(text: String) throws {
        let read = try ValueFormat.urlReference.read(Json(text))
        #expect(read.relativeString == text)
        #expect(try ValueFormat.urlReference.write(read) == Json(text))
        #expect(failure { try ValueFormat.urlReference.read("a b") }.contains("expected a URL, found string"))
    }

    struct PageEntry: Codable, RawMappable { @Formatted<EmptyAsNil<AbsoluteURL>> var site: URL? }

    @Test("an empty string is nil on request, and reported", arguments: [#""""#, "{}", "[]"])
    func emptyAsNil(text: String) throws {
        let raw: Json = ["site": try Json(parsing: text)]
        let (page, issues) = try reported { try PageEntry.from(raw: raw) }
        #expect(page.site == nil)
        #expect(issues.first?.hasPrefix("$.site: coerced: expected an absolute URL or null, found") == true)
        #expect(issues.count == 1)
        #expect(failure(.strict) { try PageEntry.from(raw: raw) }.hasPrefix("$.site: coercion refused"))
    }

    @Test("null and a missing key are nil without a report; an odd value is an error")
    func noReport() throws {
        let (pages, issues) = try reported { try [PageEntry].from(raw: [["site": .null], [:], ["site": "urn:a"]]) }
        #expect(pages.map(\.site?.absoluteString) == [nil, nil, "urn:a"])
        #expect(issues.isEmpty)
        #expect(failure { try PageEntry.from(raw: ["site": "a b"]) }.hasPrefix("$.site: invalid value"))
    }
}
