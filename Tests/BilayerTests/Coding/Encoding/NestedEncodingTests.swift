import Foundation
import Testing

@testable import Bilayer

/// Nested containers and super encoders, requested and written in any order.
@Suite(.smallStack) struct NestedEncodingTests {
    private enum Key: String, CodingKey { case type, attributes, created, title }
    private enum OtherKey: String, CodingKey { case attributes, title, created }

    private class Resource: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode("article", forKey: .type)
            var attributes = container.nestedContainer(keyedBy: Key.self, forKey: .attributes)
            try attributes.encode(1, forKey: .created)
        }
    }

    private final class Article: Resource {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: OtherKey.self)
            var attributes = container.nestedContainer(keyedBy: OtherKey.self, forKey: .attributes)
            try attributes.encode("Tea", forKey: .title)
        }
    }

    @Test("a base class and its subclass that ask for the nested container of one key write into one object")
    func oneObjectForOneKey() throws {
        for optimizations in trickSets {
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            #expect(
                String(decoding: try encoder.encode([Article(), Article()]), as: UTF8.self)
                    == #"[{"type":"article","attributes":{"created":1,"title":"Tea"}},{"type":"article","attributes":{"created":1,"title":"Tea"}}]"#
            )
        }
        expectSameEncoding(Article())
    }

    private struct Lists: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathKey.self)
            for round in 0..<3 {
                for name in ["a", "b"] {
                    var list = container.nestedUnkeyedContainer(forKey: PathKey(name))
                    try list.encode(round)
                }
                try container.encode(round, forKey: PathKey("c"))
            }
        }
    }

    @Test("a nested array that is asked for again goes on") func oneArrayForOneKey() { expectSameEncoding(Lists()) }

    @Test("a value replaces a nested container, and one that fails does not", arguments: [false, true])
    func replaced(fails: Bool) throws {
        struct Replacing: Encodable {
            let fails: Bool
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .attributes)
                try nested.encode(1, forKey: .created)
                if fails {
                    try? container.encode(Double.nan, forKey: .attributes)
                    try? container.encode([Double.nan], forKey: .attributes)
                    var again = container.nestedContainer(keyedBy: Key.self, forKey: .attributes)
                    try again.encode(2, forKey: .title)
                } else {
                    try container.encode(3, forKey: .attributes)
                }
            }
        }
        expectSameEncoding(Replacing(fails: fails))
    }

    @Test("a further encoder of a nested array, used when something was written behind the array", arguments: 0..<4)
    func late(form: Int) {
        struct Late: Encodable {
            let form: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                var nested = container.nestedUnkeyedContainer()
                try container.encode(1)
                switch form {
                case 0: try 5.encode(to: nested.superEncoder())
                case 1: _ = nested.superEncoder()
                case 2:
                    try ["k": "v"].encode(to: nested.superEncoder())
                    try nested.encode(7)
                default:
                    try 5.encode(to: nested.superEncoder())
                    try 6.encode(to: nested.superEncoder())
                }
            }
        }
        expectSameEncoding(Late(form: form))
    }

    private struct Chain: Encodable {
        enum Form: CaseIterable { case keyed, keyedByName, unkeyed }

        let length: Int
        let form: Form
        private enum Key: CodingKey { case length, base }

        func encode(to encoder: any Encoder) throws {
            let base = Chain(length: length - 1, form: form)
            if form == .unkeyed {
                var container = encoder.unkeyedContainer()
                try container.encode(length)
                if length > 0 { try base.encode(to: container.superEncoder()) }
            } else {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(length, forKey: .length)
                if length == 0 { return }
                try base.encode(
                    to: form == .keyed ? container.superEncoder() : container.superEncoder(forKey: .base)
                )
            }
        }
    }

    private struct Nest: Encodable {
        let depth: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
            try container.encode(1)
        }
    }

    @Test("every way of nesting counts toward the limit")
    func depth() throws {
        var encoder = JsonEncoder()
        encoder.maximumDepth = 20
        for form in Chain.Form.allCases {
            #expect(try Json(parsing: encoder.encode(Chain(length: 19, form: form))).depth == 20)
            #expect(throws: EncodingError.self) { try encoder.encode(Chain(length: 20, form: form)) }
        }
        #expect(try Json(parsing: encoder.encode(Nest(depth: 20))).depth == 20)
        #expect(throws: EncodingError.self) { try encoder.encode(Nest(depth: 21)) }
        #expect(throws: EncodingError.self) { try encoder.encode([Nest(depth: 20)]) }
    }

    @Test("a value of any depth is written or refused on a thread with a stack of 512 KB", arguments: trickSets.indices)
    func smallStack(optimizations: Int) async {
        struct Node: Encodable { var children: [Node] }
        var node = Node(children: [])
        for _ in 0..<1000 { node = Node(children: [node]) }
        var encoder = JsonEncoder()
        encoder.optimizations = trickSets[optimizations]
        for depth in [512, 100_000] {
            encoder.maximumDepth = depth
            let thrown = await withCheckedContinuation { continuation in
                let thread = Thread { [encoder, node] in
                    do {
                        _ = try encoder.encode(node)
                        continuation.resume(returning: false)
                    } catch {
                        continuation.resume(returning: error is EncodingError)
                    }
                }
                thread.stackSize = 512 * 1024
                thread.start()
            }
            #expect(thrown, "depth \(depth)")
        }
    }

    /// A body requests a super encoder, which makes an array after the body has ended. The array is also written to
    /// while one of its elements is written.
    private final class Late: Encodable {
        struct Failure: Error {}
        let fails: Bool
        var encoder: (any Encoder)?
        init(fails: Bool) { self.fails = fails }

        struct Part: Encodable {
            let write: (any Encoder) throws -> Void
            func encode(to encoder: any Encoder) throws { try write(encoder) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            let body = Part { encoder in
                var inner = encoder.container(keyedBy: Key.self)
                self.encoder = inner.superEncoder(forKey: .created)
            }
            try container.encode(body, forKey: .attributes)
            guard var list = self.encoder?.unkeyedContainer() else { return }
            self.encoder = nil
            let copy = list
            try list.encode(0)
            let element = Part { _ in
                var list = copy
                try list.encodeNil()
                if self.fails { throw Failure() }
            }
            try? list.encode(element)
            try list.encode(5)
        }
    }

    @Test(
        "an array of a body that has ended is written to while one of its elements is",
        arguments: [
            (false, #"{"attributes":{"created":[0,{},null,5]}}"#), (true, #"{"attributes":{"created":[0,null,5]}}"#),
        ]
    )
    func lateArray(fails: Bool, expected: String) throws {
        for optimizations in trickSets {
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            #expect(String(decoding: try encoder.encode(Late(fails: fails)), as: UTF8.self) == expected)
        }
    }
}

extension Json {
    /// How many containers are inside each other.
    fileprivate var depth: Int {
        switch kind {
        case .array: 1 + (elements.map(\.depth).max() ?? 0)
        case .object: 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
