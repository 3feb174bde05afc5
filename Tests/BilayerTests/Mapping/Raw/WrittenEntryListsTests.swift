import Bilayer
import Foundation
import Testing

/// Writes itself, or nothing.
private struct MaybeSilent: Encodable, RawEncodable {
    let isSilent: Bool

    func encode(to encoder: any Encoder) throws {
        if isSilent { return }
        var container = encoder.singleValueContainer()
        try container.encode(encoder.codingPath.count)
    }
}

private final class EncodeCalls {
    var count = 0
}

/// A `Codable` entry whose items are written by hand. Each item has a list of such entries.
private struct ListedGroup: Encodable, RawEncodable {
    enum Key: CodingKey { case userURL, userUrl, items }
    let rate: Double
    var hasClash = false
    let items: [ListedItem]
    let calls: EncodeCalls

    func encode(to encoder: any Encoder) throws {
        calls.count += 1
        var container = encoder.container(keyedBy: Key.self)
        if hasClash { try container.encode(rate, forKey: .userURL) }
        try container.encode(rate, forKey: .userUrl)
        try container.encode(items, forKey: .items)
    }
}

private struct ListedItem: Encodable, RawEncodable {
    let groups: [ListedGroup]

    func toRaw() throws -> Json { try Json.object { try $0.write(groups, forKey: "groups") } }

    func encode(to encoder: any Encoder) throws { try toRaw().encode(to: encoder) }
}

@Suite("Lists of Codable entries: each element is written once, as if it was alone")
struct WrittenEntryListsTests {
    private var snakeCase: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }

    /// Groups inside each other. The innermost one has the rate. In each list another group precedes the nested one.
    private func groups(_ levels: Int, innermost rate: Double, hasClash: Bool, _ calls: EncodeCalls) -> ListedGroup {
        var group = ListedGroup(rate: rate, hasClash: hasClash, items: [], calls: calls)
        for _ in 0..<levels {
            let sibling = ListedGroup(rate: 2, items: [], calls: calls)
            group = ListedGroup(rate: 1, items: [ListedItem(groups: [sibling, group])], calls: calls)
        }
        return group
    }

    @Test("an element that writes nothing is an error wherever it is", arguments: 0..<4)
    func silentElements(index: Int) throws {
        let elements = (0..<4).map { MaybeSilent(isSilent: $0 == index) }
        for _ in 0..<2 {
            let written = mapping { try elements.toRaw() }
            #expect(written.value == nil)
            #expect(written.lines == ["error invalid value $[\(index)]"])
            #expect(throws: MappingError.self) { try elements.toRaw() }
            let salvaged = mapping(.salvaging) { try elements.toRaw() }
            #expect(salvaged.value == [0, 0, 0])
            #expect(salvaged.lines == ["warning dropped $[\(index)]"])
        }
    }

    @Test("all elements that cannot be written are collected")
    func collecting() throws {
        let elements = (0..<4).map { MaybeSilent(isSilent: $0 % 2 == 1) }
        let written = mapping(.collectingAll()) { try elements.toRaw() }
        #expect(written.lines == ["error invalid value $[1]", "error invalid value $[3]"])
    }

    // Were a list written again at each level, this would be a billion calls.
    @Test(
        "lists inside each other are written once after an error, too",
        arguments: [
            (MappingPolicy.standard, false), (.strict, false), (.collectingAll(), false), (.salvaging, true),
        ]
    )
    func errorsAtDepth(policy: MappingPolicy, isWritten: Bool) {
        let calls = EncodeCalls()
        let written = mapping(policy, snakeCase) {
            try [groups(30, innermost: .nan, hasClash: false, calls)].toRaw()
        }
        #expect(calls.count == 61)
        #expect((written.value != nil) == isWritten)
    }

    @Test("lists inside each other are written once with a warning, too")
    func warningsAtDepth() {
        let calls = EncodeCalls()
        let written = mapping(.standard, snakeCase) {
            try [groups(30, innermost: 3, hasClash: true, calls)].toRaw()
        }
        #expect(calls.count == 61)
        #expect(written.issues.map(\.kind) == [.keyClash])
        #expect(written.error == nil)
    }

    @Test("an element that is refused for a warning leaves nothing behind")
    func refused() throws {
        let calls = EncodeCalls()
        let elements = (0..<3).map { ListedGroup(rate: 1, hasClash: $0 == 1, items: [], calls: calls) }
        #expect(mapping(.standard, snakeCase) { try elements.toRaw() }.lines == ["warning key clash $[1].user_url"])
        #expect(mapping(.strict, snakeCase) { try elements.toRaw() }.lines == ["error key clash $[1].user_url"])
        #expect(calls.count == 5)
    }

    @Test("parts that are written later belong to their element")
    func writtenLater() throws {
        struct Later: Encodable, RawEncodable {
            enum Key: CodingKey { case first, second }
            let number: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedUnkeyedContainer(forKey: .first)
                try container.encode(number, forKey: .second)
                try nested.encode(number)
            }
        }
        let written = try (0..<4).map { Later(number: $0) }.toRaw()
        #expect(
            written.description
                == "[" + (0..<4).map { #"{"first":[\#($0)],"second":\#($0)}"# }.joined(separator: ",") + "]"
        )
    }
}
