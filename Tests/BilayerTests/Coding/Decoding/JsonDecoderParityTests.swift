import Foundation
import Testing

@testable import Bilayer

/// Shows that our decoder does what Foundation's does, on types and texts that use every part of the interface.
@Suite(.smallStack) struct JsonDecoderParityTests {
    @Test(arguments: [
        #"{"text":"a","number":1,"ratio":0.5,"flag":true,"small":1.25,"list":[1,2],"table":{"x":1},"child":{"name":"n","tags":["t",null]}}"#,
        #"{"child":null,"table":{},"list":[],"flag":false,"ratio":1e3,"number":-7,"text":"é\n\u00e9"}"#,
        #"{"text":"a","number":1.0,"ratio":2,"flag":true,"list":[10e-1],"table":{"y":null}}"#,
        #"{"text":"a","number":1.5,"ratio":2,"flag":true,"list":[],"table":{}}"#,
        #"{"text":null,"number":1,"ratio":2,"flag":true,"list":[],"table":{}}"#,
        #"{"number":1,"ratio":2,"flag":true,"list":[],"table":{}}"#,
        #"{"text":"a","number":"1","ratio":2,"flag":true,"list":[],"table":{}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":1,"list":[],"table":{}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":{},"table":{}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":[1,"2"],"table":{}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":[1],"table":[]}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":[1],"table":{"k":"v"}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":[1],"table":{},"child":{"name":"n","tags":[1]}}"#,
        #"{"text":"a","number":1,"ratio":2,"flag":true,"list":[1],"table":{},"child":{"name":"n"}}"#,
        #"{"\u0074ext":"a","numb\u0065r":1,"ratio":2,"flag":true,"list":[1],"table":{}}"#,
        #"{"a":0,"text":"a","b":{"text":"no"},"number":1,"c":[{"ratio":9}],"ratio":2,"flag":true,"list":[1],"table":{},"z":1}"#,
        #"{"text":"first","number":1,"text":"second","ratio":2,"flag":true,"list":[1],"table":{"d":1,"d":2}}"#,
        #"{"number":1,"text":"first","ratio":2,"text":"second","flag":true,"number":2,"list":[1],"table":{}}"#,
        "null", "[]", "{}", "7", #""text""#, "[1,2", "",
    ])
    func plain(_ text: String) {
        expectSameDecoding(Plain.self, text)
        expectSameDecoding([Plain].self, "[\(text)]")
        expectSameDecoding([String: Plain?].self, #"{"k":\#(text)}"#)
    }

    @Test(arguments: ["int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"])
    func integers(_ name: String) {
        let numbers = [
            "0", "-0", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536",
            "2147483647",
            "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1.0", "1e2", "12e-1", "true",
            "null",
            "1e400", #""5""#, "[]",
        ]
        for number in numbers { expectSameDecoding(Integers.self, #"{"\#(name)":\#(number)}"#) }
    }

    @Test(arguments: [
        #"{"circle":{"radius":2}}"#, #"{"rectangle":{"_0":1,"_1":2}}"#, #"{"named":{"_0":"n","tags":["a"]}}"#,
        #"{"empty":{}}"#, #"{"circle":{}}"#, #"{"circle":{"radius":"2"}}"#, #"{"circle":{"radius":2},"empty":{}}"#,
        #"{"other":{}}"#, "{}", #""empty""#, #"{"circle":null}"#, #"{"circle":[]}"#,
    ])
    func payloads(_ text: String) {
        expectSameDecoding(Shape.self, text)
        expectSameDecoding([Shape].self, "[\(text),\(text)]")
    }

    @Test func recursion() {
        let text =
            #"{"node":{"left":{"leaf":{"_0":1}},"right":{"node":{"left":{"leaf":{"_0":2}},"right":{"leaf":{"_0":3}}}}}}"#
        expectSameDecoding(Tree.self, text)
        expectSameDecoding(Tree.self, text.replacingOccurrences(of: "3", with: "true"))
    }

    @Test func inheritance() {
        expectSameDecoding(Dog.self, #"{"name":"Rex","super":{"legs":4}}"#)
        expectSameDecoding(Dog.self, #"{"name":"Rex"}"#)
        expectSameDecoding(Dog.self, #"{"name":"Rex","super":{"legs":"four"}}"#)
        expectSameDecoding([Cat].self, #"[{"legs":4,"lives":9},{"lives":8,"legs":3}]"#)
        expectSameDecoding(Cat.self, #"{"lives":9}"#)
    }

    @Test(arguments: [
        #"{"position":{"x":1,"y":2},"names":[["a","b"],{"x":true}]}"#,
        #"{"position":{"x":1},"names":[["a","b"],{"x":true}]}"#,
        #"{"position":[],"names":[["a","b"],{"x":true}]}"#,
        #"{"position":{"x":1,"y":2},"names":[["a",null],{"x":true}]}"#,
        #"{"position":{"x":1,"y":2},"names":[["a","b"]]}"#,
        #"{"position":{"x":1,"y":2},"names":[]}"#,
        #"{"position":{"x":1,"y":2}}"#,
        #"{"position":{"x":1,"y":2},"names":[["a","b"],{"x":1}]}"#,
    ])
    func nestedContainers(_ text: String) {
        expectSameDecoding(Nested.self, text)
        expectSameDecoding([String: [Nested]].self, #"{"k":[\#(text)]}"#)
    }

    @Test func dynamicKeys() {
        expectSameDecoding(Dynamic.self, "{}")
        expectSameDecoding(Dynamic.self, #"{"a":1,"b":null,"c":3,"\u0064":4,"e":5,"f":6,"g":7}"#)
        expectSameDecoding(Dynamic.self, #"{"a":1,"b":"x"}"#)
        expectSameDecoding([Int: String].self, #"{"1":"a","2":"b"}"#)
        expectSameDecoding([Int: String].self, #"{"1":"a","x":"b"}"#)
        expectSameDecoding([Name: Int].self, #"{"first":1,"second":2}"#)
        expectSameDecoding([Name: Int].self, #"{"third":1}"#)
        expectSameDecoding([Level: Int].self, "[1,2,10,3]")
        expectSameDecoding([Level: Int].self, "[1,2,10]")
        expectSameDecoding([String: Int].self, #"{"a":1,"b":2,"a":3}"#)
    }

    @Test(arguments: ["[]", "[1,null,\"a\",[true],{},[1],2.5,null]", "[null]", "{}", "null", "3"])
    func walks(_ text: String) {
        expectSameDecoding(Walk.self, text)
        expectSameDecoding(NumberOrText.self, text)
    }

    @Test(arguments: [
        #"{"inner":{"list":[{},{"inner":{}}],"more":{"a":{"inner":{"list":[1]}},"b":{}}},"list":[{"list":[]}]}"#,
        #"{"inner":{"inner":{"inner":{"list":[[]]}}}}"#, "1",
    ])
    func codingPaths(_ text: String) {
        expectSameDecoding(Witness.self, text)
        expectSameDecoding([Witness].self, "[\(text),\(text)]")
    }

    /// Takes one value more than the inner array has. The number before that array says in which way.
    private struct PastEnd: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            let way = try container.decode(Int.self)
            var inner = try container.nestedUnkeyedContainer()
            while !inner.isAtEnd { _ = try inner.decode(Int.self) }
            switch way {
            case 0: _ = try inner.decode(Int.self)
            case 1: _ = try inner.decode(String.self)
            case 2: _ = try inner.decode([String: Int].self)
            case 3: _ = try inner.decodeNil()
            case 4: _ = try inner.nestedContainer(keyedBy: PathKey.self)
            case 5: _ = try inner.nestedUnkeyedContainer()
            case 6: _ = try inner.superDecoder()
            default: _ = try inner.decodeIfPresent(Int.self)
            }
        }
    }

    @Test("past an array's end an error names Foundation's type and path", arguments: 0...6, ["[]", "[1,2]"])
    func pastTheEnd(way: Int, list: String) throws {
        let text = Data(#"{"outer":[\#(way),\#(list)]}"#.utf8)
        func found(_ decode: ([String: PastEnd].Type, Data) throws -> [String: PastEnd]) throws -> [String] {
            let error = #expect(throws: DecodingError.self) { try decode([String: PastEnd].self, text) }
            guard case .valueNotFound(let type, let context) = error else { throw try #require(error) }
            return ["\(type)"] + context.codingPath.map(\.stringValue)
        }
        #expect(try found(JsonDecoder().decode) == found(JSONDecoder().decode))
    }

    @Test func fragments() {
        expectSameDecoding(Int.self, "1")
        expectSameDecoding(String.self, #" "a" "#)
        expectSameDecoding(Bool.self, "true")
        expectSameDecoding(Int?.self, "null")
        expectSameDecoding(Level.self, "10")
        expectSameDecoding(Level.self, "11")
        expectSameDecoding([Level].self, "[1,11]")
        expectSameDecoding(Double.self, "1e400")
        expectSameDecoding(Set<Int>.self, "[1,2,2]")
        expectSameDecoding([[Double]].self, "[[1,2.5],[]]")
        expectSameDecoding([Float].self, "[0.1,3.4028235e38,16777217,1e39]")
        expectSameDecoding([Float].self, "[0.1,3.4028235e38,16777217]")
        expectSameDecoding(URL.self, #""https://example.com/a?b=c""#)
        expectSameDecoding([URL].self, #"["https://example.com", ""]"#)
        expectSameDecoding(Decimal.self, "0.1")
        expectSameDecoding([Decimal].self, "[3.14159265358979323846264338327950288, 1e-5, \"1\"]")
    }
}
