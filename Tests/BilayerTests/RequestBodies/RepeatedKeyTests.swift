import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Of repeated keys in a received object only one counts. A body or value that is made of the object has only that one.
@Suite("Bodies and values made of objects with repeated keys")
struct RepeatedKeyTests {
    private let plain: Json = ["a": 1, "z": 0]

    private func twice(_ text: String = #"{"a":1,"a":2,"z":1}"#, lastWins: Bool) throws -> Json {
        try Json(parsing: text, options: .init(duplicateKeys: lastWins ? .lastWins : .firstWins))
    }

    @Test(arguments: [true, false])
    func aMergePatchHasEachKeyOnce(lastWins: Bool) throws {
        let new = try twice(lastWins: lastWins)
        let patch = try MergePatch.change(from: plain, to: new)
        #expect(patch == (lastWins ? ["a": 2, "z": 1] : ["z": 1]))
        var merged = plain
        merged.merge(patch)
        #expect(merged == new)
        #expect(try MergePatch.change(from: new, to: ["z": 1]).serialized() == Data(#"{"a":null}"#.utf8))
    }

    @Test(arguments: [true, false])
    func aJsonPatchHasOneOperationForAKey(lastWins: Bool) throws {
        let new = try twice(lastWins: lastWins)
        let changes = try JsonPatch.changes(from: plain, to: new)
        let replaced: [Json] = lastWins ? [["op": "replace", "path": "/a", "value": 2]] : []
        #expect(changes == Json(replaced + [["op": "replace", "path": "/z", "value": 1]]))
        #expect(try JsonPatch.changes(from: new, to: ["z": 1]) == [["op": "remove", "path": "/a"]])
        let added: Json = ["op": "add", "path": "/a", "value": Json(lastWins ? 2 : 1)]
        #expect(try JsonPatch.changes(from: ["z": 1], to: new) == [added])
    }

    @Test(arguments: [true, false])
    func aTagKeepsTheValuesThatCount(lastWins: Bool) throws {
        let tagged = try twice(lastWins: lastWins).tagged("type", "t")
        #expect(tagged["a"] == Json(lastWins ? 2 : 1))
        #expect(tagged.members.map(\.key) == ["type", "a", "z"])
    }

    @Test(arguments: [true, false])
    func aFormHasEachFieldOnce(lastWins: Bool) throws {
        let style = FormStyle(arrays: .brackets, booleans: .words, isSorted: false)
        let items = try style.items(of: twice(#"{"a":1,"b":{"c":1,"c":2},"a":2}"#, lastWins: lastWins))
        #expect(Set(items.map { "\($0.name)=\($0.value)" }) == (lastWins ? ["a=2", "b[c]=2"] : ["a=1", "b[c]=1"]))
    }
}
