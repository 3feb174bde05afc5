import Bilayer
import Foundation
import Testing

/// Some mistakes are calls that cannot throw, such as `container(keyedBy:)` after `unkeyedContainer()`. They fail the
/// whole encoding at its end, if the value that made the mistake is part of the result.
@Suite("Misused containers and containers nested too deeply, in values that are removed", .smallStack)
struct CaughtMisuseTests {
    private struct Failure: Error {}

    private enum Key: CodingKey { case id, price, items }

    private struct Misused: Encodable, Sendable {
        let write: @Sendable (any Encoder) throws -> Void

        init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    /// Nested keyed containers inside each other.
    private static func nest(_ container: inout KeyedEncodingContainer<Key>, levels: Int) {
        if levels == 0 { return }
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .items)
        nest(&nested, levels: levels - 1)
    }

    private final class Chain: Encodable, Sendable {
        let next: Chain?
        init(_ next: Chain?) { self.next = next }
    }

    private static let misused: [Misused] = [
        Misused { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .id)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .id)
        },
        Misused { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            _ = encoder.container(keyedBy: Key.self)
        },
        Misused { encoder in
            _ = encoder.unkeyedContainer()
            _ = encoder.container(keyedBy: Key.self)
        },
        Misused { encoder in
            var container = encoder.container(keyedBy: Key.self)
            nest(&container, levels: 600)
        },
        Misused { encoder in
            var container = encoder.singleValueContainer()
            try container.encode((0..<600).reduce(Chain(nil)) { chain, _ in Chain(chain) })
        },
    ]

    @Test("nothing is left of a value that fails and is caught", arguments: misused.indices)
    func caught(index: Int) throws {
        let misused = Self.misused[index]
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(misused) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(["price": misused]) }
        let failing = Misused { encoder in
            try misused.encode(to: encoder)
            throw Failure()
        }
        let keyed = Misused { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try? container.encode(failing, forKey: .price)
            try? container.encode([["price": failing]], forKey: .price)
            try container.encode(2, forKey: .id)
        }
        let unkeyed = Misused { encoder in
            var container = encoder.unkeyedContainer()
            try? container.encode(failing)
            try container.encode(2)
            try? container.encode(failing)
        }
        let single = Misused { encoder in
            var container = encoder.singleValueContainer()
            try? container.encode(failing)
            try container.encode(2)
        }
        let written = [keyed, unkeyed, single]
        #expect(try JsonEncoder().encode(written) == Data(#"[{"id":2},[2],2]"#.utf8))
    }

    @Test("a mistake in another value fails the call", arguments: misused.indices)
    func notCaught(index: Int) throws {
        let misused = Self.misused[index]
        let failing = Misused { encoder in
            try misused.encode(to: encoder)
            throw Failure()
        }
        let before = Misused { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .id)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .id)
            try? container.encode(failing, forKey: .price)
        }
        let after = Misused { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try? container.encode(failing, forKey: .price)
            try container.encode(1, forKey: .id)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .id)
        }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([before]) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([after]) }
    }
}
