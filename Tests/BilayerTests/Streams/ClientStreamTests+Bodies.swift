import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// Bodies that are empty, broken, or in another encoding.
extension ClientStreamTests {
    @Test("a 204 is an error, but for server-sent events, where it says that there is no stream")
    func noContent() async throws {
        for format in [StreamFormat.lines, .textSequence, .array, .array(at: "data")] {
            let (server, client) = try await serving(.status(204))
            var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
            let error = await failure(of: &ticks)
            #expect(error?.stage == .rawMapping)
            let text = (error?.underlyingError).map { "\($0)" } ?? ""
            #expect(text.hasPrefix("found 204 without a body, expected application/"), "\(text)")
            #expect(server.requests.count == 1)
        }
        let (_, client) = try await serving(.status(204))
        #expect(try await all(client.stream(Self.ticks, as: .serverSentEvents)).isEmpty)
    }

    @Test("an element that is no JSON is told of its own text, not of the stream's media type")
    func textOfAnElement() async throws {
        for (format, reply) in [
            (StreamFormat.lines, Reply.data(Data("no".utf8), contentType: "application/x-ndjson; charset=utf-8")),
            (.serverSentEvents, .data(Data("data: no\n\n".utf8), contentType: "text/event-stream")),
        ] {
            let (_, client) = try await serving(reply)
            var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
            let issue = await failure(of: &ticks)?.issues.first
            #expect(issue?.path.description == "$[0]")
            #expect(issue?.detail?.hasPrefix("the body is not valid application/json") == true, "\(issue as Any)")
        }
    }

    @Test("an empty body is a list of no lines or texts, and no array")
    func emptyBody() async throws {
        for (format, type) in [(StreamFormat.lines, "application/x-ndjson"), (.textSequence, "application/json-seq")] {
            let (_, client) = try await serving(.data(Data(), contentType: type))
            #expect(try await all(client.stream(Self.ticks, as: format)).isEmpty)
        }
        let (_, client) = try await serving(.data(Data(), contentType: "application/json"))
        var ticks = client.stream(Self.ticks, as: .array).makeAsyncIterator()
        #expect(await failure(of: &ticks)?.underlyingError is StreamFormatError)
    }

    @Test(arguments: ["iso-8859-1", "klingon"])
    func elementsAreUTF8WhateverTheCharsetSays(charset: String) async throws {
        let type = "text/event-stream; charset=\(charset)"
        let (_, client) = try await serving(.data(Data("data: {\"text\":\"é\"}\n\n".utf8), contentType: type))
        var said = client.stream(Route<Said>.get("ticks"), as: .serverSentEvents).makeAsyncIterator()
        let first = try await said.next()
        #expect(first?.text == "é")
    }

    @Test("bytes that are no UTF-8 become U+FFFD, as in browsers (WHATWG HTML §9.2.5)")
    func malformedEvents() async throws {
        let bytes = Data("data: {\"text\":\"a".utf8) + [0xFF] + Data("b\"}\n\n".utf8)
        let (_, client) = try await serving(.data(bytes, contentType: "text/event-stream"))
        let said = try await all(client.stream(Route<Said>.get("ticks"), as: .serverSentEvents))
        #expect(said.map(\.text) == ["a\u{FFFD}b"])
    }

    @Test(
        "other formats are converted as a whole response is, in whatever chunks they come",
        arguments: [
            ("iso-8859-1", String.Encoding.isoLatin1), ("utf-16le", .utf16LittleEndian),
            ("utf-16be", .utf16BigEndian), ("utf-8", .utf8), ("utf-16", .utf16), (nil, .utf16),
        ] as [(String?, String.Encoding)],
        [StreamFormat.lines, .array]
    )
    func charsets(encoding: (name: String?, encoding: String.Encoding), format: StreamFormat) async throws {
        let isArray = format.mediaType == nil
        let isUnicode = encoding.encoding != .isoLatin1
        let texts = ["é", isUnicode ? "😀" : "ß", isUnicode ? "\u{FEFF}" : "ü"]
        let elements = texts.map { "{\"text\":\"\($0)\"}" }
        let text = isArray ? "[\(elements.joined(separator: ","))]" : elements.joined(separator: "\n")
        let bytes = try #require(text.data(using: encoding.encoding))
        let type = "text/plain" + (encoding.name.map { "; charset=\($0)" } ?? "")
        let (server, client) = try await serving(.data(bytes, contentType: type))
        for size in [1, 3, bytes.count] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { Data(bytes.dropFirst($0).prefix(size)) }
            server.on(.get, "/ticks", .chunked(parts, contentType: type))
            let said = try await all(client.stream(Route<Said>.get("ticks"), as: format))
            #expect(said.map(\.text) == texts)
        }
    }

    @Test(
        "the elements of a custom format have the charset that the response states",
        arguments: ["text/rows", "text/plain"]
    )
    func charsetOfACustomFormat(type: String) async throws {
        let format = StreamFormat(mediaType: "text/rows") { LineDelimited(maximumBytes: 100) }
        let bytes = try #require("{\"text\":\"é\"}\n{\"text\":\"ü\"}\n".data(using: .isoLatin1))
        let (_, client) = try await serving(.data(bytes, contentType: "\(type); charset=iso-8859-1"))
        let said = try await all(client.stream(Route<Said>.get("ticks"), as: format))
        #expect(said.map(\.text) == ["é", "ü"])
    }

    @Test func aStreamInAnUnknownCharsetIsAnError() async throws {
        let (_, client) = try await serving(.data(Data("1\n".utf8), contentType: "text/plain; charset=klingon"))
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Route<Json>.get("ticks"), as: .lines, onInvalid: .skip))
        }
        #expect(error?.issues.first?.found?.type == "charset klingon")
    }

    @Test func aStreamInAnotherCharsetThanThePolicyAllowsIsAnError() async throws {
        let (_, client) = try await serving(.data(Data("1\n".utf8), contentType: "text/plain; charset=iso-8859-1"))
        let route = Route<Json>.get("ticks").with(option: CharsetPolicy.onlyUTF8)
        let error = await #expect(throws: CallError.self) { try await all(client.stream(route, as: .lines)) }
        #expect(error?.issues.first?.expected == "UTF-8")
    }

    @Test func aStreamOfUTF16ThatEndsInACharacterIsAnErrorAfterItsElements() async throws {
        let bytes = try #require("1\n2\n".data(using: .utf16LittleEndian)) + [0x33]
        let (_, client) = try await serving(.data(bytes, contentType: "text/plain; charset=utf-16le"))
        var numbers = client.stream(Route<Json>.get("ticks"), as: .lines).makeAsyncIterator()
        let first = try await numbers.next()
        let second = try await numbers.next()
        #expect([first, second] == [1, 2])
        let error = await failure(of: &numbers)
        #expect(error?.issues.first?.expected == "UTF-16")
    }
}
