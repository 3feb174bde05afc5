import Foundation
import Testing

@testable import Bilayer

@Suite("HTTPRequest")
struct HTTPRequestTests {
    @Test(arguments: [
        ("https://api.example.com/v1/users", "https://api.example.com/v1/users"),
        ("https://user:pass@api.example.com/a@b", "https://api.example.com/a@b"),
        ("https://user:p@ss@api.example.com/", "https://api.example.com/"),
        ("https://h/?token=abc&page=2", "https://h/?token=…&page=…"),
        ("https://h/?bare", "https://h/?…"),
        ("https://h/?a=b=c", "https://h/?a=…"),
        ("https://h/p?a=1#secret", "https://h/p?a=…"),
        ("https://h/p#secret?x=1", "https://h/p"),
        ("https://h/?", "https://h/?"),
        ("/relative?x=1", "/relative?x=…"),
        ("?\u{301}token=1", "?\u{301}token=…"),
        ("/home;jsessionid=s3cr3t", "/home;…"),
        ("https://h/a;v=1;w=2/b;/c", "https://h/a;…/b;/c"),
        ("https://h/?UzNDUkVULWJhc2U2NA==&a==b", "https://h/?…&a=…"),
        ("", ""),
    ])
    func addressesAreRedacted(address: String, redacted: String) {
        #expect(redactedAddress(address) == redacted)
    }

    @Test func descriptionHasNoSecrets() throws {
        let url = try #require(URL(string: "https://u:s3cr3t@h.example/login?code=s3cr3t#s3cr3t"))
        let request = HTTPRequest(
            method: .post,
            url: url,
            headers: [.authorization: "Bearer s3cr3t"],
            body: Data("s3cr3t".utf8)
        )
        #expect(request.description == "POST https://h.example/login?code=…, 6 B")
        #expect(!String(reflecting: request).contains("s3cr3t"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }

    @Test func validatesWhatMayNotBeSent() throws {
        let url = try #require(URL(string: "http://example.com"))
        var request = HTTPRequest(url: url)
        try request.validate()

        request.headers["X-Trace"] = "s3cr3t\r\n"
        #expect(
            refusal(of: request)
                == "invalid request: header X-Trace: found CR, LF or NUL in its value, expected none (RFC 9110 §5.5)"
        )
        request.headers = ["X Trace\r\n": "s3cr3t"]
        #expect(
            refusal(of: request)
                == "invalid request: header name \"XTrace\": found a character that no token has (RFC 9110 §5.6.2)"
        )
    }

    @Test func aMethodThatFoundationCannotSendIsRefused() throws {
        let method = try #require(HTTPMethod(rawValue: String(repeating: "A", count: 1_001)))
        let request = HTTPRequest(method: method, url: try #require(URL(string: "http://h/")))
        #expect(refusal(of: request) == "invalid request: expected a method of at most 1000 bytes")
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.com/", "/relative", "http:///nohost", "data:,x", "mailto:a@example.com",
    ])
    func otherAddressesAreRefused(address: String) throws {
        let url = try #require(URL(string: address))
        #expect(
            refusal(of: HTTPRequest(url: url))
                == "invalid request: expected an absolute http or https address with a host"
        )
    }

    @Test(arguments: ["http://h", "HTTPS://h/x", "http://127.0.0.1:8080/", "http://[::1]:80/"])
    func absoluteHttpAddressesPass(address: String) throws {
        try HTTPRequest(url: #require(URL(string: address))).validate()
    }

    private func refusal(of request: HTTPRequest) -> String? {
        do {
            try request.validate()
            return nil
        } catch let error as TransportError {
            return error.kind == .invalidRequest ? error.description : "\(error.kind)"
        } catch { return "\(error)" }
    }
}
