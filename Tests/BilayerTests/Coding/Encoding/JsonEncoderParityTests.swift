import Foundation
import Testing

@testable import Bilayer

/// Expects that both encoders write texts of equal values, or that both throw an error of the same case at the same
/// path.
func expectSameEncoding<Value: Encodable>(
    _ value: Value,
    foundation: JSONEncoder = JSONEncoder(),
    bilayer: JsonEncoder = JsonEncoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = Outcome { try Json(parsing: foundation.encode(value)) }
    for optimizations in trickSets {
        var encoder = bilayer
        encoder.optimizations = optimizations
        for round in 1...2 {
            let found = Outcome { try Json(parsing: encoder.encode(value)) }
            #expect(
                found == expected,
                "\(Value.self), optimizations \(optimizations.rawValue), round \(round)",
                sourceLocation: sourceLocation
            )
        }
    }
}

/// Shows that our encoder writes what Foundation's does, for types that use every part of the interface.
@Suite(.smallStack) struct JsonEncoderParityTests {
    @Test func plain() {
        let child = Plain.Child(name: "n \"q\" \u{1F}\\ / é", tags: ["a", nil])
        let full = Plain(
            text: "t\n",
            number: -7,
            ratio: 0.1,
            flag: true,
            small: 0.1,
            list: [1, .max, .min],
            table: ["x": 1, "y": -0.0],
            child: child
        )
        expectSameEncoding(full)
        expectSameEncoding([full, full])
        expectSameEncoding(["k": [full]])
        expectSameEncoding(Plain(text: "", number: 0, ratio: 1e300, flag: false, list: [], table: [:]))
        expectSameEncoding(Plain(text: "", number: 0, ratio: .nan, flag: false, list: [], table: [:]))
        expectSameEncoding(["k": [Plain(text: "", number: 0, ratio: 1, flag: false, list: [], table: ["z": .infinity])]]
        )
        expectSameEncoding(Integers(int8: .min, int16: .min, int32: .min, int64: .min))
        expectSameEncoding(
            Integers(int8: .max, int64: .max, uint: .max, uint8: .max, uint16: .max, uint32: .max, uint64: .max)
        )
    }

    @Test func payloadsAndRecursion() {
        expectSameEncoding([Shape.circle(radius: 2), .rectangle(1, 2.5), .named("n", tags: ["a"]), .empty])
        expectSameEncoding(Tree.node(left: .leaf(1), right: .node(left: .leaf(2), right: .leaf(3))))
        expectSameEncoding([NumberOrText.nothing, .number(1), .text("t"), .list([.nothing, .list([])])])
    }

    @Test func inheritance() {
        expectSameEncoding(Dog(legs: 4, name: "Rex"))
        expectSameEncoding([Cat(legs: 4, lives: 9), Cat(legs: 3, lives: 8)])
    }

    @Test func nestedContainers() {
        expectSameEncoding([
            Nested(x: 1, y: 2, names: ["a", "b"], deep: true), Nested(x: 0, y: 0, names: [], deep: false),
        ])
    }

    @Test func keysOfOtherTypes() {
        expectSameEncoding([1: "a", 2: "b"])
        expectSameEncoding([Name.first: 1, .second: 2])
        expectSameEncoding([Level.low: 1])
    }

    @Test func fragments() {
        expectSameEncoding(1)
        expectSameEncoding("a")
        expectSameEncoding(true)
        expectSameEncoding(Int?.none)
        expectSameEncoding([Int?.none, 1])
        expectSameEncoding(Level.high)
        expectSameEncoding(0.1 as Float)
        expectSameEncoding(Set([1]))
        expectSameEncoding([[1.5, 2], []])
        expectSameEncoding(URL(string: "https://example.com/a?b=c"))
        expectSameEncoding([Decimal(string: "3.14159265358979323846264338327950288"), 1, -0.5])
        expectSameEncoding([String: Int]())
        expectSameEncoding([Int]())
        expectSameEncoding(Date(timeIntervalSinceReferenceDate: 12.5))
        expectSameEncoding(Data([1, 2, 3]))
    }

    @Test(arguments: Disorder.Kind.allCases)
    func writesInAnyOrder(_ kind: Disorder.Kind) {
        expectSameEncoding(Disorder(kind: kind))
        expectSameEncoding([Disorder(kind: kind), Disorder(kind: kind)])
        expectSameEncoding(["k": Disorder(kind: kind)])
    }
}

/// Requests containers and writes values in another order than that of the text, in one of several ways.
struct Disorder: Encodable {
    let kind: Kind

    enum Kind: CaseIterable {
        case siblings, columns, afterChild, superLater, superNever, twice, nothing, nested, unkeyedSuper, twoKeyTypes,
            capturedParent, emptyLater, dynamicTwice
    }

    private enum Keys: String, CodingKey { case a, b, c, d }
    private enum OtherKeys: String, CodingKey { case d, e, a }

    func encode(to encoder: any Encoder) throws {
        switch kind {
        case .siblings: try siblings(encoder)
        case .columns: try columns(encoder)
        case .afterChild: try afterChild(encoder)
        case .superLater: try superLater(encoder)
        case .superNever: _ = encoder.container(keyedBy: Keys.self).superEncoderOf(.a)
        case .twice: try twice(encoder)
        case .nothing: break
        case .nested: try nested(encoder)
        case .unkeyedSuper: try unkeyedSuper(encoder)
        case .twoKeyTypes: try twoKeyTypes(encoder)
        case .capturedParent: try capturedParent(encoder)
        case .emptyLater: try emptyLater(encoder)
        case .dynamicTwice: try dynamicTwice(encoder)
        }
    }

    private func siblings(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var first = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
        var second = container.nestedContainer(keyedBy: Keys.self, forKey: .b)
        try first.encode(1, forKey: .a)
        try second.encode(2, forKey: .a)
        try first.encode([3], forKey: .b)
        try container.encode("x", forKey: .c)
        try second.encode(["k": Plain.Child(name: "n", tags: [])], forKey: .b)
        try first.encode(5, forKey: .c)
    }

    private func columns(_ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var xs = container.nestedUnkeyedContainer()
        var ys = container.nestedUnkeyedContainer()
        for index in 0..<100 {
            try xs.encode(index)
            try ys.encode("\(index)")
        }
        try container.encode(true)
        try xs.encode(-1)
    }

    private func afterChild(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var child = container.nestedUnkeyedContainer(forKey: .a)
        var grandchild = child.nestedContainer(keyedBy: Keys.self)
        try grandchild.encode(1, forKey: .a)
        try child.encode(2)
        try container.encode(3, forKey: .b)
        try grandchild.encode(4, forKey: .b)
        try child.encode(5)
        var late = grandchild.nestedUnkeyedContainer(forKey: .c)
        try container.encode(6, forKey: .c)
        try late.encode(7)
    }

    private func superLater(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        let first = container.superEncoder()
        let second = container.superEncoder(forKey: .a)
        try container.encode(1, forKey: .b)
        var inner = second.container(keyedBy: Keys.self)
        try inner.encode(2, forKey: .a)
        try [1, 2].encode(to: first)
        try inner.encode(3, forKey: .b)
    }

    private func twice(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .a)
        try container.encode(["x": 2], forKey: .b)
        try container.encode([3], forKey: .a)
    }

    private func nested(_ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(Disorder(kind: .siblings))
        try container.encode(Disorder(kind: .nothing))
        try container.encode(Disorder(kind: .twice))
        try container.encode([Disorder(kind: .columns)])
    }

    private func unkeyedSuper(_ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        let first = container.superEncoder()
        let second = container.superEncoder()
        try container.encodeNil()
        _ = container.superEncoder()
        try "late".encode(to: second)
        try Plain.Child(name: "n", tags: []).encode(to: first)
    }

    private func twoKeyTypes(_ encoder: any Encoder) throws {
        var first = encoder.container(keyedBy: Keys.self)
        var second = encoder.container(keyedBy: OtherKeys.self)
        try first.encode(1, forKey: .a)
        try second.encode(2, forKey: .d)
        try first.encode(3, forKey: .b)
        try second.encode(4, forKey: .e)
        try first.encode(5, forKey: .d)
        try second.encode(6, forKey: .a)
    }

    private func capturedParent(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        let parent = Captured { value in try container.encode(value, forKey: .b) }
        var copy = container
        try copy.encode([Writing(parent: parent, value: 1)], forKey: .a)
        try container.encode(3, forKey: .c)
    }

    private func emptyLater(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .a)
        try container.encode(1, forKey: .b)
        try list.encode(Disorder(kind: .nothing))
        try list.encode(2)
    }

    private func dynamicTwice(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Dynamic.Key.self)
        for name in ["x", "y", "x"] { try container.encode(name + "!", forKey: .init(stringValue: name)) }
    }

    private struct Captured {
        let write: (Int) throws -> Void
    }

    private struct Writing: Encodable {
        let parent: Captured
        let value: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(value, forKey: .a)
            try parent.write(2)
            try container.encode(value, forKey: .b)
        }
    }
}

extension KeyedEncodingContainer {
    fileprivate func superEncoderOf(_ key: Key) -> any Encoder {
        var copy = self
        return copy.superEncoder(forKey: key)
    }
}
