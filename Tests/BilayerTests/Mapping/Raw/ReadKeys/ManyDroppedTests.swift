import Foundation
import Testing

@testable import Bilayer

@Suite("Unknown keys beside values that are left out")
struct ManyDroppedTests {
    private struct ListEntry: Codable, RawMappable {
        struct Item: Codable { let id: Int }

        let items: [Item]
    }

    @Test("are those of the values that are kept, whatever the number of others")
    func manyElements() throws {
        let count = 4_000
        let items = (0..<count).map { #"{"id":\#($0 % 2 == 0 ? "1" : #""x""#),"more":2}"# }.joined(separator: ",")
        let raw = try Json(parsing: #"{"items":[\#(items)]}"#)
        var policy = MappingPolicy.salvaging
        policy.unknownKeys = .report
        policy.issueLimit = .max
        let reporter = CollectingReporter()
        let list = try reporter.mapping(policy: policy) { try ListEntry.from(raw: raw) }
        #expect(list.items.count == count / 2)
        let dropped = reporter.issues.filter { $0.kind == .dropped }
        #expect(dropped.count == count / 2)
        let unknown = reporter.issues.filter { $0.kind == .unknownKey }
        let expected = (0..<count / 2).map { JsonPath([.key("items"), .index(2 * $0), .key("more")]) }
        #expect(unknown.map(\.path) == expected)
    }

    @Test("are found beside many defaults")
    func manyDefaults() throws {
        enum Count: DefaultProvider { static let defaults = Defaults(ifInvalid: 0) }
        struct ItemEntry: Codable {
            struct Part: Codable { let id: Int }

            @Default<Count> var count: Int
            let part: Part
        }
        struct ListEntry: Codable, RawMappable { let items: [ItemEntry] }
        let count = 1_000
        let item = #"{"count":"x","part":{"id":1}}"#
        let items = Array(repeating: item, count: count) + [#"{"count":1,"part":{"id":1,"more":2}}"#]
        let raw = try Json(parsing: #"{"items":[\#(items.joined(separator: ","))]}"#)
        var policy = MappingPolicy.standard
        policy.unknownKeys = .report
        policy.issueLimit = .max
        let reporter = CollectingReporter()
        let list = try reporter.mapping(policy: policy) { try ListEntry.from(raw: raw) }
        #expect(list.items.count == count + 1)
        let unknown = reporter.issues.filter { $0.kind == .unknownKey }
        #expect(unknown.map(\.path) == [[.key("items"), .index(count), .key("part"), .key("more")]])
        #expect(reporter.issues.count == count + 1)
    }

    @Test("a path is enclosed by itself and by those around it")
    func enclosing() {
        let tree = PathTree([[.key("items"), .index(1)], [.key("items"), .index(3), .key("id")], [.entry("other")]])
        #expect(tree.encloses([.key("items"), .index(1)]))
        #expect(tree.encloses([.key("items"), .index(1), .key("id")]))
        #expect(tree.encloses([.key("other"), .key("id")]))
        #expect(!tree.encloses([.key("items")]))
        #expect(!tree.encloses([.key("items"), .index(3)]))
        #expect(!tree.encloses([.key("items"), .index(10)]))
        #expect(PathTree([.root]).encloses([.key("items")]))
        #expect(!PathTree([]).encloses(.root))
    }

    @Test("values are found at their path, and at every path that begins with it")
    func valuesAlong() {
        var tree = PathTree<Int>()
        tree[.root] = 0
        tree[[.key("a"), .index(1), .key("b")]] = 3
        tree[[.key("a")]] = 1
        #expect(tree[[.key("a"), .index(1)]] == nil)
        #expect(tree[[.key("a"), .index(1), .key("b")]] == 3)
        #expect(tree.values(along: [.key("a"), .index(1), .key("b"), .key("c")]) == [0, 1, 3])
        #expect(tree.values(along: [.key("a"), .index(2)]) == [0, 1])
        tree[[.key("a")]] = nil
        tree[[.key("other"), .index(0)]] = nil
        #expect(tree.values(along: [.key("a"), .index(1), .key("b")]) == [0, 3])
        #expect(tree[[.key("other"), .index(0)]] == nil)
        tree[.root] = nil
        #expect(!tree.encloses([.key("a"), .index(1)]))
    }

    /// If each value that is left out was looked for among all objects, the test would not end.
    @Test func manyValuesLeftOut() {
        let record = KeyRecord(.report, of: .null, JsonDecoder())
        let scope = record.beginScope()
        let count = 40_000
        for index in 0..<count {
            let item = JsonPath([.key("items"), .index(index)])
            let count = item.appending(.key("count"))
            _ = record.open(item, as: Int.self, in: scope, isPart: false, value: { .null }, keys: { ["id"] })
            record.leaveOut([count], of: count)
        }
        #expect(record.objects.count == count)
        #expect(record.objects.allSatisfy { $0.unknownKeys == ["id"] })
    }

    /// If each path was compared with each, the test would not end.
    @Test func manyPaths() {
        let paths = (0..<100_000).map { JsonPath([.key("items"), .index($0), .key("id")]) }
        let tree = PathTree(paths)
        #expect(paths.allSatisfy(tree.encloses))
    }
}
