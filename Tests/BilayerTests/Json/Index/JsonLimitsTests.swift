import Foundation
import Testing

@testable import Bilayer

/// The limits of an index, and depths that no stack could hold.
@Suite("JSON at its limits")
struct JsonLimitsTests {
    private static let depth = 30_000

    private static func nested(_ depth: Int, around inner: String) throws -> Json {
        let text = String(repeating: #"{"a":"#, count: depth) + inner + String(repeating: "}", count: depth)
        return try Json(parsing: text, options: .init(maximumDepth: .max))
    }

    @Test("a text of over 2.8 GB is refused, before it is read")
    func hugeText() throws {
        // Address space without memory behind it: nothing there is read.
        let count = IndexBuilder.maximumTextSize + 1
        let mapped = unsafe mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        guard let address = unsafe mapped, unsafe address != MAP_FAILED else {
            Issue.record("no address space")
            return
        }
        defer { unsafe munmap(address, count) }
        let text = unsafe Data(bytesNoCopy: address, count: count, deallocator: .none)
        let expected = JsonSyntaxError(byteOffset: 0, line: 1, column: 1, expected: "at most 2.8 GB", found: "more")
        #expect(throws: expected) { try Json(parsing: text) }
        let buffer = unsafe UnsafeRawBufferPointer(start: address, count: count)
        #expect(throws: expected) { try unsafe Json(parsing: buffer) }
        let error = #expect(throws: DecodingError.self) { try JsonDecoder().decode([Int].self, from: text) }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.underlyingError as? JsonSyntaxError == expected)
    }

    @Test(
        "the longest text is one whose index can be addressed",
        arguments: [
            (addressable: Int64(Int32.max), expected: Int64(67_108_863)),
            (addressable: Int64.max, expected: Int64(2_800_000_000)),
        ]
    )
    func longestText(_ addressable: Int64, _ expected: Int64) {
        let longest = IndexBuilder.maximumTextSize(addressableBytes: addressable)
        #expect(longest == expected)
        // A growing index has at most four words of eight bytes for each byte of text.
        #expect(longest * 32 <= addressable)
    }

    @Test("no option allows more open containers than the index can count")
    func greatestDepth() throws {
        let limit = IndexBuilder.greatestDepth
        // A container takes three words of the index. It has at least two bytes of text, unless it is still open.
        #expect(3 * limit + IndexBuilder.maximumTextSize / 2 * 3 <= UInt32.max)
        // A debug build is slow with so many brackets, so only the limit itself is compared.
        for (asked, expected) in [(Int.max, limit), (limit + 1, limit), (3, 3)] {
            #expect(IndexBuilder.depthLimit(asked) == expected)
        }
    }

    @Test("a patch 30,000 levels deep is merged without the stack growing")
    func deepMerge() throws {
        var json = try Self.nested(Self.depth, around: #"{"kept":1,"gone":2,"changed":3}"#)
        json.merge(try Self.nested(Self.depth, around: #"{"gone":null,"changed":{"x":null,"y":4}}"#))
        #expect(json == (try Self.nested(Self.depth, around: #"{"kept":1,"changed":{"y":4}}"#)))
        var empty: Json = 5
        empty.merge(try Self.nested(Self.depth, around: #"{"gone":null,"new":1}"#))
        #expect(empty == (try Self.nested(Self.depth, around: #"{"new":1}"#)))
    }

    @Test("a value 30,000 levels deep is set and removed without the stack growing")
    func deepPath() throws {
        let path = JsonPath(Array(repeating: .key("a"), count: Self.depth))
        var json: Json = [:]
        let isSet = json.set(7, at: path)
        #expect(isSet)
        #expect(json.value(at: path) == 7)
        #expect(json == (try Self.nested(Self.depth, around: "7")))
        let isSetInside = json.set(8, at: path.appending(.index(0)))
        #expect(!isSetInside)
        #expect(json.value(at: path) == 7)
        let removed = json.remove(at: path)
        #expect(removed == 7)
        #expect(json == (try Self.nested(Self.depth - 1, around: "{}")))
    }

    @Test("a deep value beside a key that is written twice")
    func deepValueAndRepeatedKey() throws {
        struct Twice: Encodable {
            let deep: Json
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("x"))
                try container.encode(deep, forKey: PathKey("deep"))
                try container.encode(2, forKey: PathKey("x"))
            }
        }
        let deep = try Self.nested(Self.depth, around: "[[],{},[1,{}],null]")
        var encoder = JsonEncoder()
        encoder.maximumDepth = .max
        let text = try encoder.encode(Twice(deep: deep))
        #expect(text == Data(#"{"deep":"#.utf8) + deep.serialized() + Data(#","x":2}"#.utf8))
    }
}
