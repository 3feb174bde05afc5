import Foundation
import Testing

@testable import Bilayer

/// Each text is cut at every byte, so that chunks end anywhere.
@Suite("Streams: bytes become elements, wherever the chunks end")
struct ElementFramingTests {
    // MARK: Server-sent events (WHATWG HTML §9.2.6)

    @Test(arguments: [
        ("data: a\n\n", ["message:a"]),
        ("data:a\n\n", ["message:a"]),
        ("data:  a\n\n", ["message: a"]),
        ("data: a\r\ndata: b\r\n\r\n", ["message:a\nb"]),
        ("data: a\rdata: b\r\r", ["message:a\nb"]),
        ("\u{FEFF}data: a\n\n", ["message:a"]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("data: a\n\n\u{FEFF}data: b\n\n", ["message:a"]),
        (": a comment\n\ndata: a\n\n", ["message:a"]),
        ("event: tick\ndata: a\n\ndata: b\n\n", ["tick:a", "message:b"]),
        ("event: tick\n\ndata: b\n\n", ["message:b"]),
        ("data\n\ndata\ndata\n\ndata:", ["message:", "message:\n"]),
        ("data: a\n\ndata: b\n", ["message:a"]),
        ("unknown: 1\ndata: a\nother\n\n", ["message:a"]),
        ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message:YHOO\n+2\n10"]),
        ("data: ä€😀\n\n", ["message:ä€😀"]),
    ])
    func serverSentEvents(text: String, expected: [String]) throws {
        try expectAtEveryCut(of: text, expected.map { .success($0) }) {
            ServerSentEvents(names: nil, lastData: nil, maximumBytes: 100)
        }
    }

    @Test func anEventWithoutDataCountsIfItIsAskedFor() throws {
        let text = "event: a\n\ndata: 1\n\nevent: complete\n\ndata: 2\n\n"
        try expectAtEveryCut(of: text, ["message:1", "complete:", "message:2"].map { .success($0) }) {
            ServerSentEvents(names: nil, lastData: nil, nameWithoutData: "complete", maximumBytes: 100)
        }
    }

    @Test func eventsBeforeOneThatIsTooLargeAreWhole() throws {
        let text = "data: a\n\ndata: b\n\ndata: \(String(repeating: "x", count: 200))\n\n"
        for count in [1, 7, 30, 300] {
            var framing = ServerSentEvents(names: nil, lastData: nil, maximumBytes: 100)
            var elements: [StreamedElement] = []
            #expect(throws: StreamFormatError.self) {
                for start in stride(from: 0, to: text.utf8.count, by: count) {
                    let chunk = Data(text.utf8.dropFirst(start).prefix(count))
                    try framing.append(chunk, to: &elements)
                }
            }
            #expect(elements.map { String(decoding: $0.body, as: UTF8.self) } == ["a", "b"])
        }
    }

    @Test func aMarkOfByteOrderIsNoPartOfAnArray() throws {
        try expectAtEveryCut(of: "\u{FEFF}[1,2]", [.success("1"), .success("2")]) {
            ArrayElements(at: .root, maximumBytes: 100)
        }
    }

    @Test func theLastIdStaysUntilAnotherOneComes() throws {
        let text = "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 4\u{0}\ndata: d\n\n"
        var framing = ServerSentEvents(names: nil, lastData: nil, maximumBytes: 100)
        var elements: [StreamedElement] = []
        try framing.append(Data(text.utf8), to: &elements)
        #expect(elements.map(\.id) == ["1", "1", nil, nil])
    }

    @Test func theServerSaysWhereAndWhenToGoOn() throws {
        var framing = ServerSentEvents(names: nil, lastData: nil, maximumBytes: 100)
        var elements: [StreamedElement] = []
        try framing.append(Data("retry: 250\nid: 7\n\nretry: 1x\nretry:\n\n".utf8), to: &elements)
        #expect(framing.position == StreamPosition(lastEventID: "7", wait: .milliseconds(250)))
        framing.reconnect()
        #expect(framing.position?.lastEventID == "7")
        #expect(elements.isEmpty)
    }

    @Test func onlyNamedEventsAreTakenUntilTheLastOne() throws {
        let text = "event: a\ndata: 1\n\nevent: b\ndata: 2\n\nevent: a\ndata: [DONE]\n\nevent: a\ndata: 3\n\n"
        try expectAtEveryCut(of: text, [.success("a:1")]) {
            ServerSentEvents(names: ["a"], lastData: "[DONE]", maximumBytes: 100)
        }
    }

    @Test(arguments: ["data: 0123456789abc", "data: 01234\ndata: 56789\n\n"])
    func anEventThatIsTooLargeIsAnError(text: String) {
        var framing = ServerSentEvents(names: nil, lastData: nil, maximumBytes: 12)
        var elements: [StreamedElement] = []
        let error = #expect(throws: StreamFormatError.self) {
            try framing.append(Data(text.utf8), to: &elements)
            framing = ServerSentEvents(names: nil, lastData: nil, maximumBytes: 8)
            try framing.append(Data(text.utf8), to: &elements)
        }
        #expect(error?.description.contains("expected at most") == true)
    }

    // MARK: Lines

    @Test(arguments: [
        ("1\n2\n", ["1", "2"]), ("1\r\n2\r\n", ["1", "2"]), ("1\n\n \n2", ["1", "2"]), ("\u{FEFF}1\n", ["\u{FEFF}1"]),
        ("", []), ("{\"a\":\"b\\n\"}\n", ["{\"a\":\"b\\n\"}"]), ("1\r2\n", ["1\r2"]),
    ])
    func lines(text: String, expected: [String]) throws {
        try expectAtEveryCut(of: text, expected.map { .success($0) }) { LineDelimited(maximumBytes: 100) }
    }

    // MARK: JSON text sequences (RFC 7464)

    @Test(arguments: [
        ("\u{1E}{}\n\u{1E}[1]\n", ["{}\n", "[1]\n"]), ("\u{1E}\u{1E}{}\n", ["{}\n"]), ("", []),
        ("\u{1E}12\n\u{1E}12\u{1E}true\n", ["12\n", "12!", "true\n"]), ("\u{1E}{\"a\":1}", ["{\"a\":1}"]),
        ("\u{1E}{\"a\u{1E}{\"a\"\u{1E}{}\u{1E}]\u{1E}nul", ["{\"a!", "{\"a\"!", "{}", "]", "nul!"]),
        ("\u{1E}\n{\n\"a\":\"}\"\n}\n\n\u{1E}2\n", ["\n{\n\"a\":\"}\"\n}\n", "2\n"]),
        ("\u{1E}1\n2\n3\n\u{1E}4\n", ["1\n", "!", "4\n"]), ("\u{1E}]\n1\n\u{1E}2\n", ["]\n1\n", "2\n"]),
    ])
    func textSequences(text: String, expected: [String]) throws {
        try expectAtEveryCut(of: text, expected.map { .success($0) }) { TextSequence(maximumBytes: 100) }
    }

    /// RFC 7464 §2.2: the line feed ends a text, so that a reader need not wait for the next one.
    @Test(arguments: ["12\n", "{\"a\":[\n1]}\n", "\"a\"\n"])
    func aTextIsThereWithItsLineFeed(text: String) throws {
        var framing = TextSequence(maximumBytes: 100)
        var elements: [StreamedElement] = []
        for byte in "\u{1E}\(text)".utf8 {
            #expect(elements.isEmpty)
            try framing.append(Data([byte]), to: &elements)
        }
        #expect(elements == [StreamedElement(Data(text.utf8))])
    }

    @Test func bytesBeforeTheFirstSeparatorAreNoSequence() {
        var framing = TextSequence(maximumBytes: 100)
        var elements: [StreamedElement] = []
        #expect(throws: StreamFormatError.self) { try framing.append(Data("{}\n".utf8), to: &elements) }
    }

    // MARK: Elements of an array

    @Test(arguments: [
        ("[]", "$", []), (" [ 1 , 2 ] ", "$", [" 1 ", " 2 "]), ("[[1,2],[3]]", "$", ["[1,2]", "[3]"]),
        (#"["a,]\"","b\\"]"#, "$", [#""a,]\"""#, #""b\\""#]), (#"[{"a":[1,{"b":2}]}]"#, "$", [#"{"a":[1,{"b":2}]}"#]),
        (#"{"data":{"x":[0],"items":[1,2],"y":"[3]"},"z":[4]}"#, "$.data.items", ["1", "2"]),
        (#"{"items":[9],"data":{"items":[1]}}"#, "$.data.items", ["1"]),
        (#"{"a":{"data":[9]},"data":[1]}"#, "$.data", ["1"]),
        (#"{"d\u0061ta":[1]}"#, "$.data", ["1"]), (#"[[9],[1,2],[8]]"#, "$[1]", ["1", "2"]),
        (#"[{"a":[9]},{"a":[1]}]"#, "$[1].a", ["1"]), (#"{"data":[]}"#, "$.data", []),
        (#"{"}":"]","data":["}"]}"#, "$.data", [#""}""#]),
    ])
    func elementsOfAnArray(text: String, path: String, expected: [String]) throws {
        let path = try #require(JsonPath(path))
        try expectAtEveryCut(of: text, expected.map { .success($0) }) { ArrayElements(at: path, maximumBytes: 100) }
    }

    @Test(arguments: [
        ("[1", "$", "found the end of the document, expected more: the end of the array at $"),
        ("[1,]", "$", "found ], expected an element"), ("[,1]", "$", "found ,, expected an element"),
        ("[1] 2", "$", "found more bytes, expected the end of the document"),
        (#"[1,2]["lost"]"#, "$", "found more bytes, expected the end of the document"),
        ("[1] {}", "$", "found more bytes, expected the end of the document"),
        ("[1]]", "$", "found more bytes, expected the end of the document"),
        (#"[1] """#, "$", "found more bytes, expected the end of the document"),
        (#"{"data":[1]}[2]"#, "$.data", "found more bytes, expected the end of the document"),
        (#"{"data":[1]} ,"#, "$.data", "found more bytes, expected the end of the document"),
        ("[1}", "$", "found }, expected another bracket"),
        ("{}", "$", "found an object, expected an array at $"),
        ("12", "$", "found a number or a word, expected an array at $"),
        (#"{"data":{}}"#, "$.data", "found an object, expected an array at $.data"),
        (#"{"data":null}"#, "$.data", "found a number or a word, expected an array at $.data"),
        (#"{"data":"x"}"#, "$.data", "found a string, expected an array at $.data"),
        (#"{"other":[1]}"#, "$.data", "found no value at $.data, expected an array"),
        (#"{"data":[1]"#, "$.data", "found the end of the document, expected more: 1 bracket"),
        ("", "$", "found the end of the document, expected more: the array at $"),
        (#"{"data":[1]}"#, "$.data.items", "found an array, expected another value on the way to $.data.items"),
    ])
    func aDocumentWithoutTheArrayIsAnError(text: String, path: String, expected: String) throws {
        let path = try #require(JsonPath(path))
        for cut in 0...text.utf8.count {
            let error = #expect(throws: StreamFormatError.self) {
                _ = try elements(of: text, cutAt: cut, ArrayElements(at: path, maximumBytes: 100))
            }
            #expect(error?.description == expected, "cut at \(cut)")
        }
    }

    /// A reader must not wait for the bytes after an element: objects, arrays and strings show their own end.
    @Test(arguments: [
        (#"{"a":[{}]}"#, true), (#"[[1],"]"]"#, true), (#""a\"]}""#, true), ("{}", true), ("[]", true), (#""""#, true),
        ("12", false), ("null", false), ("true", false),
    ])
    func anElementIsThereWithItsLastByte(element: String, saysItsEnd: Bool) throws {
        for (before, count) in [("", 0), ("1, ", 1), ("{} ,\n", 1)] {
            var framing = ArrayElements(at: .root, maximumBytes: 100)
            var elements: [StreamedElement] = []
            for byte in "[\(before)\(element)".utf8.dropLast() { try framing.append(Data([byte]), to: &elements) }
            #expect(elements.count == count)
            try framing.append(Data(element.utf8.suffix(1)), to: &elements)
            #expect(elements.count == count + (saysItsEnd ? 1 : 0), "\(before)")
            // White space ends a number, `true`, `false` or `null`.
            try framing.append(Data("\n".utf8), to: &elements)
            #expect(elements.count == count + 1, "\(before)")
            try framing.append(Data(" ]".utf8), to: &elements)
            try framing.finish(&elements)
            #expect(try Json(parsing: try #require(elements.last).body) == Json(parsing: Data(element.utf8)))
            #expect(elements.count == count + 1)
        }
    }

    @Test(arguments: [#"{} {}"#, #""a" 1"#, "[]x", #"{}""#, "[]:", "1 2", "tru e"])
    func bytesAfterAnElementAreAnErrorAfterIt(text: String) {
        var framing = ArrayElements(at: .root, maximumBytes: 100)
        var elements: [StreamedElement] = []
        let error = #expect(throws: StreamFormatError.self) {
            try framing.append(Data("[\(text)".utf8), to: &elements)
        }
        #expect(error?.description == "found more bytes after an element, expected a comma or ]")
        #expect(elements.count == 1)
    }

    @Test func nestingIsBounded() {
        var framing = ArrayElements(at: .root, maximumBytes: 1 << 20)
        var elements: [StreamedElement] = []
        #expect(throws: StreamFormatError.self) {
            try framing.append(Data(repeating: UInt8(ascii: "["), count: 100_000), to: &elements)
        }
    }

    /// Random documents: the elements are those of the whole document, in whatever chunks it comes.
    @Test(arguments: 0..<40)
    func elementsAreThoseOfTheWholeDocument(round: UInt64) throws {
        var random = SplitMix64(seed: round)
        let array = Json(try (0..<Int.random(in: 0...20, using: &random)).map { _ in try value(&random, depth: 4) })
        let document: Json = [
            "a": try value(&random, depth: 3), "data": ["items": array], "z": try value(&random, depth: 3),
        ]
        let layout: Json.Format = round.isMultiple(of: 2) ? .compact : .pretty
        var rest = Data(document.serialized(layout))[...]
        var framing = ArrayElements(at: [.key("data"), .key("items")], maximumBytes: 1 << 20)
        var elements: [StreamedElement] = []
        while !rest.isEmpty {
            let size = Int.random(in: 1...40, using: &random)
            try framing.append(Data(rest.prefix(size)), to: &elements)
            rest = rest.dropFirst(size)
        }
        try framing.finish(&elements)
        let found = try elements.map { try Json(parsing: $0.body) }
        #expect(Json(found) == array, "seed \(round)")
    }

    private func value(_ random: inout SplitMix64, depth: Int) throws -> Json {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: Json(Bool.random(using: &random))
        case 2: Json(Int.random(in: -1000...1000, using: &random))
        case 3: Json(["", "\"", "\\", "]}", ",", "{[", "ä\n😀"].randomElement(using: &random) ?? "")
        case 4: 1.5
        case 5:
            Json(try (0..<Int.random(in: 0...4, using: &random)).map { _ in try value(&random, depth: depth - 1) })
        default:
            ["items": try value(&random, depth: depth - 1), "data": try value(&random, depth: depth - 1)]
        }
    }

    // MARK: Helpers

    private func expectAtEveryCut(
        of text: String,
        _ expected: [Result<String, Never>],
        _ makeFraming: () -> any ElementFraming
    ) throws {
        for cut in 0...text.utf8.count {
            let found = try elements(of: text, cutAt: cut, makeFraming())
            #expect(found == expected.map { $0.get() }, "cut at \(cut)")
        }
    }

    /// The bodies of the elements, after the types of events. An incomplete element ends with `!`.
    private func elements(of text: String, cutAt cut: Int, _ framing: some ElementFraming) throws -> [String] {
        var framing = framing
        var elements: [StreamedElement] = []
        let bytes = Data(text.utf8)
        try framing.append(bytes.prefix(cut), to: &elements)
        try framing.append(bytes.dropFirst(cut), to: &elements)
        try framing.finish(&elements)
        return elements.map {
            ($0.event.map { $0 + ":" } ?? "") + String(decoding: $0.body, as: UTF8.self) + ($0.fault == nil ? "" : "!")
        }
    }
}
