import Bilayer
import Foundation
import Testing

private struct DotEntry: CodableByHand, JsonWritable, Equatable {
    let x: Int

    static func from(raw: Json) throws -> DotEntry { try DotEntry(x: raw.decode(at: 0)) }
    func write(to json: inout JsonWriter) throws { try json.writeArray { try $0.append(x) } }
}

private enum ToneEntry: String, CodableByHand, JsonWritable {
    case low, high

    static func from(raw: Json) throws -> ToneEntry { raw == 0 ? .low : .high }
    func write(to json: inout JsonWriter) throws { json.write(self == .low ? 0 : 1) }
}

private enum SignEntry: Discriminated, Codable, JsonWritable, Equatable {
    case speed(Int)

    static let discriminator = Discriminator<SignEntry>.on("type", ["speed": { .speed(try $0.decode("limit")) }])
    func write(to json: inout JsonWriter) throws {
        guard case .speed(let limit) = self else { return }
        try json.writeObject { sign in
            try sign.write("speed", forKey: "type")
            try sign.write(limit, forKey: "limit")
        }
    }
}

private struct SheetEntry: Codable, RawMappable, Equatable {
    let dots: [DotEntry]
    let tone: ToneEntry
    let sign: SignEntry
}

@Suite("JsonWritable entries inside of Codable ones")
struct WritableByHandTests {
    @Test("`write(to:)` writes an entry everywhere, without a `toRaw()`")
    func everywhere() throws {
        let json: Json = ["dots": [[1], [2]], "tone": 0, "sign": ["type": "speed", "limit": 30]]
        let sheet = SheetEntry(dots: [DotEntry(x: 1), DotEntry(x: 2)], tone: .low, sign: .speed(30))
        #expect(try sheet.toRaw() == json)
        #expect(try Json(parsing: JSONEncoder().encode(sheet)) == json)
        #expect(try SheetEntry.from(raw: json) == sheet)
        #expect(try DotEntry(x: 1).toRaw() == [1])
        #expect(try ToneEntry.high.toRaw() == 1)
        #expect(try SignEntry.speed(30).toRaw() == ["type": "speed", "limit": 30])
    }
}
