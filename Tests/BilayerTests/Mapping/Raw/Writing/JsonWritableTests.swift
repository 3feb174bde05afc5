import Foundation
import Testing

@testable import Bilayer

@Suite("Json: writing by hand")
struct JsonWritableTests {
    enum Sort: Int, Codable, JsonWritable { case corner = 3 }

    struct Point: JsonWritable, Codable {
        var x = 1.5
        var label: String?
        var sort = Sort.corner
        var children: [Point] = []
        var names: [String: Int?] = [:]

        func write(to json: inout JsonWriter) throws {
            try json.writeObject { point in
                try point.write(x, forKey: "x")
                try point.writeIfPresent(label, forKey: "label")
                try point.write(sort, forKey: "sort")
                try point.write(children, forKey: "children")
                try point.write(names, forKey: "names")
            }
        }
    }

    @Test("members, arrays, dictionaries and enums go straight into the bytes")
    func members() throws {
        let point = Point(label: "a\"b", children: [Point(names: ["one\n": 1])])
        let json = try point.toRaw()
        let text =
            #"{"x":1.5,"label":"a\"b","sort":3,"children":[{"x":1.5,"sort":3,"children":[],"names":{"one\n":1}}],"names":{}}"#
        #expect(String(decoding: json.serialized(), as: UTF8.self) == text)
        #expect(json["children"]?[0]?["names"]?["one\n"]?.int == 1)
        #expect(try [point, point].toRaw().description == "[\(text),\(text)]")
    }

    @Test("every type that is writable")
    func everyType() throws {
        let json = try Json.array { array in
            try array.append(Int8.min)
            try array.append(Int16.min)
            try array.append(Int32.min)
            try array.append(Int64.min)
            try array.append(Int.max)
            try array.append(UInt8.max)
            try array.append(UInt16.max)
            try array.append(UInt32.max)
            try array.append(UInt64.max)
            try array.append(UInt.min)
            try array.append(Float(0.1))
            try array.append(-0.0)
            try array.append(Decimal(string: "12345678901234567890.123456789") ?? 0)
            try array.append(true)
            try array.append([1, nil])
            try array.append(["a": ["b": nil]] as Json)
            try array.appendObject { try $0.writeObject(forKey: "o") { try $0.writeArray(forKey: "a") { _ in } } }
            try array.appendArray { _ in }
        }
        #expect(
            json.description == """
                [-128,-32768,-2147483648,-9223372036854775808,9223372036854775807,255,65535,4294967295,18446744073709551615,0,0.1,-0,\
                12345678901234567890.123456789,true,[1,null],{"a":{"b":null}},{"o":{"a":[]}},[]]
                """
        )
        #expect(try Json(parsing: json.serialized()) == json)
    }

    @Test("an array of integers", arguments: [0, 1, 2, 50])
    func integers(count: Int) throws {
        let borders = [
            .min, .max, 0, -1, 9, -10, 99_999_999, 100_000_000, 9_999_999_999_999_999, 10_000_000_000_000_000,
        ]
        let values = (0..<count).map { borders[$0 % borders.count] }
        let text = "[" + values.map(String.init).joined(separator: ",") + "]"
        #expect(try values.toRaw().description == text)
        #expect(
            try Json.object { try $0.write([values, values], forKey: "values") }.description
                == "{\"values\":[\(text),\(text)]}"
        )
    }

    @Test("a value that writes nothing is null")
    func nothing() throws {
        struct Silent: JsonWritable { func write(to json: inout JsonWriter) {} }
        #expect(try Silent().toRaw() == .null)
        #expect(try Json.object { try $0.write(Silent(), forKey: "a") } == ["a": .null])
    }

    @Test("a number that JSON does not have is an error with its path", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) throws {
        let error = try #require(throws: MappingError.self) {
            try Json.object { try $0.write([Point(), Point(x: value)], forKey: "points") }
        }
        #expect(error.path.description == "$.points[1].x")
        #expect(error.issues.first?.kind == .invalidValue)
    }

    private struct Half: JsonWritable {
        func write(to json: inout JsonWriter) throws {
            try json.writeObject { half in
                try half.write(1, forKey: "one")
                try half.write(Double.nan, forKey: "two")
            }
        }
    }

    private struct Instead: JsonWritable {
        func write(to json: inout JsonWriter) throws {
            do { try Half().write(to: &json) } catch { json.write("instead") }
        }
    }

    @Test("who goes on after an error has a text without what failed")
    func goingOn() throws {
        let written = try Json.object { object in
            try? object.write(Double.nan, forKey: "first")
            try? object.write(Half(), forKey: "half")
            try object.write(1, forKey: "a")
            try? object.write([1, .infinity], forKey: "list")
            try? object.writeObject(forKey: "open") { try $0.write(Half(), forKey: "half") }
            try? object.writeArray(forKey: "open") { try $0.append(Half()) }
            try object.writeArray(forKey: "b") { array in
                try? array.append(Half())
                try array.append(2)
                try? array.appendObject { try $0.write(Half(), forKey: "half") }
                try? array.appendArray { try $0.append(Double.nan) }
                try array.append(Instead())
            }
        }
        #expect(written.serialized() == Data(#"{"a":1,"b":[2,"instead"]}"#.utf8))
    }

    @Test("types that are Codable only can be written too")
    func codable() throws {
        struct Plain: Codable, RawEncodable {
            typealias Raw = Json
            let a: Int
        }
        #expect(try Json.object { try $0.write(Plain(a: 1), forKey: "p") }.description == #"{"p":{"a":1}}"#)
    }

    @Test("a written value is indexed once, however many look at once")
    func looksAtOnce() async throws {
        for round in 0..<200 {
            let json = try Json.object { try $0.write([round, 2, 3], forKey: "a") }
            await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<8 { group.addTask { json["a"]?[0]?.int } }
                for await value in group { #expect(value == round) }
            }
        }
    }

    @Test("whatever stands wherever in a text, as a key and as a value", arguments: 0...26)
    func textsOfEveryLength(length: Int) throws {
        let plain = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars.prefix(length))
        for place in plain.indices {
            for scalar in ["\"", "\\", "\u{1}", "\u{1F}", " ", "!", "\u{7F}", "\u{E9}", "\u{1F600}"] as [Unicode.Scalar]
            {
                var text = plain
                text[place] = scalar
                let string = String(String.UnicodeScalarView(text))
                let written = try Json.object { object in
                    try object.write(string, forKey: string)
                    try object.write([string], forKey: string)
                }
                let read = try JSONSerialization.jsonObject(with: Data("[\(written)]".utf8)) as? [[String: Any]]
                #expect(read?.first?.keys.first == string)
                let members = try Json(parsing: written.serialized()).members
                #expect(members.map(\.key) == [string, string])
                #expect(members.map(\.value) == [Json(string), Json([Json(string)])])
            }
        }
    }
}
