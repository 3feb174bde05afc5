import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Secrets in the parts of a recording")
struct RecordedPartTests {
    @Test(
        "a secret part is found in each spelling of its name",
        arguments: [
            "form-data; name=\"password\"", "form-data;\r\n name=\"password\"", "form-data; name = \"password\"",
            "form-data; name*=utf-8''pass%77ord", "form-data; filename=\"a;name=x\"; name=\"password\"",
            "form-data; filename=\"a\\\"; name=x\"; name=password", "form-data; Name=pass%77ord",
        ],
        ["\r\n", "\n"]
    )
    func names(disposition: String, lineEnd: String) async throws {
        let lines = ["--B", "content-disposition: \(disposition)", "", "s3cr3t", "--B", "", "plain", "--B--", ""]
        let text = lines.joined(separator: lineEnd)
        let answer = try await RecordedAnswer("multipart/form-data; boundary=B", text)
        #expect(answer.text == text.replacing("s3cr3t", with: "redacted-1"))
        #expect(!answer.everything.contains("s3cr3t") && answer.request.body.contains("plain"), "\(answer.everything)")
    }

    @Test("a secret part is replaced if it is no text, has the delimiter inside of a line, or was not sent whole")
    func contents() async throws {
        let head = "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
        for content in [Data("s3cr3t".utf8) + [0xE9], Data("x--Bs3cr3t".utf8), Data("a\r\n\r\ns3cr3t".utf8)] {
            for end in ["\r\n--B--\r\n", ""] {
                let body = Data(head.utf8) + content + Data(end.utf8)
                let answer = try await RecordedAnswer("multipart/form-data; boundary=B", body)
                #expect(answer.text == "\(head)redacted-1\(end)")
                #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
            }
        }
    }

    /// Parts, each as a header field and the content. Each part has one secret.
    private static let parts = [
        ("Content-Type: application/x-www-form-urlencoded", "password=s3cr3t&a=1"),
        ("Content-Type: application/http", "HTTP/1.1 200 OK\r\nSet-Cookie: sid=s3cr3t\r\n\r\n{}"),
        ("Content-Type: application/http", "GET /y?token=s3cr3t HTTP/1.1\r\nAccept: */*\r\n\r\n"),
        ("Content-Type: application/http", "GET /y HTTP/1.1\r\nAuthorization: Bearer\r\n s3cr3t\r\n\r\n"),
        (
            "Content-Type: application/http",
            "POST /y HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na=1&pin=s3cr3t"
        ),
        ("X-Auth-Token: s3cr3t", "hi"), ("Location: home;token=s3cr3t", "hi"), ("X-Data: {\"token\":\"s3cr3t\"}", "hi"),
        (
            "Content-Type: multipart/form-data; boundary=C",
            "--C\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cr3t\r\n--C--"
        ),
        ("Content-Type: text/plain", "see /a?token=s3cr3t"),
    ]

    @Test("a part has the rules of a body, and its fields those of a message", arguments: parts)
    func rules(field: String, content: String) async throws {
        let text = "--B\r\n\(field)\r\n\r\n\(content)\r\n--B\r\n\r\nplain\r\n--B--\r\n"
        let answer = try await RecordedAnswer("multipart/mixed; boundary=B", text)
        let secrets = ["Bearer\r\n s3cr3t", "sid=s3cr3t", "s3cr3t"]
        #expect(answer.text == secrets.reduce(text) { $0.replacing($1, with: "redacted-1") })
        #expect(!answer.everything.contains("s3cr3t") && answer.request.body.contains("plain"), "\(answer.everything)")
    }

    @Test("JSON of a part is read in its encoding, and found again in another spelling")
    func json() async throws {
        func body(_ json: String) throws -> Data {
            let content = try #require(json.data(using: .isoLatin1))
            let head = "--B\r\nContent-Type: application/json; charset=iso-8859-1\r\n\r\n"
            return Data(head.utf8) + content + Data("\r\n--B--\r\n".utf8)
        }
        let type = "multipart/mixed; boundary=B"
        let answer = try await RecordedAnswer(type, body(#"{"password":"s3cr3t","n":"café"}"#))
        #expect(try answer.body == body(#"{"password":"redacted-1","n":"café"}"#))
        let other = try await RecordedAnswer(type, body(#"{"n":"café","password":"other"}"#))
        #expect(other.request == answer.request && !answer.request.body.contains("s3cr3t"))
    }

    @Test("text before the first part and after the last one has no secrets")
    func textAround() async throws {
        let text = "see /a?token=s3cr3t\r\n--B\r\n\r\nplain\r\n--B--\r\n{\"token\":\"s3cr3t\"}"
        let answer = try await RecordedAnswer("multipart/mixed; boundary=B", text)
        #expect(answer.text == text.replacing("s3cr3t", with: "redacted-1"))
        #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
    }

    @Test("requests with other bodies of parts are others")
    func identities() async throws {
        let bodies = ["plain", "other", "--B\r\n\r\nplain\r\n--B--", "--B\r\n\r\nother\r\n--B--", "--B\r\n\r\nother"]
        var keys: Set<Recording.RequestKey> = []
        for body in bodies { keys.insert(try await RecordedAnswer("multipart/mixed; boundary=B", body).request) }
        #expect(keys.count == bodies.count)
    }

    /// Parts in parts, each with its boundary: parts that are too deep are left out.
    @Test func partsInPartsEnd() async throws {
        var content = "Content-Disposition: form-data; name=\"password\"\r\n\r\ns3cr3t"
        for depth in 0..<100 {
            let boundary = "b\(depth)e"
            let head = "Content-Type: multipart/mixed; boundary=\(boundary)\r\n\r\n"
            content = "\(head)--\(boundary)\r\n\(content)\r\n--\(boundary)--"
        }
        let answer = try await RecordedAnswer("multipart/mixed; boundary=B", "--B\r\n\(content)\r\n--B--\r\n")
        #expect(!answer.everything.contains("s3cr3t") && answer.text.contains("redacted"))
    }
}
