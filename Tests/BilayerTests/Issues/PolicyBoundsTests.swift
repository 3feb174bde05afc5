import Foundation
import Testing

@testable import Bilayer

/// Policies at the ends of their numbers: the bounds hold, and nothing bad comes out as good.
@Suite("Policies with unusual numbers")
struct PolicyBoundsTests {
    private struct List: Codable, RawMappable { let xs: [Int] }
    private struct Model: DTODecodable {
        static func from(dto: List) throws -> Model { throw MappingError(MappingIssue(.invalidValue)) }
    }

    private func map<Value>(_ policy: MappingPolicy, _ body: () throws -> Value) throws -> Value {
        try CollectingReporter().mapping(policy: policy, body)
    }

    @Test("a limit of issues below one is one: what is wrong is still an error", arguments: [0, -1, .min])
    func noIssues(limit: Int) throws {
        let policy = MappingPolicy.collectingAll(limit: limit)
        #expect(policy.issueLimit == 1)
        let raws: [() throws -> Void] = [
            { _ = try [Int].from(raw: [1, "x", 3]) },
            { _ = try [String: Int].from(raw: ["a": 1, "b": "x"]) },
            { _ = try [Model].from(dto: [List(xs: [])]) },
            { _ = try List.from(raw: ["xs": ["x"]]) },
        ]
        for raw in raws {
            let error = #expect(throws: MappingError.self) { try map(policy, raw) }
            #expect(error?.issues.count == 1)
        }
        #expect(try map(policy) { try [Int].from(raw: [1, 2]) } == [1, 2])
    }

    @Test("a limit without end finds what any other finds")
    func allIssues() throws {
        let policy = MappingPolicy.collectingAll(limit: .max)
        let error = #expect(throws: MappingError.self) { try map(policy) { try List.from(raw: ["xs": ["x"]]) } }
        #expect(error?.issues.first?.path == [.key("xs"), .index(0)])
    }

    @Test("a tolerated loss that is no number tolerates none")
    func noNumber() throws {
        var policy = MappingPolicy.salvaging
        policy.toleratedLoss = .nan
        #expect(policy.toleratedLoss == 0)
        #expect(throws: MappingError.self) { try map(policy) { try [Int].from(raw: [1, "x"]) } }
        #expect(throws: MappingError.self) { try map(policy) { try List.from(raw: ["xs": [1, "x"]]) } }
        let json: Json = ["xs": [1, "x"]]
        #expect(throws: MappingError.self) { try json.decodeLossy("xs", tolerating: .nan) as [Int] }
        #expect(try map(policy) { try List.from(raw: ["xs": [1]]) }.xs == [1])
    }

    @Test("what forgives nothing leaves nothing out, in entries of both sorts")
    func strictAndSalvaging() throws {
        struct Entry: Codable, RawMappable {
            let a: Int?
            let b: Int
        }
        var policy = MappingPolicy.salvaging
        policy.treatsWarningsAsErrors = true
        #expect(throws: MappingError.self) { try map(policy) { try Entry.from(raw: ["a": "x", "b": 1]) } }
        #expect(throws: MappingError.self) { try map(policy) { try [Int].from(raw: [1, "x"]) } }
    }
}

/// What was forgiven in a value that nobody gets is not told.
@Suite("Issues of values that were let go")
struct DiscardedIssueTests {
    private struct Inner: RawDecodable {
        let x: Int
        static func from(raw: Json) throws -> Inner {
            let x = try (raw.decodeIfPresent("x") as Int?).default(7, "x")
            _ = try raw.decode("y") as Int
            return Inner(x: x)
        }
    }
    private struct Outer: RawDecodable {
        let inner: Inner?
        static func from(raw: Json) throws -> Outer { try Outer(inner: raw.decodeIfPresent("o")) }
    }

    @Test func aSalvagedOptionalTellsOnlyThatItWasDropped() throws {
        let collected = CollectingReporter()
        let outer = try collected.mapping(policy: .salvaging) { try Outer.from(raw: ["o": ["y": "bad"]]) }
        #expect(outer.inner == nil)
        #expect(collected.issues.map(\.kind) == [.dropped])
    }

    @Test(arguments: [true, false])
    func aFormatThatForgaveAndThenFailedTellsNothing(isSecondRight: Bool) throws {
        let forgiving = ValueFormat<Int>("a pair", kind: .array) { raw in
            try MappingIssue(.coerced, severity: .info).reportOrThrow()
            return raw.count == 2 ? 2 : nil
        } write: { _ in
            []
        }
        let one = ValueFormat<Int>("one", kind: .array) { raw in
            isSecondRight ? raw.count : nil
        } write: { _ in
            []
        }
        let collected = CollectingReporter()
        let value = try? collected.mapping { try ValueFormat.firstOf(forgiving, one).read([1]) }
        #expect(value == (isSecondRight ? 1 : nil))
        #expect(collected.issues.filter { $0.severity == .info }.isEmpty)
    }
}

/// Mappings of one call may run at once: each issue belongs to its own.
@Suite("Mappings of one call at once")
struct MappingsAtOnceTests {
    private struct Row: RawDecodable {
        let x: Int
        static func from(raw: Json) throws -> Row { try Row(x: (raw.decodeIfPresent("x") as Int?).default(7, "x")) }
    }

    @Test func pathsAreThoseOfTheirOwnMapping() async throws {
        let collected = CollectingReporter()
        let context = CallContext(reporter: collected)
        let rows = Json(Array(repeating: [:], count: 50))
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { _ = try await MapRaw<[Row]>().process(rows, in: context) }
            }
            try await group.waitForAll()
        }
        context.deliverReport(of: .response)
        let paths = collected.issues.map(\.path)
        #expect(paths.count == min(400, MappingPolicy.standard.issueLimit))
        #expect(paths.allSatisfy { $0.components.count == 2 && $0.components.last == .key("x") })
    }
}
