import Foundation
import Testing

@testable import Bilayer

/// Both decoders read generated texts, which are so close to the types that some texts are valid for each type.
@Suite(.smallStack) struct GeneratedParityTests {
    private static let keys = [
        "x", "y", "position", "names", "name", "legs", "lives", "super", "inner", "list", "more", "circle", "radius",
        "named",
        "_0", "_1", "tags", "empty", "leaf", "node", "left", "right", "int8", "uint64", "int", "text", "number",
    ]
    private static let scalars = [
        "null", "true", "false", "0", "-1", "1", "127", "128", "2.0", "2.5", "1e2", "1e-7", "9223372036854775807",
        "18446744073709551615", "1e30", #""""#, #""a""#, #""\u00e9\n""#, #""10""#,
    ]

    private func text(_ random: inout SplitMix64, depth: Int) -> String {
        let isScalar = depth == 0 || random.next(below: 10) < 3
        if isScalar { return Self.scalars[random.next(below: Self.scalars.count)] }
        let count = random.next(below: 5)
        if random.next(below: 3) == 0 {
            return "[" + (0..<count).map { _ in text(&random, depth: depth - 1) }.joined(separator: ",") + "]"
        }
        let members = (0..<count)
            .map { _ in
                #""\#(Self.keys[random.next(below: Self.keys.count)])": \#(text(&random, depth: depth - 1))"#
            }
        return "{" + members.joined(separator: " , ") + "}"
    }

    /// A text in the shape of one of the types, with random parts.
    private func shapedText(_ random: inout SplitMix64) -> String {
        let (a, b) = (text(&random, depth: 2), text(&random, depth: 1))
        let shapes = [
            #"{"position":{"x":1,"y":\#(b)},"names":[["a"],{"x":true}],"more":\#(a)}"#,
            #"{"name":"n","super":{"legs":\#(b)}}"#,
            #"{"legs":4,"lives":\#(b)}"#, #"{"circle":{"radius":\#(b)}}"#, #"{"named":{"_0":"n","tags":[\#(b)]}}"#,
            #"{"node":{"left":{"leaf":{"_0":\#(b)}},"right":{"leaf":{"_0":1}}}}"#, #"{"int8":\#(b),"uint64":\#(a)}"#,
            #"{"inner":\#(a),"list":[\#(a),{}]}"#, a,
        ]
        return shapes[random.next(below: shapes.count)]
    }

    private func expectSame<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ text: String,
        _ seed: UInt64,
        optimizations: CoderOptimizations
    ) {
        let data = Data(text.utf8)
        var decoder = JsonDecoder()
        decoder.optimizations = optimizations
        let expected = Outcome { try JSONDecoder().decode(type, from: data) }
        let found = Outcome { try decoder.decode(type, from: data) }
        #expect(found.matches(expected), "seed \(seed), optimizations \(optimizations.rawValue), \(type) from \(text)")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func sameValuesAndErrors(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let optimizations = trickSets[Int(seed) % trickSets.count]
        for _ in 0..<400 {
            let text = shapedText(&random)
            expectSame(Nested.self, text, seed, optimizations: optimizations)
            expectSame(Dog.self, text, seed, optimizations: optimizations)
            expectSame(Cat.self, text, seed, optimizations: optimizations)
            expectSame(Shape.self, text, seed, optimizations: optimizations)
            expectSame(Tree.self, text, seed, optimizations: optimizations)
            expectSame(Integers.self, text, seed, optimizations: optimizations)
            expectSame([Shape?].self, "[\(text),null]", seed, optimizations: optimizations)
            expectSame(NumberOrText.self, text, seed, optimizations: optimizations)
            expectSame(Walk.self, "[\(text),\(text)]", seed, optimizations: optimizations)
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func whatIsDecodedIsEncodedTheSame(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let data = Data(text(&random, depth: 4).utf8)
            guard let value = try? JSONDecoder().decode(NumberOrText.self, from: data) else { continue }
            let theirs = try Json(parsing: JSONEncoder().encode(value))
            #expect(try Json(encoding: value) == theirs, "seed \(seed), \(String(decoding: data, as: UTF8.self))")
        }
    }
}
