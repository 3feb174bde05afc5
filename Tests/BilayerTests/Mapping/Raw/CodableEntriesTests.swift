import Foundation
import Testing

@testable import Bilayer

private struct Entry: Codable, RawMappable, Hashable {
    let id: Int
}

/// Reads itself by hand although it is `Codable` too, and reads another key than the compiler's conformance.
private struct ByHand: Codable, RawMappable, Equatable {
    let id: Int

    static func from(raw: Json) throws -> ByHand { try ByHand(id: raw.decode("number")) }
}

/// Reads entries from other texts while it is read itself.
private struct Nesting: Decodable, RawDecodable, Equatable {
    let id: Int
    let inner: [Entry]
    let other: Entry

    private enum Key: String, CodingKey { case id, inner, text }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let text = try container.decode(String.self, forKey: .text)
        inner = try [Entry].from(raw: container.decode(Json.self, forKey: .inner))
        other = try JsonDecoder().decode(Entry.self, from: Data(text.utf8))
        id = try container.decode(Int.self, forKey: .id)
    }
}

/// Keeps its container and its decoder.
private struct Keeping: Decodable, RawDecodable {
    let decoder: any Decoder
    let container: KeyedDecodingContainer<KeepingKey>

    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: KeepingKey.self)
        _ = try container.decode(Int.self, forKey: .id)
    }
}

private struct Cancelling: Decodable, RawDecodable {
    init(from decoder: any Decoder) throws { throw CancellationError() }
}

private struct Failure: Error {}

private struct Failing: Decodable, RawDecodable {
    init(from decoder: any Decoder) throws { throw Failure() }
}

@Suite("Codable entries that are read one after another")
struct CodableEntriesTests {
    @Test func aTypesOwnReadingIsHonoured() throws {
        let text = #"[{"number":1,"id":7},{"number":2,"id":7}]"#
        #expect(try [ByHand].from(raw: Json(parsing: text)) == [ByHand(id: 1), ByHand(id: 2)])
        #expect(
            try [String: [ByHand]].from(raw: Json(parsing: "{\"a\":\(text)}")) == ["a": [.init(id: 1), .init(id: 2)]]
        )
        #expect(throws: MappingError.self) { try [ByHand].from(raw: Json(parsing: #"[{"id":7}]"#)) }
    }

    @Test func entriesOfADocumentAndValuesMadeInCodeAreTheSame() throws {
        let parsed = try Json(parsing: #"[{"id":1},{"id":2}]"#)
        let made: Json = [["id": 1], ["id": 2]]
        let mixed = Json([try #require(parsed[0]), ["id": 2]])
        for json in [parsed, made, mixed] {
            #expect(try [Entry].from(raw: json) == [Entry(id: 1), Entry(id: 2)])
        }
    }

    /// The settings of one call, and a document's rule for equal keys, have no effect on the next entry.
    @Test func callsWithOtherSettingsInBetweenLeaveNothing() throws {
        let text = #"[{"id":1,"id":2}]"#
        let first = try Json(parsing: text)
        let last = try Json(parsing: text, options: .init(duplicateKeys: .lastWins))
        var converting = JsonDecoder()
        converting.keys = .custom { _ in PathKey("id") }
        for _ in 0..<3 {
            #expect(try [Entry].from(raw: first) == [Entry(id: 1)])
            #expect(try [Entry].from(raw: last) == [Entry(id: 2)])
            #expect(try converting.decode(Entry.self, from: Data(#"{"other":3}"#.utf8)) == Entry(id: 3))
            #expect(try JsonDecoder().decode([Entry].self, from: first) == [Entry(id: 1)])
            #expect(throws: MappingError.self) { try [Entry].from(raw: Json(parsing: #"[{"other":3}]"#)) }
        }
    }

    @Test func anEntryMayReadOthersWhileItIsRead() throws {
        let element = #"{"id":5,"inner":[{"id":1},{"id":2}],"text":"{\"id\":3}"}"#
        let values = try [Nesting].from(raw: Json(parsing: "[\(element),\(element)]"))
        #expect(values.map(\.id) == [5, 5])
        #expect(values.map(\.inner) == [[Entry(id: 1), Entry(id: 2)], [Entry(id: 1), Entry(id: 2)]])
        #expect(values.map(\.other) == [Entry(id: 3), Entry(id: 3)])
    }

    @Test func anErrorInsideAnotherReadingKeepsItsPath() throws {
        let good = #"{"id":5,"inner":[{"id":1}],"text":"{\"id\":3}"}"#
        let bad = #"{"id":5,"inner":[{"id":1},{"id":"x"}],"text":"{\"id\":3}"}"#
        let json = try Json(parsing: "[\(good),\(bad)]")
        let error = #expect(throws: MappingError.self) { try [Nesting].from(raw: json) }
        #expect(error?.path == [.index(1), .key("inner"), .index(1), .key("id")])
        // The error does not disturb the next reading.
        #expect(try [Entry].from(raw: Json(parsing: #"[{"id":1}]"#)) == [Entry(id: 1)])
    }

    @Test func whatAnEntryKeepsStaysValid() throws {
        let kept = try [Keeping]
            .from(raw: Json(parsing: #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#))
        for _ in 0..<20 { _ = try [Entry].from(raw: Json(parsing: #"[{"id":8},{"id":9}]"#)) }
        #expect(try kept.map { try $0.container.decode(Int.self, forKey: .id) } == [1, 2, 3])
        #expect(
            try kept.map { try $0.decoder.container(keyedBy: KeepingKey.self).decode(String.self, forKey: .name) }
                == ["a", "b", "c"]
        )
        #expect(kept.allSatisfy { $0.container.codingPath.isEmpty })
    }

    @Test func errorsOfTheTypesPassAsTheyAre() throws {
        let json = try Json(parsing: "[{},{}]")
        #expect(throws: CancellationError.self) { try [Cancelling].from(raw: json) }
        let error = #expect(throws: MappingError.self) { try [Failing].from(raw: json) }
        #expect(error?.path == [.index(0)])
        #expect(error?.issues.first?.underlyingError is Failure)
        #expect(throws: Failure.self) { try Failing.from(raw: json) }
    }

    @Test func theFirstErrorNamesItsType() throws {
        let json = try Json(parsing: #"[{"id":1},{"id":[]}]"#)
        let error = #expect(throws: MappingError.self) { try [Entry].from(raw: json) }
        #expect(error?.path == [.index(1), .key("id")])
        #expect(error?.issues.first?.kind == .wrongType)
        #expect(error?.issues.first?.owner == typeName(Entry.self))
    }

    /// What the decoder learns of a type in its first reading changes only the time of later readings.
    @Test func laterArraysAreReadAsTheFirst() throws {
        struct Fresh: Codable, RawMappable, Equatable {
            let id: Int
            let kind: Kind
            let next: [Fresh]?
        }
        enum Kind: String, Codable, RawMappable { case new, old }

        let good = try Json(parsing: ##"[{"id":1,"kind":"new"},{"id":2,"kind":"old","next":[{"id":3,"kind":"new"}]}]"##)
        let bad = try Json(parsing: ##"[{"id":1,"kind":"new"},{"id":2,"kind":"old","next":[{"id":3,"kind":"none"}]}]"##)
        let null = try Json(parsing: ##"[{"id":1,"kind":"new"},null]"##)
        let kinds = try Json(parsing: ##"["new","old","none"]"##)
        func readings() throws -> [String] {
            let values = try [Fresh].from(raw: good)
            let errors = [
                #expect(throws: MappingError.self) { try [Fresh].from(raw: bad) },
                #expect(throws: MappingError.self) { try [Fresh].from(raw: null) },
                #expect(throws: MappingError.self) { try [Kind].from(raw: kinds) },
            ]
            return ["\(values)"] + errors.map { "\(String(describing: $0?.issues))" }
        }
        let first = try readings()
        #expect(first.count == 4)
        for _ in 0..<3 { #expect(try readings() == first) }
    }

    /// A type's own `from(raw:)` is used even if the type was decoded through `Codable` before.
    @Test func aTypesOwnReadingIsHonouredAfterDecoding() throws {
        for _ in 0..<3 {
            #expect(try Json(parsing: #"[{"id":7}]"#).decode([ByHand].self) == [ByHand(id: 7)])
            #expect(try JsonDecoder().decode([ByHand].self, from: Data(#"[{"id":7}]"#.utf8)) == [ByHand(id: 7)])
            let text = #"[{"number":1,"id":7},{"number":2,"id":7}]"#
            #expect(try [ByHand].from(raw: Json(parsing: text)) == [ByHand(id: 1), ByHand(id: 2)])
        }
    }

    @Test func aCancelledTaskGetsItsEntries() async throws {
        let json = try Json(parsing: "[" + (0..<10_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
        _ = try [Entry].from(raw: json)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try [Entry].from(raw: json).count
        }
        task.cancel()
        #expect(try await task.value == 10_000)
    }

    @Test func readersOnSeveralTasksShareNothing() async throws {
        let json = try Json(parsing: "[" + (0..<200).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try [Entry].from(raw: json).reduce(0) { $0 + $1.id } }
            }
            for try await sum in group { #expect(sum == 199 * 200 / 2) }
        }
    }
}

private struct OwnedPage: Codable, RawMappable {
    struct Item: Codable {
        struct Owner: Codable { let name: String }
        let owner: Owner
    }
    let items: [Item]
}

@Suite("The owner of an error is the type that declares the field")
struct OwnerOfErrorTests {
    @Test(
        "at every depth, under policies that fail",
        arguments: [
            (#"{"items":[{"owner":{"name":5}}]}"#, "OwnedPage.Item.Owner"),
            (#"{"items":[{"owner":5}]}"#, "OwnedPage.Item"),
            (#"{"items":[{}]}"#, "OwnedPage.Item"), (#"{"items":5}"#, "OwnedPage"), ("{}", "OwnedPage"),
        ]
    )
    func owners(text: String, owner: String) throws {
        let json = try Json(parsing: text)
        for policy in [MappingPolicy.standard, .collectingAll(), .strict] {
            let mapped = mapping(policy) { try OwnedPage.from(raw: json) }
            #expect(mapped.issues.map(\.owner) == [owner], "\(policy)")
        }
        let error = #expect(throws: MappingError.self) { try OwnedPage.from(raw: json) }
        #expect(error?.issues.first?.owner == owner)
    }
}
