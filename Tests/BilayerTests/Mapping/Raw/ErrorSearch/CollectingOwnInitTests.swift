import Bilayer
import Foundation
import Testing

private enum MildNumber: DefaultProvider { static let defaults = Defaults(ifMissing: 1, ifInvalid: 0) }

@Suite("Collecting: what a type's own init decides")
struct CollectingOwnInitTests {
    /// An entry whose `kind` decides which fields it reads.
    private struct Block: Decodable, RawDecodable {
        enum Kind: String, Decodable, CaseIterable { case text, image }
        let kind: Kind
        var text: String?
        var image: URL?
        enum CodingKeys: CodingKey { case kind, text, image }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            switch kind {
            case .text: text = try container.decode(String.self, forKey: .text)
            case .image: image = try container.decode(URL.self, forKey: .image)
            }
        }
    }

    @Test("fields that depend on a bad value are not missed")
    func discriminator() throws {
        for text in [#"{"kind":"text","text":"a"}"#, #"{"kind":"video","image":"https://a.example"}"#] {
            let told = try collectedErrors(Block.self, text)
            #expect(told == (text.contains("video") ? ["error invalid value $.kind"] : []))
        }
        #expect(try collectedErrors(Block.self, #"{"kind":"text"}"#) == ["error missing $.text"])
        #expect(try collectedErrors(Block.self, #"{"kind":7}"#) == ["error wrong type $.kind"])
    }

    @Test("legal alternatives are no errors, beside one that is")
    func alternatives() throws {
        struct Flexible: Decodable, RawDecodable {
            let id: Int
            let number: Int
            let note: String
            enum CodingKeys: CodingKey { case id, number, note }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Int.self, forKey: .id)
                if let number = try? container.decode(Int.self, forKey: .number) {
                    self.number = number
                } else {
                    number = Int(try container.decode(String.self, forKey: .number)) ?? 0
                }
                do {
                    note = try container.decode(String.self, forKey: .note)
                } catch DecodingError.keyNotFound {
                    note = "-"
                }
            }
        }
        #expect(try collectedErrors(Flexible.self, #"{"id":"x","number":"7"}"#) == ["error wrong type $.id"])
        #expect(
            try collectedErrors(Flexible.self, #"{"id":1,"number":"7","note":1}"#) == ["error wrong type $.note"]
        )
    }

    @Test("alternatives of a type are none of its errors, also after values that needed none")
    func learnedAlternatives() throws {
        struct Either2: Decodable, RawDecodable {
            let id: Int
            let number: Int
            enum CodingKeys: CodingKey { case id, number }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Int.self, forKey: .id)
                number =
                    try (try? container.decode(Int.self, forKey: .number))
                    ?? Int(container.decode(String.self, forKey: .number)) ?? 0
            }
        }
        struct Choosing: Decodable, RawDecodable {
            let kind: String
            let body: String
            enum CodingKeys: CodingKey { case kind, text, image }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                kind = try container.decode(String.self, forKey: .kind)
                body = try container.decode(String.self, forKey: kind == "text" ? .text : .image)
            }
        }
        #expect(
            try collectedErrors([Either2].self, #"[{"id":1,"number":7},{"id":"x","number":"7"}]"#) == [
                "error wrong type $[1].id"
            ]
        )
        #expect(
            try collectedErrors([Choosing].self, #"[{"kind":"text","text":"a"},{"kind":7,"image":"b"}]"#)
                == ["error wrong type $[1].kind"]
        )
    }

    @Test("fields that may be missing may be so behind an error, also after values that had them")
    func tolerantFields() throws {
        struct Mild: Codable, RawMappable {
            let a: Int
            @Default<MildNumber> var n: Int
            let f: Field<Int>
            @Lossy var l: [Int]
        }
        let good = #"{"a":1,"n":2,"f":3,"l":[1]}"#
        #expect(
            try collectedErrors([Mild].self, #"[\#(good),{"a":"x","l":[]}]"#).filter { $0.hasPrefix("error") } == [
                "error wrong type $[1].a"
            ]
        )
        let bad = #"{"a":"x","n":"y","f":null,"l":[]}"#
        #expect(
            try collectedErrors([Mild].self, "[\(good),\(bad)]").filter { $0.hasPrefix("error") } == [
                "error wrong type $[1].a"
            ]
        )
        struct Patch: Codable, RawMappable {
            let a: Int
            let f: Field<Int>
        }
        #expect(
            try collectedErrors([Patch].self, #"[{"a":1,"f":2},{"a":"x"},{"a":"x","f":null},{"a":"x","f":"y"}]"#) == [
                "error wrong type $[1].a", "error wrong type $[2].a", "error wrong type $[3].a",
                "error wrong type $[3].f",
            ]
        )
    }

    @Test("no collection of the app's own is made for a bad value")
    func ownCollections() throws {
        struct Filled: Decodable, ExpressibleByArrayLiteral {
            let values: [Int]
            init(arrayLiteral elements: Int...) {
                precondition(!elements.isEmpty)
                values = elements
            }
            init(from decoder: any Decoder) throws { values = try [Int](from: decoder) }
        }
        struct Page: Decodable, RawDecodable {
            let list: Filled
            let next: Int
        }
        #expect(try collectedErrors(Page.self, #"{"list":7,"next":"x"}"#) == ["error wrong type $.list"])
    }

    @Test("what an app makes of an empty list does not follow from a bad one")
    func emptyLists() throws {
        struct Reasoned: Decodable, RawDecodable {
            let ids: [Int]
            let reason: String?
            enum CodingKeys: CodingKey { case ids, reason }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                ids = try container.decode([Int].self, forKey: .ids)
                reason = ids.isEmpty ? try container.decode(String.self, forKey: .reason) : nil
            }
        }
        #expect(try collectedErrors(Reasoned.self, #"{"ids":"x"}"#) == ["error wrong type $.ids"])
    }

    @Test("a rule that a placeholder breaks is no error")
    func rules() throws {
        struct Span: Decodable, RawDecodable {
            let start: Int
            let end: Int
            let name: String
            enum CodingKeys: CodingKey { case start, end, name }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                start = try container.decode(Int.self, forKey: .start)
                end = try container.decode(Int.self, forKey: .end)
                if start > end { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "order")) }
                name = try container.decode(String.self, forKey: .name)
            }
        }
        #expect(try collectedErrors(Span.self, #"{"start":"x","end":-5,"name":1}"#) == ["error wrong type $.start"])
        let good = #"{"start":1,"end":5,"name":"a"}"#
        #expect(
            try collectedErrors(Span.self, #"{"start":"x","end":-5,"name":1}"#, after: good) == [
                "error wrong type $.start", "error wrong type $.name",
            ]
        )
        #expect(try collectedErrors(Span.self, #"{"start":7,"end":-5,"name":1}"#) == ["error invalid value $"])
    }

    @Test("no initialiser of the app runs on made-up values once a value of its type was read")
    func noPlaceholders() throws {
        struct Link: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                if text != "a" { MappingIssue(.brokenRule, severity: .warning).report() }
            }
        }
        struct Page: Decodable, RawDecodable {
            let id: Int
            let link: Link
            let title: String
        }
        let good = #"{"id":1,"link":"a","title":"b"}"#
        #expect(
            try collectedErrors(Page.self, #"{"id":"x","link":7,"title":1}"#, after: good) == [
                "error wrong type $.id", "error wrong type $.link", "error wrong type $.title",
            ]
        )
    }

    @Test("what is tolerated is reported once, beside errors")
    func tolerated() throws {
        enum Size: String, OpenEnum { case small }
        struct Shelf: Codable, RawMappable {
            let size: Open<Size>
            @Lossy var tags: [String]
            let id: Int
            let name: String
        }
        #expect(
            Set(try collectedErrors(Shelf.self, #"{"size":"big","tags":[1,"a"],"id":"x","name":1}"#)) == [
                "warning unknown value $.size", "warning dropped $.tags[0]", "error wrong type $.id",
                "error wrong type $.name",
            ]
        )
    }

    @Test("a type that does not store each of its keys ends at its first error, whatever the limit", arguments: 1...5)
    func keysThatAreNotStored(limit: Int) throws {
        struct Size: Decodable, RawDecodable {
            let width: Int
            let height: Int
            let depth: Int
            enum CodingKeys: CodingKey { case type, width, height, depth }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                width = try container.decode(Int.self, forKey: .width)
                height = try container.decode(Int.self, forKey: .height)
                depth = try container.decode(Int.self, forKey: .depth)
            }
        }
        let broken = #"{"width":"a","height":"a","depth":"a"}"#
        #expect(try collectedErrors(Size.self, broken, limit: limit) == ["error wrong type $.width"])
        let listed = ["error wrong type $[0].width", "error wrong type $[1].width", "error missing $[2].width"]
        #expect(
            try collectedErrors([Size].self, "[\(broken),\(broken),{}]", limit: limit) == Array(listed.prefix(limit))
        )
    }

    @Test("the errors after a placeholder do not count either, if the type's end is not reached", arguments: 1...4)
    func endsNotReached(limit: Int) throws {
        struct Part: Decodable { let n: Int }
        struct Size: Decodable, RawDecodable {
            let width: Int
            let height: Int
            let part: Part
            enum CodingKeys: CodingKey { case type, width, height, part }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                width = try container.decode(Int.self, forKey: .width)
                height = try container.decode(Int.self, forKey: .height)
                part = try container.decode(Part.self, forKey: .part)
            }
        }
        let unlikely = #"{"width":"a","height":"a","part":{"n":1}}"#
        #expect(try collectedErrors(Size.self, unlikely, limit: limit) == ["error wrong type $.width"])

        struct Opened: Decodable, RawDecodable {
            let width: Int
            let height: Int
            let n: Int
            enum CodingKeys: CodingKey { case width, height, part }
            enum PartKeys: CodingKey { case n }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let part = try container.nestedContainer(keyedBy: PartKeys.self, forKey: .part)
                width = try container.decode(Int.self, forKey: .width)
                height = try container.decode(Int.self, forKey: .height)
                n = try part.decode(Int.self, forKey: .n)
            }
        }
        let broken = #"{"width":"a","height":"a","part":{}}"#
        #expect(try collectedErrors(Opened.self, broken, limit: limit) == ["error wrong type $.width"])

        struct Unstored: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case width, part }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                _ = try container.decode(Int.self, forKey: .width)
                _ = try container.decode(Part.self, forKey: .part)
            }
        }
        let inner = #"{"width":"a","part":{"n":[]}}"#
        #expect(try collectedErrors(Unstored.self, inner, limit: limit) == ["error wrong type $.width"])

        struct Whole: Decodable, RawDecodable {
            let width: Int
            let height: Int
            let part: Part
        }
        let whole = ["error wrong type $.width", "error wrong type $.height", "error missing $.part.n"]
        #expect(try collectedErrors(Whole.self, broken, limit: limit) == Array(whole.prefix(limit)))
    }

    @Test("a type that stores each of its keys has as many errors as the limit allows", arguments: 1...4)
    func limited(limit: Int) throws {
        struct Box: Decodable, RawDecodable {
            let width: Int
            let height: Int
            let depth: Int
        }
        let all = ["width", "height", "depth"].map { "error wrong type $.\($0)" }
        let broken = #"{"width":"a","height":"a","depth":"a"}"#
        #expect(try collectedErrors(Box.self, broken, limit: limit) == Array(all.prefix(limit)))
    }

    @Test("a member that a type only looks for, and that is missing, is an error beside others")
    func required() throws {
        struct Gate: Decodable, RawDecodable {
            let isClosed: Bool
            let width: Int
            enum CodingKeys: CodingKey { case closed, width }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                isClosed = try container.decodeNil(forKey: .closed)
                width = try container.decode(Int.self, forKey: .width)
            }
        }
        #expect(try collectedErrors(Gate.self, "{}") == ["error missing $.closed", "error missing $.width"])
        #expect(try collectedErrors(Gate.self, #"{"width":1}"#) == ["error missing $.closed"])
        #expect(try collectedErrors(Gate.self, #"{"closed":null}"#) == ["error missing $.width"])
        #expect(
            try collectedErrors([Gate].self, #"[{"width":"a"},{"closed":1}]"#, after: #"[{"closed":1,"width":2}]"#)
                == ["error missing $[0].closed", "error wrong type $[0].width", "error missing $[1].width"]
        )
    }

    @Test("a missing member that a type looks for because of a placeholder is no error")
    func requiredByPlaceholder() throws {
        struct Range: Decodable, RawDecodable {
            let start: Int
            let isOpen: Bool
            enum CodingKeys: CodingKey { case start, end, other }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                start = try container.decode(Int.self, forKey: .start)
                isOpen =
                    start < 0
                    ? try container.decode(Bool.self, forKey: .other) : try container.decodeNil(forKey: .end)
            }
        }
        let text = #"{"start":"x","other":true}"#
        #expect(try collectedErrors(Range.self, text) == ["error wrong type $.start"])
    }

    @Test("a type that reads itself from the same value ends with an error")
    func endless() throws {
        struct Endless: Decodable, RawDecodable {
            init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Self.self) }
        }
        #expect(try collectedErrors([String: Endless].self, #"{"a":1}"#).count == 1)
    }
}
