import Bilayer
import BilayerTesting
import Foundation
import Testing

// Sendable: `count` is only accessed under `lock`.
private final class Boundaries: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    func next() -> String {
        lock.withLock {
            count += 1
            return "b\(count)"
        }
    }
}

@Suite("multipart/form-data")
struct MultipartTests {
    private let form = Multipart(boundary: { "AaB03x" })

    @Test("the bytes are those of RFC 7578 §4 and of browsers")
    func bytes() throws {
        let body =
            try form
            .adding("title", "Ada\nLovelace")
            .adding(.data(Data([0, 13, 10, 255])), name: "pic\"ture", fileName: "Ä\r\n.png", headers: ["X-Note": "n"])
            .requestBody()
        #expect(body.mediaType == "multipart/form-data; boundary=AaB03x")
        var expected = Data(
            """
            --AaB03x\r
            Content-Disposition: form-data; name="title"\r
            \r
            Ada
            Lovelace\r
            --AaB03x\r
            Content-Disposition: form-data; name="pic%22ture"; filename="Ä%0D%0A.png"\r
            Content-Type: image/png\r
            X-Note: n\r
            \r

            """
            .utf8
        )
        expected += [0, 13, 10, 255]
        expected += Data("\r\n--AaB03x--\r\n".utf8)
        #expect(body.content.data == expected)
        #expect(try form.requestBody().content.data == Data("--AaB03x--\r\n".utf8))
    }

    @Test func headersOfAPartReplaceThoseThatAreMade() throws {
        let part = form.adding(.data(Data()), name: "a", mediaType: "text/plain", headers: [.contentType: "text/html"])
        let text = String(decoding: try part.requestBody().content.data ?? Data(), as: UTF8.self)
        #expect(text.contains("Content-Type: text/html\r\n"))
        #expect(!text.contains("text/plain"))
        #expect(throws: MultipartError.self) {
            try form.adding("a", "b", headers: ["X-Note": "one\r\ntwo"]).requestBody()
        }
    }

    @Test func aModelHasAPartForEachField() throws {
        struct SignUp: Encodable {
            let name = "Ada"
            let tags = ["x", "y"]
            let isNew = true
            let note: String? = nil
        }
        let body = try form.adding(fields: SignUp(), arrays: .brackets, booleans: .digits).requestBody()
        let text = String(decoding: body.content.data ?? Data(), as: UTF8.self)
        let names = text.split(separator: "name=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
        #expect(names == ["name", "tags[]", "tags[]", "isNew"])
    }

    @Test func aModelOfTwoLayersHasThePartsOfItsEntry() throws {
        struct Badge: DTOEncodable, Sendable {
            let name: String
            func toDTO() throws -> [String: String] { ["full_name": name] }
        }
        let body = try form.adding(fields: Badge(name: "Ada")).requestBody()
        let text = String(decoding: body.content.data ?? Data(), as: UTF8.self)
        #expect(text.contains("name=\"full_name\"\r\n\r\nAda\r\n"))
    }

    @Test("a boundary that is in the content is not taken")
    func boundaryInMemory() throws {
        let boundaries = Boundaries()
        let counting = Multipart { boundaries.next() }
        let body = try counting.adding("one", "x--b1y").adding("two", "--b2").requestBody()
        #expect(body.mediaType.hasSuffix("boundary=b3"))
        #expect(throws: MultipartError.self) { try form.adding("a", "--AaB03x").requestBody() }
        #expect(throws: MultipartError.self) { try Multipart(boundary: { "a b" }).requestBody() }
        #expect(throws: MultipartError.self) { try Multipart(boundary: { "" }).requestBody() }
        #expect(try Multipart().requestBody().mediaType != Multipart().requestBody().mediaType)
    }

    @Test(
        "the boundary in a stream ends the request before it is complete, wherever the chunks are cut",
        arguments: 0..<15
    )
    func boundaryInStream(cut: Int) async throws {
        let content = Data("abc\r\n--AaB03xyz".utf8)
        for size in [1, 2, 15] {
            let chunks = [content.prefix(cut), content.dropFirst(cut)]
                .flatMap { part in
                    stride(from: 0, to: part.count, by: size).map { Data(part.dropFirst($0).prefix(size)) }
                }
            let stream = HTTPBody.stream {
                AsyncStream<Data> { stream in
                    for chunk in chunks { stream.yield(chunk) }
                    stream.finish()
                }
            }
            let body = try form.adding(stream, name: "film").requestBody()
            var sent = Data()
            await #expect(throws: MultipartError.self) {
                for try await chunk in body.content { sent += chunk }
            }
            let start = try #require(sent.range(of: Data("\r\n\r\n".utf8)))
            #expect(sent[start.upperBound...].range(of: Data("--AaB03x".utf8)) == nil)
        }
    }

    @Test func lengthAndReplayAreThoseOfTheParts() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
        try Data(repeating: 7, count: 200_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let known = try form.adding("title", "x").adding(file: file, name: "film").requestBody().content
        #expect(known.data == nil)
        #expect(known.isReplayable)
        for _ in 0..<2 { #expect(try await known.collected().count == known.length) }
        let once = HTTPBody.stream(length: 1) {
            AsyncStream {
                $0.yield(Data([1]))
                $0.finish()
            }
        }
        let streamed = try form.adding(once, name: "film").requestBody().content
        #expect(!streamed.isReplayable)
        #expect(streamed.length == (try await streamed.collected().count))
        let unknown = HTTPBody.stream { AsyncStream<Data> { $0.finish() } }
        #expect(try form.adding(unknown, name: "film").requestBody().content.length == nil)
    }

    @Test("a form with a file reaches a server whole", .timeLimit(.minutes(5)))
    func overASocket() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .json("{}"))
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
        try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let upload = form.adding("title", "Ada").adding(file: file, name: "picture", fileName: "ada.png")
        _ = try await Client(baseURL: server.url).fetch(Route<Json>.post("pictures", body: .multipart(upload)))
        let request = try #require(server.requests.first)
        let expected = try await upload.requestBody().content.collected()
        #expect(request.body == expected)
        #expect(request.headers[.contentLength] == "\(expected.count)")
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=AaB03x")
    }

    @Test(
        "the media type of a file comes from a table",
        arguments: [
            ("Holiday.JPG", "image/jpeg"), ("a/b.c/film.mp4", "video/mp4"), ("notes.tar.gz", "application/gzip"),
            ("pdf", "application/pdf"), ("README", "application/octet-stream"), ("a.", "application/octet-stream"),
            ("", "application/octet-stream"),
            ("x.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ]
    )
    func mediaTypes(name: String, expected: String) {
        #expect(MediaType(ofFile: name).essence == expected)
        #expect(MediaType(MediaType(ofFile: name).essence)?.essence == expected)
    }
}
