import Bilayer
import Testing

@Suite("MediaType")
struct MediaTypeTests {
    /// Rows in the style of the web platform's tests of MIME sniffing.
    @Test(
        arguments: [
            ("text/html", "text/html", [:]),
            ("TEXT/HTML;CHARSET=GBK", "text/html", ["charset": "GBK"]),
            ("  application/json ; charset = utf-8", "application/json", ["charset": "utf-8"]),
            ("application/json; charset=utf-8", "application/json", ["charset": "utf-8"]),
            ("text/html;charset=\"utf-8\"", "text/html", ["charset": "utf-8"]),
            ("text/html; charset= \"utf-8\" ", "text/html", ["charset": "utf-8"]),
            ("text/html;charset=\"a\\\"b\\\\c\"", "text/html", ["charset": "a\"b\\c"]),
            ("text/html;charset=\"a;b\";x=1", "text/html", ["charset": "a;b", "x": "1"]),
            ("text/html;charset=\"open", "text/html", ["charset": "open"]),
            ("text/html;charset=\"a\"trailing", "text/html", ["charset": "a"]),
            ("text/html;charset=\"\"", "text/html", ["charset": ""]),
            ("text/html;charset=a;charset=b", "text/html", ["charset": "a"]),
            ("text/html;;;;charset=gbk", "text/html", ["charset": "gbk"]),
            ("text/html;charset", "text/html", [:]),
            ("text/html;charset=", "text/html", [:]),
            ("text/html;=x", "text/html", [:]),
            ("text/html;", "text/html", [:]),
            ("x/x;a=1=2", "x/x", ["a": "1=2"]),
            ("application/vnd.api+json;\tversion=1 ", "application/vnd.api+json", ["version": "1"]),
        ] as [(String, String, [String: String])]
    )
    func isRead(text: String, essence: String, parameters: [String: String]) throws {
        let type = try #require(MediaType(text))
        #expect(type.essence == essence)
        #expect(type.parameters == parameters)
        #expect(type.description == essence)
    }

    @Test(arguments: [
        "", "/", "text", "text/", "/html", "te xt/html", "text/ht ml", "text /html", "text/html,text/plain", "é/x", ";",
    ])
    func isRefused(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(arguments: [
        ("application/json", true), ("text/json", true), ("application/problem+json", true),
        ("APPLICATION/JSON;q=1", true),
        ("application/jsonx", false), ("application/json-seq", false), ("text/html", false), ("application/xml", false),
        ("json/application", false),
    ])
    func recognizesJson(text: String, isJson: Bool) {
        #expect(MediaType(text)?.isJson == isJson)
    }
}
