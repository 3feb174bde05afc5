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

    @Test("the worked example of the essay")
    func example() throws {
        let text = #"{"id":7,"tags":["a","é"],"ok":true}"#
        let expected: [UInt64] = [
            IndexWord(.object, offset: 0, length: 36).bits, 11 | 3 << 32,
            IndexWord(.asciiString, offset: 2, length: 2).bits, IndexWord(.integer, offset: 6, length: 1).bits,
            IndexWord(.asciiString, offset: 9, length: 4).bits, IndexWord(.array, offset: 15, length: 10).bits,
            4 | 2 << 32,
            IndexWord(.asciiString, offset: 17, length: 1).bits, IndexWord(.unicodeString, offset: 21, length: 2).bits,
            IndexWord(.asciiString, offset: 27, length: 2).bits, IndexWord(.true, offset: 31, length: 4).bits,
        ]
        #expect(try words(of: Array(text.utf8), in: []) == expected)
    }

    static let texts =
        JsonConformanceTests.accepted.map(\.text).filter { !$0.hasPrefix("\u{FEFF}") } + [JsonRobustnessTests.sample]

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

    /// Texts of one long token: what is repeated, what stands around it, and how far back from the end of what has come a next piece may
    /// have to look, to the start of an escape or of a character.
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
