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
        #expect(answer.request.body == (isForm ? "n=1&token=redacted" : #"{"n":"1","token":"redacted"}"#))
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

    @Test(
        "a secret of JSON in several lines is replaced, and the rest of the text stays",
        arguments: [
            ("text/plain", ")]}',\n{\n \"token\": \"s3cr3t\",\n \"name\": \"Ada\"\n}", "Ada"),
            ("application/json-seq", "\u{1E}{\n \"token\": \"s3cr3t\",\n \"name\": \"Ada\"\n}\n", "Ada"),
            ("application/json", "{\n \"token\": [\"s3cr3t\"],\n \"name\": \"Ada\",\n", "Ada"),
            ("application/json", "{\n \"pin\": 48213765,\n \"name\": \"Ada\",\n", "Ada"),
            ("text/event-stream", "data: {\"token\":\nid: 4\ndata: \"s3cr3t\", \"name\": \"Ada\"}\n\n", "Ada"),
            ("text/event-stream", "data: {\"token\":\n: hi\ndata: \"s3cr3t\", \"name\": \"Ada\"}\n\n", "Ada"),
            ("text/event-stream", "data: {\"token\":\n\ndata: {\"name\": \"Ada\"}\n\n", "{\"name\": \"Ada\"}"),
            ("text/plain", "Ada says \"hi {\"token\":\"s3cr3t\"}", "Ada"),
            ("text/plain", "{{\"token\":\"s3cr3t\"} and Ada", "Ada"),
        ]
    )
    func membersOverLines(type: String, text: String, kept: String) async throws {
        let answer = try await RecordedAnswer(type, text)
        #expect(!answer.everything.contains("s3cr3t") && !answer.everything.contains("48213765"))
        #expect(answer.text.contains(kept) && answer.text.count > text.count / 2, "\(answer.text)")
    }

    @Test(
        "what is behind JSON and around it stays, whatever ends the lines",
        arguments: [
            (#"{"token":"s3cr3t"}"# + "\r\n", #"{"token":"redacted-1"}"# + "\r\n"),
            (
                #"{"token":"s3cr3t"}"# + String(repeating: "\r\n", count: 20),
                #"{"token":"redacted-1"}"# + String(repeating: "\r\n", count: 20)
            ),
            (
                #"{"hasToken":true,"name":"get_token","content":"text"}"#,
                #"{"hasToken":true,"name":"get_token","content":"text"}"#
            ),
            (
                #"{"name":"token.md","path":"docs/token.md","content":"IyBU"}"#,
                #"{"name":"token.md","path":"docs/token.md","content":"IyBU"}"#
            ),
        ]
    )
    func aroundJson(text: String, expected: String) async throws {
        #expect(try await RecordedAnswer("application/json", text).text == expected)
    }

    @Test("JSON with the end of a C string has no secret, and a response without bytes stays empty")
    func endOfCString() async throws {
        let answer = try await RecordedAnswer("application/json", #"{"token":"s3cr3t"}"# + "\0")
        #expect(!answer.everything.contains("s3cr3t"))
        #expect(answer.text == #"{"token":"redacted-1"}"# + "\0")
        #expect(try await RecordedAnswer("application/json; charset=ISO-8859-1", "").text == "")
        let cut = #"{"name":"Ada","n":[1,2"#
        #expect(try await RecordedAnswer("application/json; charset=ISO-8859-1", cut).text == cut)
    }

    @Test(
        "JSON of a few bytes and the end of a C string is no UTF-16, but two bytes are",
        arguments: ["{}", "[1]", "12", #""ab""#, "[1,23]", #"{"a":1}"#, "1"]
    )
    func shortJsonAsCString(text: String) async throws {
        let body = Data((text + "\0").utf8)
        let answer = try await RecordedAnswer("application/json", body)
        #expect(answer.body == body)
        let read = try #require(BodyText(body, MediaType("application/json")))
        #expect(read.text == (text.count == 1 ? text : text + "\0"))
        #expect(read.encoding == (text.count == 1 ? .utf16LittleEndian : .utf8))
        #expect(read.isCertain)
    }

    @Test(
        "values of a plain form may have no escapes",
        arguments: [
            (#"error=50% off {"token":"s3cr3t"}"#, #"error=50% off {"token":"redacted-1"}"#),
            ("location=https://h.example/cb?token=s3cr3t&n=1", "location=https://h.example/cb?token=redacted-1&n=1"),
        ]
    )
    func plainValues(text: String, expected: String) async throws {
        #expect(try await RecordedAnswer("text/plain", text).text == expected)
    }

    @Test("a path without a slash is the name of a value, and an end tag is that of the whole name")
    func pathsAndEnds() async throws {
        let refusal = #"{"errors":[{"type":"field","value":"s3cr3t","path":"password","location":"body"}]}"#
        #expect(!(try await RecordedAnswer("application/json", refusal).everything.contains("s3cr3t")))
        let xml = "<token><tokenType>bearer</tokenType><data>s3cr3t</data></token>"
        #expect(try await RecordedAnswer("application/xml", xml).text == "<token>redacted-1</token>")
        let named = try await RecordedAnswer("application/json; charset=utf-16", #"{"token":"s3cr3t"}"# + "\0")
        #expect(!named.everything.contains("s3cr3t"))
    }

    @Test("the texts of a sequence are replayed, each with its own placeholder, even if their lines are indented")
    func indentedSequence() async throws {
        func text(_ token: String, _ name: String) -> String {
            "\u{1E}{\n \"token\": \"\(token)\",\n \"name\": \"\(name)\"\n}\n"
        }
        let answer = try await RecordedAnswer("application/json-seq", text("s3cr3t", "Ada") + text("s3cr3u", "Bob"))
        let ada = #"{"token":"redacted-1","name":"Ada"}"#
        let bob = #"{"token":"redacted-2","name":"Bob"}"#
        #expect(answer.text == "\u{1E}\(ada)\n\u{1E}\(bob)\n")
    }

    @Test(
        "UTF-16 with a byte order mark is read, even if it has few characters of ASCII",
        arguments: ["application/json", "application/json; charset=unicode", "text/plain", "application/octet-stream"],
        [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]]
    )
    func markedWideText(type: String, mark: [UInt8]) async throws {
        let name = String(repeating: "東京都特許許可局", count: 40)
        let encoding: String.Encoding = mark[0] == 0xFF ? .utf16LittleEndian : .utf16BigEndian
        let text = try #require(#"{"token":"s3cr3t","name":"\#(name)"}"#.data(using: encoding))
        let answer = try await RecordedAnswer(type, Data(mark) + text)
        #expect(String(data: answer.body, encoding: .utf16) == #"{"token":"redacted-1","name":"\#(name)"}"#)
        #expect(!answer.everything.contains("s3cr3t"))
    }

    @Test("JSON that cannot be read is left out, and JSON in UTF-16 without a mark is read")
    func unreadableJson() async throws {
        // The second byte of this Shift JIS character is a backslash in ASCII.
        let japanese = Data(#"{"name":""#.utf8) + [0x83, 0x5C] + Data(#"","token":"s3cr3t"}"#.utf8)
        for type in ["application/json; charset=shift_jis", "application/json"] {
            let answer = try await RecordedAnswer(type, japanese)
            #expect(answer.text == "redacted")
            #expect(!answer.everything.contains("s3cr3t"))
        }
        let name = String(repeating: "東京都特許許可局", count: 40)
        let wide = try #require(#"{"token":"s3cr3t","name":"\#(name)"}"#.data(using: .utf16LittleEndian))
        let answer = try await RecordedAnswer("application/json; charset=ucs-2", wide)
        #expect(String(data: answer.body, encoding: .utf16LittleEndian)?.contains(name) == true)
        #expect(!answer.everything.contains("s3cr3t"))
    }

    @Test(
        "the value beside the name of a credential is secret",
        arguments: [
            #"[{"name":"password","value":"s3cr3t"},{"name":"city","value":"Paris"}]"#,
            #"[{"value":"s3cr3t","key":"api_key"},{"value":"Paris","key":"city"}]"#,
            #"[{"op":"replace","path":"/user/password","value":"s3cr3t"},{"path":"/city","value":"Paris"}]"#,
            #"[{"field":"pin","value":["s3cr3t"]},{"field":"city","value":"Paris"}"#,
            #"[{"name":"city","value":"Paris"},{"name":"password","value":"s3cr3t"#,
            #"<form><input name="csrf_token" value="s3cr3t"><input name='city' value='Paris'></form>"#,
            #"<meta name="csrf-token" content="s3cr3t"><meta name="city" content="Paris">"#,
        ]
    )
    func pairs(text: String) async throws {
        for type in ["application/json", "text/html", nil] {
            let answer = try await RecordedAnswer(type, text)
            #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
            #expect(answer.text.contains("Paris") && answer.text.contains("redacted"), "\(answer.text)")
        }
    }

    @Test(
        "secrets are found in elements and attributes of XML",
        arguments: [
            "<login><password>s3cr3t</password><city>Paris</city></login>",
            "<?xml version=\"1.0\"?>\n<login>\n <w:Password Type=\"t\">s3cr3t</w:Password>\n <city>Paris</city></login>",
            "<login password=\"s3cr3t\" city=\"Paris\"/>", "<login x:password='s3cr3t' city='Paris'></login>",
            "<login city='Paris'><token><![CDATA[s3cr3t]]></token></login>",
            "<login city='Paris'><session>s3cr3t</session><token></token></login>",
            "<login city=\"Paris\"><credentials><value>s3cr3t</value></credentials></login>",
            "<login city=\"Paris\"><token>s3cr3t", "<login city=\"Paris\" token=\"s3cr3t",
        ]
    )
    func elements(text: String) async throws {
        for (type, body) in [
            ("application/xml", text),
            ("application/json", (["data": Json(text)] as Json).description),
            ("text/plain", text),
        ] {
            let answer = try await RecordedAnswer(type, body)
            #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
            #expect(answer.text.contains("Paris") && answer.text.contains("redacted"), "\(answer.text)")
        }
    }

    @Test(
        "secrets are found in the literal arguments of a GraphQL document",
        arguments: [
            #"mutation { login(user: "ada", password: "s3cr3t") { id } }"#,
            "mutation {\n  login(\n    user: $ada\n    password: \"\"\"s3cr3t\"\"\"\n  ) { ada: id }\n}",
            #"mutation Login($user: String = "ada", $password: String! = "s3cr3t") { login(user: $user) }"#,
            #"{ login(tokens: ["s3cr3t"], credentials: {user: "s3cr3t"}, name: "ada") { id } }"#,
            #"mutation { set(fields: [{name: "password", value: "s3cr3t"}, {name: "ada", value: "ada"}]) }"#,
        ]
    )
    func documents(text: String) async throws {
        for (type, body) in [
            ("application/graphql", text), ("application/json", (["query": Json(text)] as Json).description),
        ] {
            let answer = try await RecordedAnswer(type, body)
            #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
            #expect(answer.text.contains("ada") && answer.text.contains("redacted"), "\(answer.text)")
        }
    }

    @Test(
        "secrets are found in forms that are sent as text",
        arguments: [
            ("user=ada&password=s3cr3t", "user=ada&password=redacted-1"),
            ("password=s3cr3t&user=ada", "password=redacted-1&user=ada"),
            ("user=ada\r\npassword=x&s3cr3t\r\n", "user=ada\r\npassword=redacted-1\r\n"),
            ("access_token=s3cr3t&scope=a,b", "access_token=redacted-1&scope=a,b"),
        ]
    )
    func formsInTexts(text: String, expected: String) async throws {
        for type in ["text/plain", "text/plain; charset=utf-8", nil] {
            let answer = try await RecordedAnswer(type, text)
            #expect(answer.text == expected)
            #expect(!answer.everything.contains("s3cr3t"), "\(answer.everything)")
        }
    }

    @Test(
        "texts that look like pairs, elements, documents or forms stay",
        arguments: [
            #"[{"name":"city","value":"Paris"},{"name":"max_tokens","value":100}]"#, "token=\n", "Say token=5, please",
            "Use <token> or <password>, and more", "<session><title>Keynote</title></session>", "<tokens>5</tokens>",
            #"{ token: login(user: "ada") { token password(of: $token) } }"#, "<password/>", "<token></token>",
            #"query token: "x" is no document."#, "<a title='5\" token=3'>x</a>", "abc==", #"<p>"token" and "pin"</p>"#,
        ]
    )
    func textsLikeSecrets(text: String) async throws {
        #expect(try await RecordedAnswer("text/plain", text).text == text)
    }

    /// A text with JSON: a string in 15 pairs of brackets. The string is again such a text.
    private static func nested(levels: Int) -> String {
        var text = "end"
        for _ in 0..<levels {
            let string = String(decoding: Json(text).serialized(), as: UTF8.self)
            text = "x " + String(repeating: "[", count: 15) + string + String(repeating: "]", count: 15)
        }
        return text
    }

    /// The text in nested braces is not read again for each brace, nor the text after a tag without an end. Exponential
    /// time would not end, and quadratic time would take minutes.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            String(repeating: "{a", count: 10_000) + String(repeating: "}", count: 10_000),
            String(repeating: "<a '", count: 10_000), "a" + String(repeating: "<token>", count: 10_000),
            String(repeating: "<session>", count: 10_000) + String(repeating: "</session>", count: 10_000),
            String(repeating: "\"", count: 10_000), String(repeating: "[{\"pin\":", count: 10_000),
            String(repeating: " ", count: 100_000) + "a" + String(repeating: "<token>", count: 10_000),
            String(repeating: "<a/b=", count: 20_000), nested(levels: 9),
            "a" + (0..<10_000).map { "<n\($0):token>" }.joined(),
            "{\"a\":\"" + String(repeating: "\\/", count: 100_000),
        ]
    )
    func textsOfManyBeginningsEnd(text: String) async throws {
        #expect(!(try await RecordedAnswer("text/plain", text).text.isEmpty))
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
