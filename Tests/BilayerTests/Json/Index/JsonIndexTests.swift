import Bilayer
import Foundation
import Testing

// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
/// The value of a text. The test expects a trap, so this process exits with success if the text cannot be read.
private func parsed(_ text: String) -> Json {
    guard let json = try? Json(parsing: text) else { exit(EXIT_SUCCESS) }
    return json
}
#endif

/// An index that does not belong to a container stops the program with a message; nothing outside of the container is
/// read.
@Suite("Indices of elements and members")
struct JsonIndexTests {
    // Only on these platforms can a process start another one.
    #if os(macOS) || os(Linux)
    @Test("an element's index of another parsed array is refused")
    func indexOfAnotherArray() async {
        await #expect(processExitsWith: .failure) {
            let ten = parsed("[0,1,2,3,4,5,6,7,8,9]")
            let two = parsed("[1,2]")
            _ = two.elements[ten.elements.index(after: ten.elements.startIndex)]
        }
        await #expect(processExitsWith: .failure) {
            let both = parsed("[[1,2],[3,4]]")
            if let first = both[0], let second = both[1] { _ = second.elements[first.elements.startIndex] }
        }
        await #expect(processExitsWith: .failure) {
            let fromText = parsed("[1,2]")
            let inCode: Json = [1, 2]
            _ = fromText.elements[inCode.elements.startIndex]
        }
    }

    @Test("a member's index of another parsed object is refused")
    func indexOfAnotherObject() async {
        await #expect(processExitsWith: .failure) {
            let big = parsed(#"{"a":{"b":1,"c":2},"d":3}"#)
            let small = parsed(#"{"a":1,"b":2}"#)
            _ = small.members[big.members.index(after: big.members.startIndex)]
        }
        await #expect(processExitsWith: .failure) {
            let fromText = parsed(#"{"a":1}"#)
            let inCode: Json = ["a": 1]
            _ = inCode.members[fromText.members.startIndex]
        }
    }

    @Test("an index of a value that was changed since is refused")
    func staleIndex() async {
        await #expect(processExitsWith: .failure) {
            var json = parsed("[1,2,3]")
            let index = json.elements.startIndex
            json[0] = 5
            _ = json.elements[index]
        }
        await #expect(processExitsWith: .failure) {
            var json = Json(members: (0..<40).map { (key: "k\($0)", value: Json($0)) })
            let index = json.members.index(after: json.members.startIndex)
            json["k1"] = nil
            _ = json.members[index]
        }
    }

    @Test("an index of a text that is gone does not fit one that lies at its address")
    func indexOfAFreedText() async {
        await #expect(processExitsWith: .failure) {
            func second() -> Json.Elements.Index {
                let elements = parsed("[[1,2,3,4,5,6,7,8],2]").elements
                return elements.index(after: elements.startIndex)
            }
            let index = second()
            for _ in 0..<1000 { _ = parsed("[1,2]").elements[index] }
        }
    }

    @Test("stepping past the end of an array is refused, however far")
    func elementsPastTheEnd() async {
        await #expect(processExitsWith: .failure) {
            let elements = parsed("[1,2,3]").elements
            print(elements.index(elements.startIndex, offsetBy: 4))
        }
        await #expect(processExitsWith: .failure) {
            let elements = parsed("[1,2,3]").elements
            print(elements.index(elements.startIndex, offsetBy: 100_000))
        }
        await #expect(processExitsWith: .failure) {
            let elements = parsed("[1,2,3]").elements
            var index = elements.endIndex
            elements.formIndex(after: &index)
        }
        await #expect(processExitsWith: .failure) {
            let elements = parsed("[1,2,3]").elements
            print(elements.index(elements.startIndex, offsetBy: -1))
        }
        await #expect(processExitsWith: .failure) {
            let elements = parsed("[1,2,3]").elements
            print(elements[elements.endIndex])
        }
        await #expect(processExitsWith: .failure) { print(Json.Elements.none[Json.Elements.none.startIndex]) }
    }

    @Test("stepping past the end of an object is refused, however far")
    func membersPastTheEnd() async {
        await #expect(processExitsWith: .failure) {
            let members = parsed(#"{"a":[1,[2,3]]}"#).members
            print(members.index(after: members.endIndex))
        }
        await #expect(processExitsWith: .failure) {
            let members = parsed(#"{"a":[1,[2,3]]}"#).members
            print(members.index(members.startIndex, offsetBy: 100_000))
        }
        await #expect(processExitsWith: .failure) {
            let members = (["a": 1] as Json).members
            print(members[members.endIndex])
        }
    }

    @Test("a range or a distance with an index of another array is refused")
    func foreignRangesAndDistances() async {
        await #expect(processExitsWith: .failure) {
            let three = parsed("[1,2,3]").elements
            let ten = parsed("[0,1,2,3,4,5,6,7,8,9]").elements
            print(three[three.startIndex..<ten.endIndex].count)
        }
        await #expect(processExitsWith: .failure) {
            let three = parsed("[1,2,3]").elements
            let ten = parsed("[0,1,2,3,4,5,6,7,8,9]").elements
            print(three.distance(from: three.startIndex, to: ten.endIndex))
        }
        await #expect(processExitsWith: .failure) {
            let three = parsed("[1,2,3]").elements
            let ten = parsed("[0,1,2,3,4,5,6,7,8,9]").elements
            print(Array(three[ten.startIndex...]))
        }
    }
    #endif

    /// One array: parsed, in code, and inside of another.
    static func arrays() throws -> [Json.Elements] {
        let text = #"[1,[2,{"x":[]}],{"y":3},"four",[],5]"#
        var inCode = try Json(parsing: text)
        inCode[1] = [2, ["x": []]]
        let around = try Json(parsing: "{\"list\":\(text)}")
        return [try Json(parsing: text).elements, inCode.elements, around["list"]?.elements ?? .none]
    }

    @Test("what a collection offers agrees with a Swift array", arguments: try arrays())
    func collection(elements: Json.Elements) throws {
        let array = Array(elements)
        #expect(array.count == 6 && elements.count == 6 && !elements.isEmpty)
        #expect(Array(elements.indices.map { elements[$0] }) == array)
        for start in 0...6 {
            let from = elements.index(elements.startIndex, offsetBy: start)
            #expect(elements.distance(from: elements.startIndex, to: from) == start)
            #expect(Array(elements.prefix(start)) == Array(array.prefix(start)))
            #expect(Array(elements.suffix(start)) == Array(array.suffix(start)))
            #expect(Array(elements.dropFirst(start)) == Array(array.dropFirst(start)))
            #expect(Array(elements.dropLast(start)) == Array(array.dropLast(start)))
            for end in start...6 {
                let to = elements.index(from, offsetBy: end - start)
                #expect(Array(elements[from..<to]) == Array(array[start..<end]))
                #expect(elements.distance(from: to, to: from) == start - end)
            }
        }
        #expect(elements.index(elements.startIndex, offsetBy: 7, limitedBy: elements.endIndex) == nil)
        #expect(elements.index(elements.startIndex, offsetBy: 6, limitedBy: elements.endIndex) == elements.endIndex)
        #expect(elements.prefix(100).count == 6)
        #expect(elements.first == 1 && elements.first { $0.kind == .string } == "four")
    }

    @Test("members of an object in code keep their order while others are removed")
    func membersInCode() {
        var json = Json(members: (0..<100).map { (key: "k\($0)", value: Json($0)) })
        for number in 0..<100 where number % 3 != 1 { json["k\(number)"] = nil }
        let expected = (0..<100).filter { $0 % 3 == 1 }
        #expect(json.members.map { $0.value.int } == expected)
        #expect(json.members.indices.map { json.members[$0].key } == expected.map { "k\($0)" })
        #expect(Array(json.members.dropFirst(3).prefix(2).map(\.key)) == ["k10", "k13"])
        #expect(json.members.distance(from: json.members.startIndex, to: json.members.endIndex) == expected.count)
    }

    @Test("indices of equal copies are the same")
    func equalCopies() throws {
        let json = try Json(parsing: #"{"list":[1,2,3]}"#)
        let list = try #require(json["list"])
        let second = list.elements.index(after: list.elements.startIndex)
        #expect(json["list"]?.elements[second] == 2)
        #expect(list.elements.map(\.int) == [1, 2, 3])
    }
}
