import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Recordings of texts by chance")
struct RecordedNoiseTests {
    @Test("a secret is found however texts are inside of each other", arguments: 0..<5 as Range<UInt64>)
    func nestedSecrets(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var text = Self.secrets[random.next(below: Self.secrets.count)]
            for _ in 0..<random.next(below: 5) { text = try wrapped(text, by: random.next(below: 6)) }
            let part = "--B\r\nContent-Type: text/plain\r\n\r\n\(text)\r\n--B--\r\n"
            let isPart = random.next(below: 2) == 0
            let answer = try await RecordedAnswer(
                isPart ? "multipart/mixed; boundary=B" : nil,
                Data((isPart ? part : text).utf8),
                headers: ["X-Data": text.filter { !$0.isNewline }]
            )
            #expect(!answer.everything.contains("s3cr3t"), "seed \(seed): \(text), \(answer.everything)")
        }
    }

    @Test("any bytes are recorded and replayed", arguments: 0..<5 as Range<UInt64>)
    func noise(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        func noise(_ most: Int) -> String {
            (0..<random.next(below: most)).map { _ in Self.tokens[random.next(below: Self.tokens.count)] }.joined()
        }
        for _ in 0..<200 {
            let (sent, received) = (Data(noise(30).utf8), Data(noise(30).utf8))
            let field = noise(12).filter { !$0.isNewline }
            let type = Self.types[random.next(below: Self.types.count)]
            let headers: HTTPHeaders = [.contentType: type, "Location": field, "X-Data": field]
            let response = HTTPResponse(status: 200, headers: headers, body: received)
            let recorder = RecordingTransport(StubTransport { _, _ in response })
            let query = noise(8).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let url = try #require(URL(string: "https://example.com/a?x=\(query)"))
            var request = HTTPRequest(method: .post, url: url, body: .data(sent))
            request.headers[.contentType] = Self.types[random.next(below: Self.types.count)]
            _ = try await recorder.process(request)
            let recording = recorder.recording()
            let recorded = try #require(recording.exchanges.first).response
            #expect(recorded.body.isEmpty == received.isEmpty, "seed \(seed)")
            let replayed = try await ReplayingTransport(recording).process(request)
            #expect(replayed.status == 200, "seed \(seed)")
            #expect(replayed.body == recorded.body, "seed \(seed)")
            #expect(replayed.headers == recorded.headers, "seed \(seed)")
        }
    }

    private func wrapped(_ text: String, by kind: Int) throws -> String {
        switch kind {
        case 0: String(decoding: (["data": Json(text)] as Json).serialized(), as: UTF8.self)
        case 1: "/a?next=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        case 2: "id: 1\ndata: \(text)\n\n"
        case 3: "see \(text)"
        case 4: "\(text) and more"
        default: "{\"data\": \(Json(text)), \"n"
        }
    }

    private static let secrets = [
        #"{"token":"s3cr3t"}"#, "/a?token=s3cr3t", "//ada:s3cr3t@e.example/", "home;jsessionid=s3cr3t",
        "https://e.example/a#token=s3cr3t", "{\n\"token\":\n\"s3cr3t\"}", #"{"token":["s3cr3t"#,
        "<a b=\"c\"><password>s3cr3t</password></a>", #"<input name="pin" value="s3cr3t">"#,
        #"[{"name":"pin","value":"s3cr3t"}]"#, "\u{1E}{\n\"token\":\n\"s3cr3t\"}",
    ]

    private static let types = [
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=B", "text/event-stream",
        "text/plain", "multipart/mixed; boundary=\"\"", "application/json; charset=utf-16", "application/http",
    ]

    private static let tokens = [
        "{", "}", "[", "]", "\"", "\\", ":", ",", "password", "token", "a", "=", "&", ";", "?", "#", "/", "//", "://",
        "\n", "\r", "\r\n", "data:", "data: ", " ", "\u{301}", "%", "%41", "--B", "--B\r\n", "\r\n\r\n", "\0", "--",
        "Content-Disposition: form-data; name=\"password\"", "1", "null", "é", "@", "<", ">", "event: x\n", "-",
        "<password>", "</password>", "<a", "mutation {", "(", ")", "$", "\"name\":\"password\"", "\"value\":", "\u{1E}",
    ]
}
