import Bilayer
import BilayerTesting
import Foundation
import Testing

private enum TriedKey: String, CodingKey { case kept, bad, list, members, nothing }

private struct KeptValues: Decodable { @Lossy var values: [Int] }

/// Reports a value that it leaves out, and then fails, because another value is missing.
private struct BadValues: Decodable {
    @Lossy var values: [Int]
    let missing: Int
}

/// An entry that runs the closure `attempt` while it is read.
private struct TriedEntry: Decodable, RawDecodable {
    typealias Attempt = @Sendable (any Decoder, KeyedDecodingContainer<TriedKey>) throws -> Void
    @TaskLocal static var attempt: Attempt = { _, _ in }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: TriedKey.self)
        _ = try members.decode(KeptValues.self, forKey: .kept)
        try Self.attempt(decoder, members)
    }
}

@Suite("What a value has reported that then failed does not count, if code discards the error", .smallStack)
struct DiscardedReportsTests {
    private static let text = """
        {"kept":{"values":["x",1]},"bad":{"values":["x",1]},"values":["x",1],"nothing":null,
        "list":[{"values":["x",1],"missing":1},{"values":["x",1]}],
        "members":{"a":{"values":["x",1],"missing":1},"b":{"values":["x",1]}}}
        """

    private static let attempts: [String: TriedEntry.Attempt] = [
        "a member": { _, members in #expect((try? members.decode(BadValues.self, forKey: .bad)) == nil) },
        "an optional member": { _, members in
            #expect((try? members.decodeIfPresent(BadValues.self, forKey: .bad)) == nil)
        },
        "an optional": { _, members in #expect((try? members.decode(BadValues?.self, forKey: .bad)) == nil) },
        "a list": { _, members in #expect((try? members.decode([BadValues].self, forKey: .list)) == nil) },
        "a dictionary": { _, members in
            #expect((try? members.decode([String: BadValues].self, forKey: .members)) == nil)
        },
        "the value itself": { decoder, _ in #expect((try? decoder.singleValueContainer().decode(BadValues.self)) == nil)
        },
        "an element": { _, members in
            var list = try members.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decode(Json.self)
            #expect((try? list.decode(BadValues.self)) == nil)
        },
        "several": { decoder, members in
            for _ in 0..<3 {
                #expect((try? members.decode([BadValues].self, forKey: .list)) == nil)
                #expect((try? decoder.singleValueContainer().decode(BadValues.self)) == nil)
            }
        },
    ]

    @Test("an entry alone", arguments: attempts.keys.sorted(), [MappingPolicy.standard, .collectingAll()])
    func alone(name: String, policy: MappingPolicy) throws {
        let attempt = try #require(Self.attempts[name])
        let mapped = mapping(policy) {
            try TriedEntry.$attempt.withValue(attempt) { try TriedEntry.from(raw: .of(Self.text)) }
        }
        #expect(mapped.value != nil)
        #expect(mapped.lines == ["warning dropped $.kept.values[0]"])
    }

    @Test("entries in a list", arguments: attempts.keys.sorted())
    func inAList(name: String) throws {
        let attempt = try #require(Self.attempts[name])
        let list = "[\(Self.text),\(Self.text)]"
        let mapped = mapping { try TriedEntry.$attempt.withValue(attempt) { try [TriedEntry].from(raw: .of(list)) } }
        #expect(mapped.value?.count == 2)
        #expect(mapped.lines == (0..<2).map { "warning dropped $[\($0)].kept.values[0]" })
    }

    /// Each element of `bad` gives a warning and then fails. The errors are caught, and `good` and `better` are read.
    private struct ManyTried: RawDecodable {
        struct GoodEntry: Decodable, RawDecodable, Sendable { @Lossy var values: [Int] }
        struct BadEntry: Decodable, RawDecodable {
            @Lossy var values: [Int]
            let missing: Int
        }

        static func from(raw: Json) throws -> ManyTried {
            let tried = try #require(raw["bad"])
            for index in 0..<tried.elements.count {
                #expect((try? tried.decode(at: index) as BadEntry) == nil)
            }
            for key in ["good", "better"] { _ = try raw.decode(key) as GoodEntry }
            return ManyTried()
        }
    }

    private static func text(tried count: Int, good: String = #"{"values":["x",1]}"#) -> String {
        let bad = repeatElement(#"{"values":["x","y",1]}"#, count: count).joined(separator: ",")
        return #"{"bad":[\#(bad)],"good":\#(good),"better":{"values":["x",1]}}"#
    }

    @Test("warnings of values that failed take no room from those of others", arguments: [1, 2, 3, 100], [1, 150])
    func room(limit: Int, count: Int) throws {
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let reporter = CollectingReporter()
        _ = try reporter.mapping(policy: policy) { try ManyTried.from(raw: .of(Self.text(tried: count))) }
        let report = try #require(reporter.reports.first)
        let paths = ["$.good.values[0]", "$.better.values[0]"]
        #expect(report.issues.map(\.path.description) == Array(paths.prefix(limit)))
        #expect(report.omittedIssueCount == paths.dropFirst(limit).count)
    }

    @Test("a mapping that fails at another place has none of them", arguments: [1, 2, 3, 100], [1, 150])
    func failed(limit: Int, count: Int) throws {
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let reporter = CollectingReporter()
        #expect(throws: MappingError.self) {
            try reporter.mapping(policy: policy) {
                try ManyTried.from(raw: .of(Self.text(tried: count, good: "1")))
            }
        }
        let report = try #require(reporter.reports.first)
        #expect(report.issues.map(\.path.description) == ["$.good"])
        #expect(report.omittedIssueCount == 0)
    }

    @Test("parts of a call that fail and are caught take no room, either", arguments: [1, 100])
    func caughtParts(limit: Int) async throws {
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let reporter = CollectingReporter()
        let stub = StubTransport(.json(#"{"values":["x",1]}"#))
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.mappingPolicy = policy
        client.raw.append { json, context in
            for _ in 0..<150 { #expect((try? context.mapping { try ManyTried.BadEntry.from(raw: json) }) == nil) }
            return json
        }
        _ = try await client.fetch(Route<ManyTried.GoodEntry>.get("values"), reporter: reporter)
        #expect(reporter.issues.map(\.path.description) == ["$.values[0]"])
        #expect(reporter.reports.first?.omittedIssueCount == 0)
    }

    // MARK: Against a model

    @Test("random values that warn, fail and are caught: the report has what did not fail", arguments: Seeds.some(40))
    func model(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let tree = Self.tree(depth: 3, &random)
            let expected = Self.warnings(of: tree)
            for limit in [1, 2, 5, 100] {
                var policy = MappingPolicy.standard
                policy.issueLimit = limit
                for reading in [
                    { _ = try WarningTree.from(raw: tree) }, { _ = try CodableWarningTree.from(raw: tree) },
                ] {
                    let reporter = CollectingReporter()
                    let outcome = Result { try reporter.mapping(policy: policy) { try reading() } }
                    #expect(((try? outcome.get()) != nil) == (expected != nil), "seed \(seed)")
                    guard let expected else { continue }
                    let report = reporter.reports.first
                    #expect(report?.issues.count ?? 0 == min(expected, limit), "seed \(seed)")
                    #expect(report?.omittedIssueCount ?? 0 == max(0, expected - limit), "seed \(seed)")
                }
            }
        }
    }

    private static func tree(depth: Int, _ random: inout SplitMix64) -> Json {
        let count = depth == 0 ? 0 : Int.random(in: 0...3, using: &random)
        return [
            "warnings": Json(Int.random(in: 0...2, using: &random)),
            "fails": Json(Int.random(in: 0..<4, using: &random) == 0),
            "parts": Json((0..<count).map { _ in tree(depth: depth - 1, &random) }),
        ]
    }

    /// The number of warnings in what did not fail; `nil` if the tree itself fails.
    private static func warnings(of tree: Json) -> Int? {
        let parts = tree["parts"]?.elements.reduce(0) { $0 + (warnings(of: $1) ?? 0) } ?? 0
        return tree["fails"]?.bool == true ? nil : (tree["warnings"]?.int ?? 0) + parts
    }
}

private struct TreeFailure: Error {}

/// Reports a warning with a path of its own, because equal warnings count as one.
private func warning(_ number: Int, at path: [JsonPath.Component]) {
    MappingIssue(.coerced, severity: .warning, path: JsonPath(path + [.key("warning \(number)")])).report()
}

/// Reports warnings, tries its parts, and may then fail.
private struct WarningTree: RawDecodable {
    static func from(raw: Json) throws -> WarningTree {
        let count: Int = try raw.decode("warnings")
        for number in 0..<count { warning(number, at: []) }
        let parts = try #require(raw["parts"])
        for index in 0..<parts.elements.count { _ = try? parts.decode(at: index) as WarningTree }
        if try raw.decode("fails") { throw TreeFailure() }
        return WarningTree()
    }
}

private struct CodableWarningTree: Decodable, RawDecodable {
    private enum Key: CodingKey { case warnings, fails, parts }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let count = try members.decode(Int.self, forKey: .warnings)
        // A decoder's issues have paths from its root.
        let path: [JsonPath.Component] = decoder.codingPath.map { key in
            key.intValue.map { .index($0) } ?? .key(key.stringValue)
        }
        for number in 0..<count { warning(number, at: path) }
        var parts = try members.nestedUnkeyedContainer(forKey: .parts)
        while !parts.isAtEnd {
            if (try? parts.decode(CodableWarningTree.self)) == nil { _ = try parts.decode(Json.self) }
        }
        if try members.decode(Bool.self, forKey: .fails) { throw TreeFailure() }
    }
}
