import Foundation
import Testing

@testable import Bilayer

@Suite("The index of a text")
struct IndexBuilderTests {
    /// The words of an index.
    private func words(of bytes: [UInt8]) throws(SyntaxFault) -> [UInt64] {
        let built = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SyntaxFault) in
                try IndexBuilder.index(of: unsafe JsonBytes(buffer), options: IndexOptions())
            }
        }
        let index = try built.get()
        defer { unsafe freeBytes(index.words) }
        return unsafe Array(UnsafeBufferPointer(start: index.words, count: index.count))
    }

    @Test(
        "a pass that expects lengths too long for a word gives the same index of a text without any",
        arguments: JsonConformanceTests.accepted.map(\.text).filter { !$0.hasPrefix("\u{FEFF}") }
    )
    func longLengths(text: String) throws {
        let bytes = Array(text.utf8)
        let long = try unsafe bytes.withUnsafeBytes { buffer in
            let index = try IndexBuilder.index(
                of: unsafe JsonBytes(buffer),
                from: 0,
                maximumDepth: 512,
                mayBeLong: true
            )
            defer { unsafe freeBytes(index.words) }
            return unsafe Array(UnsafeBufferPointer(start: index.words, count: index.count))
        }
        #expect(long == (try words(of: bytes)))
    }

    @Test("the worked example of the essay and of the article is what is built")
    func workedExample() throws {
        let text = #"{"id":7,"tags":["a","é"],"ok":true}"#
        let essay = try lines(of: "Sources/Bilayer/Json/Index/IndexBuilder.swift")
        let article = try lines(of: "Sources/Bilayer/Bilayer.docc/HowTheIndexWorks.md")
        // The essay, a comment in `IndexBuilder.swift`, has a dot for the second byte of é.
        #expect(essay.contains { $0.hasPrefix(text.replacing("é", with: "é·")) })
        #expect(article.contains("let text = #\"\(text)\"#"))
        let bytes = Array(text.utf8)
        let words = try words(of: bytes)
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

    @Test("a blank beside a key is noticed", arguments: ["", "a", "abcdefghijklmno", "abcdefghijklmnop"])
    func blanksBesideAKey(key: String) throws {
        for end in 0...24 {
            let rest = #","z":""# + String(repeating: "z", count: end) + #""}"#
            let compact = "{\"\(key)\":7" + rest
            #expect(try JsonDocument.parse(copying: Array(compact.utf8), options: IndexOptions()).isCompact)
            for (before, after) in [("", " "), ("", "  "), ("", "\t"), ("", "\n "), (" ", ""), ("\r", "   ")] {
                let text = "{\"\(key)\"\(before):\(after)7" + rest
                #expect(try !JsonDocument.parse(copying: Array(text.utf8), options: IndexOptions()).isCompact)
                #expect(try Json(parsing: text).serialized() == Data(compact.utf8), "\(text)")
            }
        }
    }

    @Test(
        "a text is refused wherever it is cut",
        arguments: [#"{"abc": 7,"abcdefghijklmnop" :"é"}"#, #"{"abcdefgh":{"a":1}}"#]
    )
    func cutTexts(text: String) throws {
        let bytes = Array(text.utf8)
        for end in bytes.indices {
            #expect(throws: JsonSyntaxError.self) { try Json(parsing: Data(bytes[..<end])) }
        }
        _ = try Json(parsing: Data(bytes))
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
}
