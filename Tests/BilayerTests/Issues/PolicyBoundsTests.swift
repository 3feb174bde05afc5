import Foundation
import Testing

@testable import Bilayer

/// Policies with extreme numbers: the bounds hold, and no bad value is accepted.
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

    @Test("a report says that there may be more errors, if collecting has ended at the limit")
    func moreErrors() throws {
        for (limit, mayHaveMore) in [(2, true), (3, true), (4, false)] {
            let collected = CollectingReporter()
            _ = try? collected.mapping(policy: .collectingAll(limit: limit)) { try [Int].from(raw: ["x", "y", "z"]) }
            let report = try #require(collected.reports.first)
            #expect(report.issues.count == min(limit, 3))
            #expect(report.mayHaveMoreErrors == mayHaveMore)
            #expect(report.description.contains("perhaps more errors") == mayHaveMore)
        }
        let collected = CollectingReporter()
        _ = try? collected.mapping { try [Int].from(raw: ["x"]) }
        #expect(collected.reports.first?.mayHaveMoreErrors == false)
    }

    @Test("it says so after errors of one value, too, which are reported once")
    func moreErrorsBehindRepeatedOnes() throws {
        struct Entry: Codable, RawMappable {
            let city: String
            let street: String
            let age: Int
            enum CodingKeys: String, PathCodingKey {
                case city, street, age
                static let paths: [CodingKeys: [String]] = [.city: ["home.city"], .street: ["home.street"]]
            }
        }
        let collected = CollectingReporter()
        _ = try? collected.mapping(policy: .collectingAll(limit: 2)) {
            try Entry.from(raw: ["home": 7, "age": "old"])
        }
        let report = try #require(collected.reports.first)
        #expect(report.issues.count < 3)
        #expect(report.mayHaveMoreErrors)
    }

    @Test("it does not say so because of errors that code has discarded")
    func discardedErrors() throws {
        struct Numbers: Codable, RawMappable {
            let first: Int
            let second: Int
            let third: Int
        }
        struct Guarded: RawDecodable {
            static func from(raw: Json) throws -> Guarded {
                _ = try? [Int].from(raw: ["x", "y", "z"])
                _ = try? Numbers.from(raw: ["first": "x", "second": "y", "third": "z"])
                _ = try raw.decode("name") as String
                return Guarded()
            }
        }
        let collected = CollectingReporter()
        _ = try? collected.mapping(policy: .collectingAll(limit: 2)) { try Guarded.from(raw: [:]) }
        let report = try #require(collected.reports.first)
        #expect(report.issues.map(\.kind) == [.missing])
        #expect(!report.mayHaveMoreErrors)
    }

    @Test("omitted errors are problems, not recoveries")
    func omittedErrors() throws {
        struct Empty: Codable, RawMappable { let note: String? }
        var policy = MappingPolicy.strict
        policy.issueLimit = 2
        let collected = CollectingReporter()
        _ = try? collected.mapping(policy: policy) { try Empty.from(raw: ["a": 1, "b": 2, "c": 3]) }
        let report = try #require(collected.reports.first)
        #expect(report.issues.count == 2 && report.omittedIssueCount == 1)
        #expect(report.description.hasPrefix("3 problems, 0 recovered"))
        #expect(report.description.hasSuffix("and 1 more"))
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

    @Test("what tolerates nothing leaves nothing out, in entries of both sorts")
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

/// Tolerated issues of a value are not reported if the value is not returned.
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
    func aFormatThatToleratedAndThenFailedReportsNothing(isSecondRight: Bool) throws {
        let tolerant = ValueFormat<Int>("a pair", kind: .array) { raw in
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
        let value = try? collected.mapping { try ValueFormat.firstOf(tolerant, one).read([1]) }
        #expect(value == (isSecondRight ? 1 : nil))
        #expect(collected.issues.filter { $0.severity == .info }.isEmpty)
    }
}

/// Code of the app may try to read a value, and continue without it.
@Suite("Issues of values that an app lets go")
struct AppDiscardedIssueTests {
    private enum Status: String, OpenEnum { case paid }

    private struct Payment: Codable, RawMappable {
        var status: Open<Status>
        var amount: Int
    }

    /// Reads a payment, or only its status.
    private struct Order: Codable, RawMappable {
        var payment: Payment?
        var status: Open<Status>?

        struct Rest: Codable { var status: Open<Status> }
        enum CodingKeys: CodingKey { case payment }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            payment = try? container.decode(Payment.self, forKey: .payment)
            if payment == nil { status = try? container.decode(Rest.self, forKey: .payment).status }
        }
    }

    private struct HandOrder: RawDecodable {
        let payment: Payment?
        static func from(raw: Json) throws -> HandOrder {
            let payments = try? raw.decode("payments") as [Payment]
            return HandOrder(payment: payments?.first ?? (try? raw.decode("payment")))
        }
    }

    private let lost: Json = ["status": "lost", "amount": "many"]

    @Test("what a discarded value has reported is not in the report, and nothing is there twice")
    func codable() throws {
        let json: Json = [["payment": lost], ["payment": ["status": "lost", "amount": 1]]]
        let paths = ["$[0].payment.status", "$[1].payment.status"]
        var checked = MappingPolicy.standard
        checked.unknownKeys = .report
        for policy in [MappingPolicy.standard, .collectingAll(), checked] {
            let mapped = mapping(policy) { try [Order].from(raw: json) }
            #expect(mapped.value?.map { $0.payment == nil } == [true, false])
            #expect(mapped.issues.filter { $0.kind == .unknownCase }.map(\.path.description) == paths)
        }
    }

    @Test("nor what values have reported that are read by hand")
    func byHand() throws {
        let json: Json = ["payment": lost, "payments": [["status": "lost", "amount": 1], lost]]
        #expect(mapping { try HandOrder.from(raw: json) }.issues.isEmpty)
        let whole = mapping { (try? Payment.from(raw: lost))?.amount ?? 0 }
        #expect(whole.value == 0 && whole.issues.isEmpty)
    }

    @Test("nor in the report of a call")
    func call() async throws {
        let body = Data(Json([["payment": lost]]).serialized())
        let client = Client(
            baseURL: URL("https://example.com"),
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: body) }
        )
        let collected = CollectingReporter()
        _ = try await client.fetch(Route<[Order]>.get("orders"), reporter: collected)
        #expect(collected.issues.map(\.path.description) == ["$[0].payment.status"])
    }

    @Test("a mapping that fails reports what it has met before the error")
    func failure() {
        let mapped = mapping { try Payment.from(raw: lost) }
        #expect(mapped.lines == ["error wrong type $.amount", "warning unknown value $.status"])
    }

    @Test("a report has no more issues than the limit, also that of a failure", arguments: [1, 2, 3])
    func limit(_ limit: Int) throws {
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let collected = CollectingReporter()
        _ = try? collected.mapping(policy: policy) {
            try [Payment].from(raw: [["status": "lost", "amount": 1], ["status": "lost", "amount": 2], lost])
        }
        let report = try #require(collected.reports.first)
        #expect(report.issues.count == limit && report.issues.first?.severity == .error)
        #expect(report.issues.count + report.omittedIssueCount == 4)
    }
}

/// Mappings of one call may run at once: each issue belongs to its own mapping.
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
