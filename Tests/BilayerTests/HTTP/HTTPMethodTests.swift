import Bilayer
import Foundation
import Testing

@Suite("HTTPMethod")
struct HTTPMethodTests {
    @Test(arguments: ["GET", "get", "PROPFIND", "M-SEARCH", "a!#$%&'*+-.^_`|~9", "1"])
    func tokensAreMethods(text: String) throws {
        let method = try #require(HTTPMethod(rawValue: text))
        #expect(method.rawValue == text)
        #expect(method.description == text)
    }

    @Test(arguments: [
        "", " ", "GET ", "GE T", "GET\r\nX: y", "GET\0", "GÉT", "A/B", "A:B", "A(B)", "A\"B", "A@B", "A[B]", "{}",
        "\u{7F}",
    ])
    func otherTextIsRefused(text: String) {
        #expect(HTTPMethod(rawValue: text) == nil)
    }

    @Test func literalsThatAreNoTokensAreRefusedBeforeSending() throws {
        let url = try #require(URL(string: "http://example.com"))
        let request = HTTPRequest(method: "GET / HTTP/1.1\r\nX-Evil: 1", url: url)
        #expect(throws: TransportError.self) { try request.validate() }
        #expect(!request.description.contains("\r") && !request.description.contains("\n"))
    }

    @Test func caseCounts() {
        #expect(HTTPMethod("get") != .get)
        #expect(Set<HTTPMethod>([.get, "GET", .post]).count == 2)
    }

    @Test func theUsualOnesAreSpelledAsRegistered() {
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        #expect(methods.map(\.rawValue) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    }
}
