import Foundation
import Testing

@testable import Bilayer

@Suite("The index of a text")
struct IndexBuilderTests {
    /// The words of an index, and whether it is complete.
    private func words(of bytes: [UInt8], in chunks: [Int]) throws(SyntaxFault) -> [UInt64] {
        var builder = IndexBuilder(expectedBytes: 8, maximumDepth: 512)
        for end in chunks + [bytes.count] {
            var fault: SyntaxFault?
            unsafe bytes.prefix(end)
                .withUnsafeBytes { buffer in
                    do throws(SyntaxFault) {
                        try unsafe builder.advance(over: JsonBytes(buffer), isFinal: end == bytes.count)
                    } catch {
                        fault = error
                    }
                }
            if let fault { throw fault }
        }
        let (base, count) = unsafe builder.finish()
        defer { unsafe freeBytes(base) }
        return unsafe Array(UnsafeBufferPointer(start: base, count: count))
    }

    @Test("the worked example of the essay and of the article is what is built")
    func workedExample() throws {
        let text = #"{"id":7,"tags":["a","é"],"ok":true}"#
        let essay = try lines(of: "Sources/Bilayer/Json/Index/IndexBuilder.swift")
        let article = try lines(of: "Sources/Bilayer/Bilayer.docc/HowTheIndexWorks.md")
        #expect(essay.contains(text))
        #expect(article.contains("let text = #\"\(text)\"#"))
        let bytes = Array(text.utf8)
        let words = try words(of: bytes, in: [])
        #expect(words.count == 13)
        var container = -IndexWord.wordsOfContainer
        for (position, bits) in words.enumerated() {
            let word = IndexWord(bits: bits)
            let meaning =
                switch position - container {
                case 1: sizes(bits, of: words[container])
                case 2: "left for readers"
                default: self.meaning(of: word, in: bytes)
                }
            let digits = String(bits, radix: 16, uppercase: true)
            let hexadecimal = "0x" + String(repeating: "0", count: 16 - digits.count) + digits
            #expect(essay.contains("\(position) \(meaning)"), "the essay lacks \(position) \(meaning)")
            #expect(article.contains("\(position) \(hexadecimal) \(meaning)"), "\(position) \(hexadecimal) \(meaning)")
            if position - container >= IndexWord.wordsOfContainer, word.tag.isContainer { container = position }
        }
    }

    /// The lines of a file of the project, without comment marks and with one blank where there are several.
    private func lines(of file: String) throws -> Set<String> {
        let text = try String(contentsOf: Compiler.repository.appendingPathComponent(file), encoding: .utf8)
        return Set(
            text.split(separator: "\n")
                .map { line in
                    line.split(separator: " ").drop { $0 == "//" }.joined(separator: " ")
                }
        )
    }

    private func meaning(of word: IndexWord, in bytes: [UInt8]) -> String {
        let names: [(IndexWord.Tag, String)] = [
            (.object, "object"), (.array, "array"), (.integer, "integer"), (.asciiString, "asciiString"),
            (.unicodeString, "unicodeString"), (.true, "true"),
        ]
        let name = names.first { $0.0 == word.tag }?.1 ?? "?"
        let hasText = word.tag.isString || word.tag.isNumber
        let text = String(decoding: bytes[word.offset..<word.offset + word.shortLength], as: UTF8.self)
        return "\(name) offset \(word.offset) length \(word.shortLength)" + (hasText ? " \(text)" : "")
    }

    private func sizes(_ bits: UInt64, of container: UInt64) -> String {
        let parts = IndexWord(bits: container).tag == .object ? "members" : "elements"
        return "\(bits & 0xFFFF_FFFF) words, \(bits >> 32) \(parts)"
    }

    @Test("what the article prints is printed")
    func articleOutput() throws {
        let article = try lines(of: "Sources/Bilayer/Bilayer.docc/HowTheIndexWorks.md").joined(separator: "\n")
        var order = try Json(parsing: #"{"id":7,"items":[{"sku":"A-1","price":9.90}],"note":null}"#)
        let received = order
        order.set("ring twice", at: [.key("note")])
        order.remove(at: [.key("items"), .index(0), .key("price")])
        #expect(article.contains("print(order) // \(order)"))
        #expect(article.contains("print(received) // \(received)"))
        let fault = #expect(throws: JsonSyntaxError.self) { try Json(parsing: #"{"id":7,"tags":["a",]}"#) }
        #expect(article.contains("print(error) // \(try #require(fault))"))
        let body = try Json(encoding: ["name": "new"])
        #expect(body["name"]?.string == "new" && body.serialized() == Data(#"{"name":"new"}"#.utf8))
    }

    static let texts =
        JsonConformanceTests.accepted.map(\.text).filter { !$0.hasPrefix("\u{FEFF}") } + [JsonRobustnessTests.sample]

    @Test("characters in a row may be cut at every byte, right ones and wrong ones", arguments: 0..<60 as Range<UInt64>)
    func cutCharacters(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let characters = (0..<Int.random(in: 1...7, using: &random))
            .flatMap { _ in JsonStringTests.pieces.randomElement(using: &random) ?? [] }
        let bytes = Array("[\"".utf8) + characters + Array("\",1]".utf8)
        let whole = Result { () throws(SyntaxFault) in try words(of: bytes, in: []) }
        for cuts in (0..<bytes.count).map({ [$0] }) + [Array(0..<bytes.count)] {
            switch (whole, Result { () throws(SyntaxFault) in try words(of: bytes, in: cuts) }) {
            case (.success(let words), .success(let others)): #expect(words == others, "seed \(seed), \(cuts)")
            case (.failure(let fault), .failure(let other)):
                #expect(fault.offset == other.offset, "seed \(seed), \(cuts): \(bytes)")
            default: Issue.record("seed \(seed), \(cuts): \(bytes)")
            }
        }
    }

    @Test("is the same, whatever the pieces in which the bytes come", arguments: texts)
    func everySplit(text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try words(of: bytes, in: [])
        for split in 0...bytes.count {
            #expect(try words(of: bytes, in: [split]) == whole, "split at \(split)")
        }
        #expect(try words(of: bytes, in: Array(0..<bytes.count)) == whole, "byte by byte")
        for first in stride(from: 0, to: bytes.count, by: 7) {
            for second in stride(from: first, to: bytes.count, by: 5) {
                #expect(try words(of: bytes, in: [first, second]) == whole, "split at \(first) and \(second)")
            }
        }
    }

    @Test(
        "a fault is found in pieces as in the whole",
        arguments: JsonConformanceTests.refused.filter { !$0.text.hasPrefix("\u{FEFF}") }
    )
    func faults(text: String, offset: Int) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            let fault = #expect(throws: SyntaxFault.self) { try words(of: bytes, in: [split]) }
            #expect(fault?.offset == offset, "split at \(split)")
        }
    }

    /// Texts of one long token: what is repeated, what stands around it, and how far back from the end of what has come
    /// a next piece may have to look, to the start of an escape or of a character.
    static let longTokens: [(around: [String], repeated: String, lookBack: Int)] = [
        ([#"[""#, #""]"#], "a", 0), ([#"{""#, #"":1}"#], "k", 0), ([#"{"k":""#, #""}"#], #"\ud83d\ude00"#, 11),
        ([#"[""#, #""]"#], #"\\\""#, 1), ([#"[""#, #""]"#], "é€😀", 3), ([#"[""#, #""]"#], #"é\nab€"#, 3),
        (["[-", "]"], "12", 0), (["[0.", "]"], "12", 0), (["[1e", "]"], "12", 0), (["", ""], "7", 0),
        (["[", "1]"], " ", 0), ([#"{"k""#, ":1}"], " \n", 0), ([#"{"k":"#, "1}"], "\t", 0),
        ([#"{"k":{"#, "}}"], "\r\n", 0),
    ]

    @Test("a token that comes in pieces is read on from where the last piece ended", arguments: longTokens)
    func cutTokens(around: [String], repeated: String, lookBack: Int) throws {
        let bytes = Array(around.joined(separator: String(repeating: repeated, count: 2_000)).utf8)
        for size in [1, 3, 7, 64, 1_000] {
            var builder = IndexBuilder(expectedBytes: 8, maximumDepth: 512)
            var starts = 0
            for end in stride(from: 100, to: bytes.count - 10, by: size) {
                if builder.openToken == nil { starts += 1 }
                try unsafe bytes.prefix(end)
                    .withUnsafeBytes { try unsafe builder.advance(over: JsonBytes($0), isFinal: false) }
                let position = builder.openToken?.position ?? -1
                #expect(position >= end - lookBack && position <= end, "pieces of \(size), \(end) bytes")
            }
            #expect(starts == 1, "pieces of \(size)")
            let splits = Array(stride(from: 0, to: bytes.count, by: size))
            #expect(try words(of: bytes, in: splits) == words(of: bytes, in: []), "pieces of \(size)")
        }
    }

    @Test(
        "a fault inside a long token is found with the piece that holds it",
        arguments: [
            ("[\"\(String(repeating: "a", count: 500))\u{1}", 502),
            ("[\"\(String(repeating: "é", count: 250))\\x", 503),
            ("[\(String(repeating: "1", count: 500)).x", 502), ("[1\(String(repeating: " ", count: 500))x", 502),
            ("{\"a\"\(String(repeating: " ", count: 500))x", 504),
        ]
    )
    func faultsInCutTokens(text: String, offset: Int) {
        let bytes = Array((text + String(repeating: "0", count: 100)).utf8)
        var builder = IndexBuilder(expectedBytes: 8, maximumDepth: 512)
        var found: (end: Int, fault: SyntaxFault)?
        for end in 1...bytes.count where found == nil {
            unsafe bytes.prefix(end)
                .withUnsafeBytes { buffer in
                    do throws(SyntaxFault) {
                        try unsafe builder.advance(over: JsonBytes(buffer), isFinal: false)
                    } catch {
                        found = (end, error)
                    }
                }
        }
        #expect(found?.fault.offset == offset)
        #expect(found?.end == offset + 1)
    }
}
