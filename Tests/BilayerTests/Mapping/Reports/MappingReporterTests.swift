import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A model that accepts a missing count, and refuses a negative one.
private struct Shelf: DTODecodable, Hashable {
    let count: Int

    static func from(dto: ShelfEntry) throws -> Shelf {
        if dto.count == nil {
            try MappingIssue(.usedDefault, severity: .warning, path: [.key("count")], found: .init(type: "nothing"))
                .reportOrThrow()
        }
        guard dto.count ?? 0 >= 0 else {
            throw MappingError(MappingIssue(.brokenRule, path: [.key("count")], expected: "a count from 0"))
        }
        return Shelf(count: dto.count ?? 0)
    }
}

private struct ShelfEntry: Codable, RawDecodable, Hashable {
    let count: Int?
}

private struct Room: DTODecodable, Hashable {
    let shelves: [Shelf]
    let spare: Shelf?
    let byName: [String: Shelf]

    static func from(dto: RoomEntry) throws -> Room {
        try Room(
            shelves: .from(dto: dto.shelves, at: "shelves"),
            spare: .from(dto: dto.spare, at: "spare"),
            byName: .from(dto: dto.byName, at: "byName")
        )
    }
}

private struct RoomEntry: Codable, RawDecodable, Hashable {
    var shelves: [ShelfEntry] = []
    var spare: ShelfEntry?
    var byName: [String: ShelfEntry] = [:]
}

extension Route where Response == Room { fileprivate static var room: Route { .get("room") } }
extension Route where Response == [Shelf] { fileprivate static var shelves: Route { .get("shelves") } }

@Suite("MappingReporter")
struct MappingReporterTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private var client: Client {
        Client(baseURL: URL("https://api.example.com"), transport: stub)
    }

    @Test func receivesToleratedValuesWithWholePathsAndTypes() async throws {
        stub.on(
            .get,
            "/room",
            .json(#"{"shelves":[{"count":1},{}],"spare":{},"byName":{"a b":{}}}"#)
        )
        let room = try await client.fetch(.room, reporter: collected)
        #expect(room.shelves.map(\.count) == [1, 0])
        #expect(
            collected.issues.map(\.path.exactDescription) == [
                "$.shelves[1].count", "$.spare.count", #"$.byName["a b"].count"#,
            ]
        )
        #expect(Set(collected.issues.map(\.owner)) == ["ShelfEntry -> Shelf"])
    }

    @Test func receivesOneReportOfAResponseWithTheCallsContext() async throws {
        stub.on(.get, "/shelves", .json("[{},{},{\"count\":2}]"))
        _ = try await client.fetch(.shelves, reporter: collected)
        #expect(collected.reports.count == 1)
        let report = try #require(collected.reports.first)
        #expect(report.issues.count == 2)
        #expect(report.endpoint?.name == "GET shelves")
        #expect(report.response?.status == 200)
        #expect(report.request?.url == URL("https://api.example.com/shelves"))
    }

    @Test func receivesOneReportOfAnErrorThatIsNoneOfTheMappings() throws {
        struct Sku: Decodable { let sku: String }
        struct Hand: RawDecodable {
            let sku: Sku
            static func from(raw: Json) throws -> Hand { Hand(sku: try raw.decode(Sku.self)) }
        }
        struct Refusal: Error {}
        #expect(throws: DecodingError.self) { try collected.mapping("Hand") { try Hand.from(raw: ["sku": 1]) } }
        #expect(throws: MappingError.self) { try collected.mapping { try [Hand].from(raw: [["sku": 1]]) } }
        #expect(throws: Refusal.self) { try collected.mapping { throw Refusal() } }
        #expect(throws: CancellationError.self) { try collected.mapping { throw CancellationError() } }
        #expect(collected.reports.map(\.issues.count) == [1, 1, 1])
        #expect(
            collected.issues.map { "\($0.kind) \($0.path)" } == ["wrong type $.sku", "wrong type $[0].sku", "failed $"]
        )
        #expect(collected.reports.first?.subject == "Hand")
    }

    @Test func receivesNothingForAValidResponse() async throws {
        stub.on(.get, "/shelves", .json("[{\"count\":2}]"))
        _ = try await client.fetch(.shelves, reporter: collected)
        #expect(collected.reports.isEmpty)
    }

    @Test func receivesAFailureAndTheWarningsBeforeIt() async throws {
        stub.on(.get, "/shelves", .json("[{},{\"count\":-1}]"))
        await #expect(throws: CallError.self) { try await client.fetch(.shelves, reporter: collected) }
        #expect(collected.reports.count == 1)
        #expect(collected.issues.map(\.severity) == [.error, .warning])
        #expect(collected.issues.map(\.path.description) == ["$[1].count", "$[0].count"])
    }

    @Test func warningsOfAFailedElementAreLocatedLikeItsFailure() {
        let rooms = [RoomEntry(), RoomEntry(spare: ShelfEntry(count: nil), byName: ["a": ShelfEntry(count: -1)])]
        for policy in [MappingPolicy.standard, .collectingAll()] {
            let mapped = mapping(policy) { try [Room].from(dto: rooms) }
            #expect(mapped.lines == ["error broken rule $[1].byName.a.count", "warning used default $[1].spare.count"])
        }
        let salvaged = mapping(.salvaging) { try [Room].from(dto: rooms) }
        #expect(salvaged.lines == ["warning dropped $[1]"])
    }

    @Test func receivesFailuresOfTheLowerLayer() async throws {
        stub.on(.get, "/shelves", .json(#"[{"count":"x"}]"#))
        await #expect(throws: CallError.self) { try await client.fetch(.shelves, reporter: collected) }
        #expect(collected.issues.map(\.groupingKey) == ["wrong type $[].count ShelfEntry"])
    }

    @Test func aClientsReporterReceivesEveryCallAndACallMayHaveItsOwn() async throws {
        stub.on(.get, "/shelves", .json("[{}]"))
        var client = client
        client.reporter = collected
        _ = try await client.fetch(.shelves)
        _ = try await client.fetch(.shelves, reporter: CollectingReporter())
        #expect(collected.reports.count == 1)
    }

    @Test func aPipelineByHandReportsInItsContext() async throws {
        stub.on(.get, "/shelves", .json("[{}]"))
        let context = client.context(for: .shelves, reporter: collected)
        _ = try await client.pipeline(for: .shelves).process(in: context)
        #expect(collected.issues.count == 1)
    }

    @Test func worksOutsideOfAnyCall() throws {
        let shelves = try collected.mapping("Catalogue") { try [Shelf].from(dto: [ShelfEntry(count: nil)]) }
        #expect(shelves == [Shelf(count: 0)])
        #expect(collected.reports.first?.subject == "Catalogue")
        #expect(collected.issues.map(\.path.description) == ["$[0].count"])
        #expect(throws: MappingError.self) {
            try collected.mapping { try [Shelf].from(dto: [ShelfEntry(count: -1)]) }
        }
        #expect(collected.reports.count == 2)
    }

    @Test func callsAtOnceDoNotMixTheirIssues() async throws {
        stub.on(.get, "/shelves", .json("[{},{}]"))
        let client = client
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    let own = CollectingReporter()
                    _ = try? await client.fetch(.shelves, reporter: own)
                    #expect(own.issues.map(\.path.description) == ["$[0].count", "$[1].count"])
                }
            }
        }
    }

    @Test func hostileNumbersOfIssuesAreCountedNotKept() async throws {
        stub.on(.get, "/shelves", .json("[" + Array(repeating: "{}", count: 5_000).joined(separator: ",") + "]"))
        _ = try await client.fetch(.shelves, reporter: collected)
        let report = try #require(collected.reports.first)
        #expect(report.issues.count == 100)
        #expect(report.omittedIssueCount == 4_900)
    }
}

@Suite("MappingPolicy")
struct MappingPolicyTests {
    private let collected = CollectingReporter()
    private let mixed = [ShelfEntry(count: 1), ShelfEntry(count: -1), ShelfEntry(count: nil), ShelfEntry(count: -2)]

    @Test func theStandardOneStopsAtTheFirstError() {
        let error = #expect(throws: MappingError.self) {
            try collected.mapping { try [Shelf].from(dto: mixed) }
        }
        #expect(error?.issues.map(\.path.description) == ["$[1].count"])
    }

    @Test func salvagingKeepsTheRest() throws {
        let shelves = try collected.mapping(policy: .salvaging) { try [Shelf].from(dto: mixed) }
        #expect(shelves.map(\.count) == [1, 0])
        let dropped = collected.issues.filter { $0.kind == .dropped }
        #expect(dropped.map(\.path.description) == ["$[1]", "$[3]"])
        #expect(
            dropped.first?.message == "dropped: $[1].count: broken rule: expected a count from 0 in ShelfEntry -> Shelf"
        )
    }

    @Test func salvagingNothingIsAnError() {
        let error = #expect(throws: MappingError.self) {
            try collected.mapping(policy: .salvaging) { try [Shelf].from(dto: [ShelfEntry(count: -1)]) }
        }
        #expect(error?.issues.first?.kind == .tooManyDropped)
    }

    @Test func theToleratedLossIsAChoice() {
        var policy = MappingPolicy.salvaging
        policy.toleratedLoss = 0.25
        #expect(throws: MappingError.self) { try collected.mapping(policy: policy) { try [Shelf].from(dto: mixed) } }
    }

    @Test func collectingAllFindsEveryElementAndStillFails() {
        let error = #expect(throws: MappingError.self) {
            try collected.mapping(policy: .collectingAll()) {
                try ["x": [Shelf].self].map { _ in try [Shelf].from(dto: mixed) }
            }
        }
        #expect(error?.issues.map(\.path.description) == ["$[1].count", "$[3].count"])
    }

    @Test func collectingAllHasALimit() {
        let error = #expect(throws: MappingError.self) {
            try collected.mapping(policy: .collectingAll(limit: 3)) {
                try [Shelf].from(dto: Array(repeating: ShelfEntry(count: -1), count: 50))
            }
        }
        #expect(error?.issues.count == 3)
    }

    @Test func theStrictOneToleratesNothing() {
        let error = #expect(throws: MappingError.self) {
            try collected.mapping(policy: .strict) { try [Shelf].from(dto: [ShelfEntry(count: nil)]) }
        }
        #expect(error?.issues.first?.kind == .usedDefault)
        #expect(error?.issues.first?.severity == .error)
    }
}

@Suite("CountingReporter")
struct CountingReporterTests {
    private func report(_ keys: String...) -> MappingReport {
        MappingReport(issues: keys.map { MappingIssue(.missing, path: [.index(.random(in: 0..<9)), .key($0)]) })
    }

    @Test func countsByKeyAndPassesEveryNewKeyAndASample() {
        let next = CollectingReporter()
        let counting = CountingReporter(sampling: 10, next: next)
        for _ in 0..<30 { counting.report(report("a")) }
        counting.report(report("a", "b"))
        #expect(counting.counts == ["missing $[].a -": 31, "missing $[].b -": 1])
        #expect(next.reports.count == 3 + 1)
    }

    @Test("a failed call is counted by its fault, and what was left out by its cause")
    func faults() async throws {
        struct BookEntry: Codable, RawMappable { let id: Int, title: String }
        let stub = StubTransport()
        let counting = CountingReporter()
        var client = Client(baseURL: try #require(URL(string: "https://a.example")), transport: stub)
        client.reporter = counting
        stub.on(
            .get,
            "/book",
            .status(404),
            .status(500),
            .failure(TransportError(.timedOut)),
            .json("<html>"),
            .failure(TransportError(.connectionLost))
        )
        for _ in 0..<5 { _ = try? await client.fetch(Route<BookEntry>.get("book")) }
        let lost = [TransportError.Kind.timedOut, .connectionLost].map { "transport: failed $ \($0)" }
        let failed = ["status 404", "status 500", "no application/json"].map { "failed $ \($0)" }
        #expect(Set(counting.counts.keys) == Set((lost + failed).map { "GET book: \($0)" }))
        let shelf = #"[{"id":1,"title":"a"},{"id":"x","title":"b"},{"id":3},{"id":4,"title":null},{"id":5}]"#
        stub.on(.get, "/shelf", .json(shelf))
        let dropping = CountingReporter()
        client.reporter = dropping
        _ = try await client.fetch(Route<[BookEntry]>.get("shelf"), mapping: .salvaging)
        let causes = ["wrong type $[].id": 1, "missing $[].title": 2, "null $[].title": 1]
        let type = "CountingReporterTests.BookEntry"
        let expected = causes.map { ("GET shelf: dropped $[] \(type): \($0.key) \(type)", $0.value) }
        #expect(dropping.counts == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test func hostileKeysCostNoMemory() {
        let counting = CountingReporter(keyLimit: 10)
        for number in 0..<1_000 { counting.report(report("k\(number)")) }
        #expect(counting.counts.count == 11)
        #expect(counting.counts["other"] == 990)
    }

    @Test func manyCallsMayReportAtOnce() async {
        let counting = CountingReporter()
        await withTaskGroup { group in
            for _ in 0..<400 { group.addTask { counting.report(self.report("a")) } }
        }
        #expect(counting.counts.values.reduce(0, +) == 400)
    }
}
