import Foundation
import Testing

@testable import Bilayer

/// Edits one after another take time in proportion to their number. With a copy of the value for each edit, these tests
/// would run very long.
@Suite("Json: many edits")
struct JsonEditingCostTests {
    static let count = 10_000

    /// Objects with many members: one made in code, and one received.
    static func objects() throws -> [Json] {
        let inCode = Json(members: (0..<count).map { (key: "k\($0)", value: Json($0)) })
        return [inCode, try Json(parsing: inCode.serialized())]
    }

    @Test("members are removed one by one, from the front, from the back, and from the middle")
    func removing() throws {
        for object in try Self.objects() {
            var (front, back, middle) = (object, object, object)
            for number in 0..<Self.count - 1 {
                front["k\(number)"] = nil
                back["k\(Self.count - 1 - number)"] = nil
                middle["k\((number * 7919 + 1) % Self.count)"] = nil
            }
            #expect(front.description == "{\"k\(Self.count - 1)\":\(Self.count - 1)}")
            #expect(back.description == #"{"k0":0}"#)
            #expect(middle.count == 1)
        }
    }

    @Test("the first member is read and removed until none is left")
    func consuming() throws {
        var json = Json(members: (0..<Self.count).map { (key: "k\($0)", value: Json($0)) })
        var sum = 0
        while let (key, value) = json.members.first {
            sum += value.int ?? 0
            json[key] = nil
        }
        #expect(sum == Self.count * (Self.count - 1) / 2)
        #expect(json == [:])
    }

    @Test("members are set one by one, at the top and further in")
    func setting() throws {
        for object in try Self.objects() {
            var json: Json = ["list": [object], "top": object]
            for number in 0..<Self.count {
                json["top"]?["k\(number)"] = 1
                json["list"]?[0]?["k\(number)"] = 2
                json.set(3, at: [.key("list"), .index(0), .key("k\(number)")])
                json.set(4, at: [.key("new"), .key("members"), .key("k\(number)")])
            }
            #expect(json["top"]?.members.allSatisfy { $0.value == 1 } == true)
            #expect(json["list"]?[0]?.members.allSatisfy { $0.value == 3 } == true)
            #expect(json["new"]?["members"]?.count == Self.count)
        }
    }

    @Test("elements are appended one by one to an array further in")
    func appending() {
        var json: Json = ["list": []]
        for number in 0..<Self.count {
            if number % 2 == 0 {
                json["list"]?[number] = Json(number)
            } else {
                json.set(Json(number), at: [.key("list"), .index(number)])
            }
        }
        #expect(json["list"]?.array?.map(\.int) == Array(0..<Self.count))
    }

    @Test("members are removed one by one at a path, and by merge patches")
    func removingFurtherIn() throws {
        for object in try Self.objects() {
            var json: Json = ["inner": object, "patched": object]
            for number in 0..<Self.count {
                let removed = json.remove(at: [.key("inner"), .key("k\(number)")])
                #expect(removed == Json(number))
                json.merge(["patched": ["k\(number)": nil]])
            }
            #expect(json.description == #"{"inner":{},"patched":{}}"#)
        }
    }

    @Test("an edit further in copies nothing of the container that it changes")
    func editsAreInPlace() throws {
        func place(_ json: Json) -> Int? {
            guard case .object(let object)? = json["inner"]?.storage else { return nil }
            return unsafe object.slots.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        var json: Json = ["inner": Json(members: (0..<100).map { (key: "k\($0)", value: Json($0)) })]
        let before = try #require(place(json))
        json["inner"]?["k1"] = 5
        #expect(place(json) == before)
        json.set(6, at: [.key("inner"), .key("k2")])
        #expect(place(json) == before)
        json.merge(["inner": ["k3": 7]])
        #expect(place(json) == before)
        json.remove(at: [.key("inner"), .key("k4")])
        #expect(place(json) == before)
    }

    @Test("what is not changed stays as it is when a path cannot be followed")
    func refusedPaths() throws {
        let text = #"{"a":[1,{"b":2}],"c":{"d":null}}"#
        for original in [try Json(parsing: text), ["a": [1, ["b": 2]], "c": ["d": nil]]] {
            var json = original
            var isSet: [Bool] = []
            isSet.append(json.set(1, at: [.key("a"), .index(3), .key("x")]))
            isSet.append(json.set(1, at: [.key("a"), .index(1), .index(0)]))
            isSet.append(json.set(1, at: [.key("c"), .key("new"), .index(0)]))
            #expect(isSet == [false, false, false])
            json["absent"]?["x"] = 1
            json["a"]?[7]?["x"] = 1
            json["a"]?[-1] = 1
            json["c"]?["d"]?["e"] = nil
            #expect(json.description == text)
        }
    }

    @Test("a member can be set, changed and removed through an optional")
    func optionals() throws {
        func rename(_ json: inout Json?) { json = json.map { _ in "changed" } ?? "new" }
        func remove(_ json: inout Json?) { json = nil }
        struct Refused: Error {}
        func refuse(_ json: inout Json?) throws {
            json = "before the error"
            throw Refused()
        }
        for var json in [try Json(parsing: #"{"a":1,"b":[1,2]}"#), ["a": 1, "b": [1, 2]]] {
            rename(&json["a"])
            rename(&json["c"])
            rename(&json["b"]![0])
            remove(&json["absent"])
            #expect(json.description == #"{"a":"changed","b":["changed",2],"c":"new"}"#)
            remove(&json["a"])
            remove(&json["b"]![0])
            #expect(throws: Refused.self) { try refuse(&json["c"]) }
            #expect(json.description == #"{"b":[2],"c":"before the error"}"#)
        }
        var number: Json = 7
        remove(&number["a"])
        #expect(number == 7)
        rename(&number["a"])
        #expect(number == ["a": "new"])
    }
}
