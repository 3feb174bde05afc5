import Bilayer
import Foundation
import Testing

private struct Box: Encodable {
    var json: Json
}

/// A value around another one, as an array of one element.
private indirect enum Around: Encodable {
    case json(Json)
    case array(Around)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .json(let json):
            var container = encoder.singleValueContainer()
            try container.encode(json)
        case .array(let inside):
            var container = encoder.unkeyedContainer()
            try container.encode(inside)
        }
    }

    init(levels: Int, around json: Json) { self = (0..<levels).reduce(.json(json)) { around, _ in .array(around) } }
}

@Suite("The depth limit for JSON inside of values", .smallStack)
struct JsonDepthEncodingTests {
    /// Arrays inside each other, with texts that have brackets and quotes.
    private static func nested(_ levels: Int, parsed: Bool) throws -> Json {
        let texts = #""]]\"{{\\","}","#
        let text = String(repeating: "[" + texts, count: levels) + "0" + String(repeating: "]", count: levels)
        let json = try Json(parsing: text, options: .init(maximumDepth: 10_000))
        if parsed { return json }
        var made: Json = 0
        for _ in 0..<levels { made = Json(["]]\"{{\\", "}", made] as [Json]) }
        return made
    }

    @Test(
        "arrays and objects of JSON count as those of types do",
        arguments: [(1, 511), (511, 1), (256, 256), (0, 512)],
        [true, false]
    )
    func atTheLimit(levels: (around: Int, inside: Int), parsed: Bool) throws {
        let inside = try Self.nested(levels.inside, parsed: parsed)
        try onStack(ofBytes: 64 << 20) {
            let text = try JsonEncoder().encode(Around(levels: levels.around, around: inside))
            #expect(throws: Never.self) { try Json(parsing: text) }
            for (around, more) in [(levels.around + 1, inside), (levels.around, Json([inside]))] {
                #expect(throws: EncodingError.self) { try JsonEncoder().encode(Around(levels: around, around: more)) }
            }
        }
    }

    @Test("a limit of the encoder's own", arguments: [true, false])
    func ownLimit(parsed: Bool) throws {
        var encoder = JsonEncoder()
        encoder.maximumDepth = 3
        #expect(throws: Never.self) { try encoder.encode(Box(json: Self.nested(2, parsed: parsed))) }
        let tooDeep = try Box(json: Self.nested(3, parsed: parsed))
        let error = #expect(throws: EncodingError.self) { try encoder.encode(tooDeep) }
        guard case .invalidValue(_, let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue) == ["json"])
        #expect(throws: EncodingError.self) { try Json(encoding: Box(json: Self.nested(600, parsed: parsed))) }
    }

    @Test("nothing is left of JSON that is too deep")
    func nothingIsLeft() throws {
        struct Caught: Encodable {
            let json: Json
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: DepthKey.self)
                try? container.encode(json, forKey: DepthKey("a"))
                try container.encode(1, forKey: DepthKey("b"))
            }
        }
        let text = try JsonEncoder().encode([Caught(json: Self.nested(600, parsed: true))])
        #expect(String(decoding: text, as: UTF8.self) == #"[{"b":1}]"#)
    }

    @Test("a closure of a strategy that writes nothing leaves an empty object, at the root, too")
    func nothingWritten() throws {
        var encoder = JsonEncoder()
        encoder.dates = .custom { _, _ in }
        encoder.data = .custom { _, _ in }
        #expect(try encoder.encode(Date()) == Data("{}".utf8))
        #expect(try encoder.encode(Data()) == Data("{}".utf8))
        #expect(try encoder.encode([Date()]) == Data("[{}]".utf8))
    }
}

private struct DepthKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
