import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Secrets in the texts of a recording")
struct RecordedTextTests {
    @Test(
        "a stream that was left in the middle of a character has no secret, and the rest of its text",
        arguments: [
            ("text/event-stream", "data: {\"token\":\"s3cr3t\",\"n\":1}\n\ndata: {\"name\":\"caf"),
            ("text/event-stream; charset=utf-8", "data: {\"token\":\"s3cr3t\",\"n\":1}\n\ndata: {\"name\":\"caf"),
            ("application/x-ndjson", "{\"token\":\"s3cr3t\",\"n\":1}\n{\"name\":\"caf"),
            ("text/plain", "{\"schlüssel\":\"s3cr3t\",\"n\":1}\n{\"name\":\"caf"),
        ]
    )
    func streamsThatWereLeft(type: String, text: String) async throws {
        let answer = try await RecordedAnswer(type, Data(text.utf8) + [0xC3], redacting: ["Schlüssel"])
        #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
        #expect(answer.text.contains("redacted-1") && answer.text.hasSuffix("{\"name\":\"caf"), "\(answer.text)")
    }

    @Test("JSON in Latin-1 has no secret, and its other bytes", arguments: [nil, "text/plain", "text/x-json"])
    func latin(type: String?) async throws {
        let body = Data("{\"token\":\"s3cr3t\",\"name\":\"caf".utf8) + [0xE9] + Data("!\"}".utf8)
        let answer = try await RecordedAnswer(type, body)
        #expect(answer.body == Data("{\"token\":\"redacted-1\",\"name\":\"caf".utf8) + [0xE9] + Data("!\"}".utf8))
        #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
    }

    @Test("bytes that are no text stay, and tell requests apart")
    func bytes() async throws {
        for type in [nil, "text/plain", "application/octet-stream", "image/png"] {
            let bodies = [Data([0x41, 0xFF]), Data([0x41, 0xFE]), Data([0x41]), Data(count: 4), Data(count: 1)]
            var keys: Set<Recording.RequestKey> = []
            for body in bodies {
                let answer = try await RecordedAnswer(type, body)
                #expect(answer.body == body)
                keys.insert(answer.request)
            }
            #expect(keys.count == bodies.count)
        }
    }

    @Test(
        "secrets are found in UTF-16 and UTF-32, whatever the media type says of the order of bytes",
        arguments: [
            "application/json; charset=utf-16le", "application/json; charset=utf-16", "application/json",
            "text/plain; charset=UTF-32", "application/x-www-form-urlencoded; charset=utf-16le",
        ],
        [
            String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian, .utf32,
        ]
    )
    func wideTexts(type: String, encoding: String.Encoding) async throws {
        let isForm = type.contains("form")
        let text = isForm ? "token=s3cr3t&n=1" : #"{"token":"s3cr3t","n":"1"}"#
        let answer = try await RecordedAnswer(type, try #require(text.data(using: encoding)))
        let expected = isForm ? "token=redacted-1&n=1" : #"{"token":"redacted-1","n":"1"}"#
        #expect(String(data: answer.body, encoding: encoding) == expected)
        #expect(answer.request.body == (isForm ? "token=redacted&n=1" : #"{"n":"1","token":"redacted"}"#))
    }

    @Test("UTF-16 that was left in the middle of a character has no secret")
    func wideTextThatWasLeft() async throws {
        let text = try #require("{\"token\":\"s3cr3t\"}\n{\"name\":\"caf".data(using: .utf16LittleEndian))
        let answer = try await RecordedAnswer("application/x-ndjson; charset=utf-16le", text + [0x3D])
        #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
    }

    @Test("UTF-8 under the name of another encoding has no secret", arguments: ["utf-16", "utf-16le", "utf-32"])
    func wrongCharset(charset: String) async throws {
        let answer = try await RecordedAnswer("application/json; charset=\(charset)", #"{"token":"s3cr3t","n":"12"}"#)
        #expect(answer.text == #"{"token":"redacted-1","n":"12"}"#)
    }

    @Test(
        "secrets are found in the strings of JSON that is not whole",
        arguments: [
            #"data: {"payload":"{\"token\":\"s3cr3t\"}","n":[1,"#, #"{"payload":"{\"token\":\"s3cr3t"#,
            #"{"payload":"{\"token\":\"s3cr3t\u00"#, "{\n  \"tokens\": [\"s3cr3t\"]\n",
            "{\n  \"auth\": {\"a\": \"s3cr3t\"}\n", #"{"next":"/a?token=s3cr3t","n":[1,"#,
            #"{"pass\u0077ord":"s3cr3t","n":[1,"#,
        ]
    )
    func stringsOfCutJson(text: String) async throws {
        let answer = try await RecordedAnswer("text/event-stream", text)
        #expect(!answer.everything.contains("s3cr3t") && answer.text.contains("redacted"), "\(answer.everything)")
    }

    @Test(
        "secrets are found in lines and addresses of strings and other texts",
        arguments: [
            #"{"log":"sent {\"token\":\"s3cr3t\"}\nand more"}"#, #"{"log":"a\nsee /a?token=s3cr3t"}"#,
            "see /a?token=s3cr3t and more", #"<a href="/home;jsessionid=s3cr3t">and more</a>"#,
            "id: 1\ndata: https://e.example/?token=s3cr3t\n\ndata: and more\n\n",
        ]
    )
    func textsInTexts(text: String) async throws {
        let answer = try await RecordedAnswer("text/plain", text)
        #expect(!answer.everything.contains("s3cr3t") && answer.text.contains("redacted"), "\(answer.everything)")
        #expect(answer.text.contains("more") == text.contains("more"))
    }

    @Test(
        "texts that have a secret's name and no secret stay",
        arguments: [
            "{\n  \"token\": null,\n  \"session\": {\"n\": 1}\n}", #"{"error":"found no \"token\""}"#,
            #"found no "token""#, #"{"error":"expected \"token\", found \"a\""}"#, "<!-- a;token=5 --> 1//2@3",
            "data: {\ndata: \"token\": null}\n\n",
        ]
    )
    func textsWithoutSecrets(text: String) async throws {
        #expect(try await RecordedAnswer("text/plain", text).text == text)
    }

    @Test("secrets are found in JSON of header fields")
    func fieldsOfJson() async throws {
        let headers: HTTPHeaders = [
            "X-Pagination": #"{"total":9,"next":"https://e.example/a?page=2&access_token=s3cr3t"}"#,
            "Report-To": #"{"group":"a","url":"https://e.example/?token=s3cr3t"}, {"url":"/b?token=s3cr3t"}"#,
            "X-Data": #"{"token":"s3cr3t","n":1}"#,
        ]
        let answer = try await RecordedAnswer(headers: headers)
        #expect(answer.headers["X-Pagination"]?.contains(#""total":9"#) == true)
        #expect(answer.headers["X-Data"] == #"{"token":"redacted-1","n":1}"#)
        #expect(answer.headers["Report-To"]?.contains("redacted-1") == true)
        #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
    }
}
