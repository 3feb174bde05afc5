import Bilayer
import Foundation
import Testing

private class MeteredBase: Codable {
    let x: Int

    init(x: Int) { self.x = x }

    enum CodingKeys: String, PathCodingKey {
        case x

        static let paths: [CodingKeys: [String]] = [.x: ["meta.x"]]
    }
}

private final class MeteredPoint: MeteredBase {
    let y: Int
    let z: Int

    init(x: Int, y: Int, z: Int) {
        (self.y, self.z) = (y, z)
        super.init(x: x)
    }

    enum CodingKeys: String, PathCodingKey {
        case y, z

        static let paths: [CodingKeys: [String]] = [.y: ["meta.y"], .z: ["meta.deep.z"]]
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        y = try container.decode(Int.self, forKey: .y)
        z = try container.decode(Int.self, forKey: .z)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(y, forKey: .y)
        try container.encode(z, forKey: .z)
    }
}

/// An entry whose code writes with several containers.
private struct WrittenInParts: Encodable {
    enum Key: String, PathCodingKey {
        case a, b, c, m

        static let paths: [Key: [String]] = [.a: ["m.a"], .b: ["m.b"], .c: ["m.n.c"]]
    }
    enum Plain: String, CodingKey { case m, q }

    let write: @Sendable (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }
}

@Suite("Keys with paths, in several containers of one encoder", .smallStack)
struct PathWritingInPartsTests {
    private func written(_ write: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
        String(decoding: try JsonEncoder().encode(WrittenInParts(write: write)), as: UTF8.self)
    }

    @Test("a class and its superclass write into one object", arguments: [nil, KeyNaming.snakeCase])
    func classes(naming: KeyNaming?) throws {
        var conventions = CodingConventions()
        conventions.keys = naming
        let data = try conventions.encoder.encode([MeteredPoint(x: 1, y: 2, z: 3), MeteredPoint(x: 4, y: 5, z: 6)])
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"[{"meta":{"x":1,"y":2,"deep":{"z":3}}},{"meta":{"x":4,"y":5,"deep":{"z":6}}}]"#
        )
        let points = try conventions.decoder.decode([MeteredPoint].self, from: data)
        #expect(points.map(\.x) == [1, 4] && points.map(\.z) == [3, 6])
    }

    @Test("two containers of one type write into one object, at any depth")
    func oneType() throws {
        let text = try written { encoder in
            var first = encoder.container(keyedBy: WrittenInParts.Key.self)
            try first.encode(1, forKey: .c)
            var second = encoder.container(keyedBy: WrittenInParts.Key.self)
            try second.encode(2, forKey: .a)
            try first.encode(3, forKey: .b)
            try second.encode(4, forKey: .c)
        }
        #expect(text == #"{"m":{"n":{"c":4},"a":2,"b":3}}"#)
    }

    @Test("nested containers of other keys write into the object, before and after", arguments: [false, true])
    func nested(isFirst: Bool) throws {
        let text = try written { encoder in
            func writeNested() throws {
                var plain = encoder.container(keyedBy: WrittenInParts.Plain.self)
                var nested = plain.nestedContainer(keyedBy: WrittenInParts.Plain.self, forKey: .m)
                try nested.encode(1, forKey: .q)
            }
            if isFirst { try writeNested() }
            var container = encoder.container(keyedBy: WrittenInParts.Key.self)
            try container.encode(2, forKey: .c)
            try container.encode(3, forKey: .a)
            if !isFirst { try writeNested() }
        }
        #expect(text == (isFirst ? #"{"m":{"q":1,"n":{"c":2},"a":3}}"# : #"{"m":{"n":{"c":2},"a":3,"q":1}}"#))
    }

    @Test("a path through a value that another container has written is refused")
    func values() {
        #expect(throws: EncodingError.self) {
            try written { encoder in
                var first = encoder.container(keyedBy: WrittenInParts.Key.self)
                try first.encode(1, forKey: .m)
                var second = encoder.container(keyedBy: WrittenInParts.Key.self)
                try second.encode(2, forKey: .a)
            }
        }
        #expect(throws: EncodingError.self) {
            try written { encoder in
                var first = encoder.container(keyedBy: WrittenInParts.Key.self)
                try first.encode(1, forKey: .a)
                var second = encoder.container(keyedBy: WrittenInParts.Key.self)
                try second.encode(2, forKey: .m)
            }
        }
    }

    @Test("nothing is left of a value that failed, in the objects of another container, too")
    func failures() throws {
        let text = try written { encoder in
            var first = encoder.container(keyedBy: WrittenInParts.Key.self)
            try? first.encode(Double.nan, forKey: .c)
            var second = encoder.container(keyedBy: WrittenInParts.Key.self)
            try second.encode(1, forKey: .a)
            try? first.encode(Double.nan, forKey: .c)
            try? first.encode(Double.nan, forKey: .b)
            try second.encode(2, forKey: .b)
        }
        #expect(text == #"{"m":{"a":1,"b":2}}"#)
    }
}
