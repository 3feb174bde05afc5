#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Python's standard library as an independent decoder of queries, forms and parts.
private enum PythonDecoder {
    static let path = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs a script that reads one line of Base64 for each input from a file, and prints one line of JSON for each.
    static func run(_ script: String, _ inputs: [Data]) throws -> [Json] {
        let file = FileManager.default.temporaryDirectory.appending(path: "inputs-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(inputs.map { $0.base64EncodedString() }.joined(separator: "\n").utf8).write(to: file)
        let output = try ChildProcess.output(of: [try #require(path), "-c", header + script, file.path])
        return try output.split(separator: UInt8(ascii: "\n")).map { try Json(parsing: Data($0)) }
    }

    private static let header = """
        import sys, json, base64, urllib.parse, email.parser, email.policy
        inputs = [base64.b64decode(line) for line in open(sys.argv[1]).read().split("\\n")]

        """
}

@Suite("Queries, forms and parts, read by Python", .enabled(if: PythonDecoder.path != nil, "there is no python3"))
struct PythonFormTests {
    private static let letters = Array("ab ÄéЖ中🜁+%&=;#?/\\\"'[]~*-._,\n\r\t\u{0}\u{7F}<>").map(String.init)

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<random.next(below: 8)).map { _ in letters[random.next(below: letters.count)] }.joined()
    }

    private static let parse = """
        for data in inputs:
            pairs = urllib.parse.parse_qsl(data.decode("ascii"), keep_blank_values=True, strict_parsing=False)
            print(json.dumps(pairs))
        """

    @Test func queriesAndFormsAreReadBack() async throws {
        let transport = StubTransport(.json("{}"))
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        var (expected, written): ([Json], [Data]) = ([], [])
        for seed in 0..<150 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let value = Json(
                members: (0...random.next(below: 4)).map { ("k\($0)" + Self.text(&random), Json(Self.text(&random))) }
            )
            let pairs = Json(value.members.map { Json([Json($0.key), $0.value]) })
            _ = try await client.fetch(Route<Json>.post("x", query: .encoding(value), body: .form(value)))
            let request = try #require(transport.requests.last)
            written.append(Data(try #require(request.url.query(percentEncoded: true)).utf8))
            written.append(try #require(request.body?.data))
            expected += [pairs, pairs]
        }
        let found = try PythonDecoder.run(Self.parse, written)
        #expect(found.count == expected.count)
        for (place, (one, other)) in zip(found, expected).enumerated() {
            #expect(one == other, "seed \(place / 2), \(place.isMultiple(of: 2) ? "query" : "form")")
        }
    }

    private static let parts = """
        for data in inputs:
            parser = email.parser.BytesParser(policy=email.policy.HTTP)
            message = parser.parsebytes(data)
            parts = []
            for part in message.iter_parts():
                disposition = part["content-disposition"]
                parts.append([disposition.params.get("name"), disposition.params.get("filename"),
                    part.get_content_type(), base64.b64encode(part.get_payload(decode=True)).decode("ascii")])
            print(json.dumps([message.get_content_type(), len(message.defects), parts]))
        """

    /// Names without the characters that Python does not read as browsers write them, such as quotes and backslashes.
    private static func name(_ random: inout SplitMix64) -> String {
        "n" + text(&random).filter { !$0.isNewline && !"\\\"%\u{0}\u{7F}\t ".contains($0) } + "m"
    }

    @Test func partsAreReadBack() async throws {
        var (expected, written): ([Json], [Data]) = ([], [])
        for seed in 0..<100 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var form = Multipart()
            var parts: [Json] = []
            for _ in 0...random.next(below: 4) {
                let name = Self.name(&random)
                let content = Data((0..<random.next(below: 200)).map { _ in UInt8.random(in: 0...255, using: &random) })
                let fileName = random.next(below: 2) == 0 ? nil : Self.name(&random) + ".png"
                let isStream = random.next(below: 2) == 0
                let body =
                    isStream
                    ? HTTPBody.stream {
                        AsyncStream<Data> { [content] in
                            $0.yield(content)
                            $0.finish()
                        }
                    } : .data(content)
                form = form.adding(body, name: name, fileName: fileName)
                let type = fileName == nil ? "text/plain" : "image/png"
                parts.append([
                    Json(name), fileName.map { Json($0) } ?? .null, Json(type), Json(content.base64EncodedString()),
                ])
            }
            let body = try form.requestBody()
            written.append(Data("Content-Type: \(body.mediaType)\r\n\r\n".utf8) + (try await body.content.collected()))
            expected.append(["multipart/form-data", 0, Json(parts)])
        }
        let found = try PythonDecoder.run(Self.parts, written)
        #expect(found.count == expected.count)
        for (seed, (one, other)) in zip(found, expected).enumerated() { #expect(one == other, "seed \(seed)") }
    }
}
#endif
