import Bilayer
import Foundation
import Testing

private enum Side: String, Codable { case left, right }

/// A dictionary with keys of the type `Side` is an array of keys and values in JSON.
private struct Sides: Codable, RawMappable, Equatable {
    let sizes: [Side: [Int]]
    let colours: [Side: Int]?
    let count: Int
}

private struct Drawing: Codable, RawMappable {
    indirect enum Shape: Codable {
        case dot(x: Int, y: Int)
        case none
    }
    let id: Int
    let shapes: [Shape]
    let count: Int
}

private struct NestedEntry: Decodable, RawDecodable {
    let id: Int
    let size: Int

    enum Keys: CodingKey { case id, more }
    enum More: CodingKey { case size }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        id = try container.decode(Int.self, forKey: .id)
        size = try container.nestedContainer(keyedBy: More.self, forKey: .more).decode(Int.self, forKey: .size)
    }
}

/// The limits that the documentation of the policies names.
@Suite("Values that a policy reads as one")
struct ValuesReadAsOneTests {
    private func paths<Value: RawDecodable>(
        _ text: String,
        as type: Value.Type,
        _ policy: MappingPolicy
    ) throws -> [String] where Value.Raw == Json {
        let json = try Json(parsing: text)
        return mapping(policy) { try Value.from(raw: json) }.issues.map(\.path.description)
    }

    @Test("a dictionary that is an array in JSON: collecting finds its first error, and those around it")
    func collectedDictionary() throws {
        let text = #"{"sizes":["up",[],"down",[]],"colours":["left","x","right","y"],"count":"z"}"#
        #expect(try paths(text, as: Sides.self, .collectingAll()) == ["$.sizes[0]", "$.colours[1]", "$.count"])
    }

    @Test("salvaging leaves it out as a whole, or what encloses it")
    func salvagedDictionary() throws {
        let optional = try Json(parsing: #"{"sizes":["left",[1]],"colours":["left",1,"up",2],"count":1}"#)
        let mapped = mapping(.salvaging) { try Sides.from(raw: optional) }
        #expect(mapped.value == Sides(sizes: [.left: [1]], colours: nil, count: 1))
        #expect(mapped.lines == ["warning dropped $.colours"])
        let required = #"[{"sizes":["up",[1]],"count":1},{"sizes":[],"count":2}]"#
        #expect(try paths(required, as: [Sides].self, .salvaging) == ["$[0]"])
    }

    @Test("an enum with payloads: collecting finds the first error of each value, and those around it")
    func payloads() throws {
        let shapes = #"[{"dot":{"x":1,"y":2}},{"dot":{"x":"a","y":"b"}},{"none":{}},{"dot":{"x":1,"y":"c"}}]"#
        let text = #"{"id":"q","shapes":\#(shapes),"count":"z"}"#
        let expected = ["$.id", "$.shapes[1].dot.x", "$.shapes[3].dot.y", "$.count"]
        #expect(try paths(text, as: Drawing.self, .collectingAll()) == expected)
    }

    @Test("a type that reads a nested container: collecting finds the first error of each value")
    func nestedContainers() throws {
        let good = #"{"id":1,"more":{"size":2}}"#
        let text = #"[\#(good),{"id":"x","more":{"size":"y"}},{"id":1,"more":{"size":"y"}}]"#
        #expect(try paths(text, as: [NestedEntry].self, .collectingAll()) == ["$[1].id", "$[2].more.size"])
    }
}
