import Foundation
import Testing

@testable import Bilayer

/// A write that fails leaves nothing behind, so that a type can catch the error and go on.
@Suite(.smallStack) struct EncodingAfterErrorsTests {
    private struct Failure: Error {}

    private enum Key: String, CodingKey { case id, price, items }

    /// A value whose `encode(to:)` is a closure.
    private struct Written: Encodable, Sendable {
        let write: @Sendable (any Encoder) throws -> Void

        init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    /// Values that write a part of each form, and then fail.
    private static let partial: [Written] = [
        Written { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .id)
            throw Failure()
        },
        Written { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            throw Failure()
        },
        Written { encoder in
            var container = encoder.singleValueContainer()
            try container.encode("text")
            throw Failure()
        },
        Written { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var nested = container.nestedUnkeyedContainer(forKey: .items)
            try nested.encode(1)
            try container.encode(2, forKey: .id)
            try nested.encode(3)
            let superEncoder = container.superEncoder()
            try container.encode(4, forKey: .price)
            try 5.encode(to: superEncoder)
            throw Failure()
        },
        Written { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(["a": [1, .nan]])
        },
        Written { encoder in try encoder.failAfterSuperEncoder() },
        Written { _ in throw Failure() },
    ]

    /// Values that go on after errors, and the texts that they write.
    private static let types: [(value: Written, text: String)] = [
        (
            Written { encoder in
                var container = encoder.container(keyedBy: Key.self)
                for value in partial { try? container.encode(value, forKey: .price) }
                try container.encode(1, forKey: .id)
            }, #"{"id":1}"#
        ),
        (
            Written { encoder in
                var container = encoder.container(keyedBy: Key.self)
                for value in partial {
                    do {
                        try container.encode(value, forKey: .price)
                    } catch {
                        try container.encode("free", forKey: .price)
                    }
                    #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: .id) }
                }
                try container.encode([1], forKey: .id)
            }, #"{"price":"free","id":[1]}"#
        ),
        (
            Written { encoder in
                var container = encoder.unkeyedContainer()
                for value in partial {
                    let count = container.count
                    do {
                        try container.encode(value)
                    } catch {
                        #expect(container.count == count)
                        try container.encodeNil()
                    }
                }
                try? container.encode(Float.infinity)
                try container.encode(1)
            }, "[null,null,null,null,null,null,null,1]"
        ),
        (
            Written { encoder in
                var container = encoder.singleValueContainer()
                for value in partial { try? container.encode(value) }
                try? container.encode(Double.nan)
                try container.encode("text")
            }, #""text""#
        ),
        (
            Written { encoder in
                var container = encoder.container(keyedBy: PathKey.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: PathKey("nested"))
                var list = container.nestedUnkeyedContainer(forKey: PathKey("list"))
                for value in partial {
                    try? nested.encode(value, forKey: .id)
                    try? list.encode(value)
                    try? container.encode(value, forKey: PathKey("id"))
                    try? container.encode([value], forKey: PathKey("id"))
                    try? container.encode(["key": value], forKey: PathKey("id"))
                    try? container.encode(Optional(value), forKey: PathKey("id"))
                }
                try nested.encode(1, forKey: .id)
                try list.encode(2)
                try container.encode(3, forKey: PathKey("id"))
            }, #"{"nested":{"id":1},"list":[2],"id":3}"#
        ),
        (
            Written { encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .id)
                for value in partial { try? container.encode(value, forKey: .id) }
            }, #"{"id":1}"#
        ),
    ]

    private static let formats: [Json.Format] = [.compact, .sortedKeys, .pretty, [.sortedKeys, .pretty]]

    @Test("leaves nothing behind, in whatever container", arguments: types.indices, trickSets.indices)
    func caught(type: Int, optimizations: Int) throws {
        let (value, text) = Self.types[type]
        let expected = try Json(parsing: text)
        var encoder = JsonEncoder()
        encoder.optimizations = trickSets[optimizations]
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
        #expect(String(decoding: try encoder.encode([value, value]), as: UTF8.self) == "[\(text),\(text)]")
        #expect(String(decoding: try encoder.encode(["key": value]), as: UTF8.self) == #"{"key":\#(text)}"#)
        for format in Self.formats {
            encoder.format = format
            #expect(try Json(parsing: encoder.encode(value)) == expected)
        }
        #expect(try Json(encoding: value, using: encoder) == expected)
        for keys in [
            JsonEncoder.KeyStrategy.convertToSnakeCase, .naming(.snakeCase), .custom { $0.last ?? PathKey("") },
        ] {
            encoder.keys = keys
            #expect(try Json(parsing: encoder.encode(value)) == expected)
        }
    }

    @Test("nothing is left of a date or of data that the strategy cannot write")
    func strategies() throws {
        let value = Written { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try? container.encode(Date(timeIntervalSince1970: 1e15), forKey: .id)
            try? container.encode(Data([1]), forKey: .price)
            try container.encode([1], forKey: .items)
        }
        let partly: @Sendable (any Encoder) throws -> Void = { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            throw Failure()
        }
        var encoder = JsonEncoder()
        encoder.data = .custom { _, encoder in try partly(encoder) }
        for dates in [JsonEncoder.DateStrategy.rfc3339, .iso8601, .custom { _, encoder in try partly(encoder) }] {
            encoder.dates = dates
            #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == #"{"items":[1]}"#)
        }
    }

    @Test("an error that is not caught is thrown as it is, and the next call has nothing of it")
    func uncaught() throws {
        for value in Self.partial {
            #expect(throws: (any Error).self) { try JsonEncoder().encode([value]) }
            #expect(try JsonEncoder().encode([1]) == Data("[1]".utf8))
        }
    }

    @Test("what a type keeps of a value that failed writes nowhere")
    func kept() throws {
        // Sendable: one encoding uses it on one thread.
        final class Shelf: @unchecked Sendable {
            var container: KeyedEncodingContainer<Key>?
            var list: (any UnkeyedEncodingContainer)?
            var encoder: (any Encoder)?
        }
        let shelf = Shelf()
        let failing = Written { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .id)
            shelf.list = container.nestedUnkeyedContainer(forKey: .items)
            shelf.encoder = container.superEncoder()
            shelf.container = container
            throw Failure()
        }
        let value = Written { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode("a text that is as long as what was written before")
            try? container.encode(failing)
            try container.encode("another text that is as long as what was written before")
            try shelf.container?.encode(2, forKey: .price)
            try shelf.list?.encode([3, 4])
            try ["a": 5].encode(to: try #require(shelf.encoder))
            try container.encode(6)
        }
        for optimizations in trickSets {
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            #expect(
                String(decoding: try encoder.encode([value]), as: UTF8.self)
                    == #"[["a text that is as long as what was written before","another text that is as long as what was written before",6]]"#
            )
        }
    }

    @Test("a value that fails after a container around it was written to")
    func around() throws {
        let value = Written { encoder in
            let outer = Outer(encoder.container(keyedBy: PathKey.self))
            try outer.write(1, "first")
            for value in Self.partial {
                try? outer.write(
                    Written { encoder in
                        try outer.write(2, "second")
                        try value.encode(to: encoder)
                    },
                    "failed"
                )
            }
            try outer.write(3, "third")
        }
        let text = String(decoding: try JsonEncoder().encode([value]), as: UTF8.self)
        #expect(text == #"[{"first":1,"second":2,"third":3}]"#)
    }

    // Sendable: one encoding uses it on one thread.
    private final class Outer: @unchecked Sendable {
        private let container: KeyedEncodingContainer<PathKey>

        init(_ container: KeyedEncodingContainer<PathKey>) { self.container = container }

        func write(_ value: some Encodable, _ key: String) throws {
            var container = container
            try container.encode(value, forKey: PathKey(key))
        }
    }
}

extension Encoder {
    /// Writes a part through a super encoder, and fails.
    fileprivate func failAfterSuperEncoder() throws {
        var container = unkeyedContainer()
        let superEncoder = container.superEncoder()
        var nested = superEncoder.unkeyedContainer()
        try nested.encode(1)
        try container.encode(2)
        try nested.encode(Double.nan)
    }
}
