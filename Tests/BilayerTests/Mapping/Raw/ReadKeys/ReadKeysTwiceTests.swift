import Bilayer
import Foundation
import Testing

private enum Kind: String, OpenEnum { case known }
private enum Other: String, OpenEnum { case other }
private enum Zero: DefaultProvider { static let defaults = Defaults(ifMissing: 0, ifNull: 0, ifInvalid: 0) }
private enum Keys: String, CodingKey { case kind, number, list }

private class Base: Decodable {
    let kind: Open<Kind>
    let number: Default<Zero>

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        kind = try container.decode(Open<Kind>.self, forKey: .kind)
        number = try container.decode(Default<Zero>.self, forKey: .number)
    }
}

/// Reads keys that its superclass reads, too.
// Sendable: its properties and those of its superclass are constants of Sendable types.
private final class Derived: Base, RawDecodable, @unchecked Sendable {
    let isKnown: Bool
    let list: [Int]

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        isKnown = try container.decode(Open<Kind>.self, forKey: .kind).known != nil
        _ = try container.decode(Default<Zero>.self, forKey: .number)
        _ = try container.decode(Lossy<[Int]>.self, forKey: .list)
        list = try container.decode(Lossy<[Int]>.self, forKey: .list).wrappedValue
        try super.init(from: decoder)
    }
}

@Suite("An entry that reads a key twice reports it once")
struct ReadKeysTwiceTests {
    @Test(arguments: [MappingPolicy.standard, .salvaging, .collectingAll()])
    func once(policy: MappingPolicy) throws {
        let json = try Json(parsing: #"{"kind":"new","number":"x","list":[1,"y"]}"#)
        let one = mapping(policy) { try Derived.from(raw: json) }
        let lines = ["warning unknown value $.kind", "warning used default $.number", "warning dropped $.list[1]"]
        #expect(one.value?.list == [1] && one.value?.isKnown == false)
        #expect(one.lines.sorted() == lines.sorted())
        let two = mapping(policy) { try [Derived].from(raw: [json, json]) }
        #expect(two.lines.count == 2 * lines.count)
    }

    @Test("as two types, each tells what it expected")
    func twoTypes() throws {
        struct Both: Decodable, RawDecodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                _ = try container.decode(Open<Kind>.self, forKey: .kind)
                _ = try container.decode(Open<Other>.self, forKey: .kind)
            }
        }
        let issues = mapping { try Both.from(raw: ["kind": "new"]) }.issues
        #expect(issues.map(\.expected) == ["a value of Kind", "a value of Other"])
    }
}
