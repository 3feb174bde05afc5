import Bilayer
import Foundation
import Testing

/// The article "When servers break the contract" has rules for optionals and defaults. They hold for every way of
/// reading a field by hand.
@Suite("Salvaging: optionals and defaults that are read by hand")
struct SalvagingByHandTests {
    private typealias Read = @Sendable (Json) throws -> Date?

    private static let raw: Json = ["day": "soon", "inner": ["day": "soon"]]

    private static let reads: [(name: String, path: String, read: Read)] = [
        ("as:", "$.day", { try $0.decodeIfPresent("day", as: .rfc3339) }),
        ("path:as:", "$.inner.day", { try $0.decodeIfPresent(path: "inner.day", as: .rfc3339) }),
        ("anyOf:as:", "$.day", { try $0.decodeIfPresent(anyOf: "date", "day", as: .rfc3339) }),
        ("path:", "$.inner.day", { try $0.decodeIfPresent(path: "inner.day") as Int? == nil ? nil : Date() }),
        ("anyOf:", "$.day", { try $0.decodeIfPresent(anyOf: "date", "day") as Int? == nil ? nil : Date() }),
    ]

    @Test(arguments: reads.indices)
    func anInvalidOptionalIsNilAndReported(index: Int) throws {
        let (name, path, read) = Self.reads[index]
        let reporter = CollectingReporter()
        let value = try reporter.mapping(policy: .salvaging) { try read(Self.raw) }
        #expect(value == nil, "\(name)")
        let issue = try #require(reporter.reports.first?.issues.first, "\(name)")
        #expect(issue.kind == .dropped)
        #expect(issue.path.description == path, "\(name)")
        #expect(issue.causes.map(\.path.description) == [path], "\(name)")
    }

    @Test(arguments: reads.indices)
    func itIsAnErrorUnderTheStandardPolicy(index: Int) {
        #expect(throws: MappingError.self) { _ = try Self.reads[index].read(Self.raw) }
    }

    @Test func anInvalidValueGetsTheDefaultForAMissingOne() throws {
        let reporter = CollectingReporter()
        let raw: Json = ["reviews": "many"]
        let value = try reporter.mapping(policy: .salvaging) { try raw.decode("reviews", ifMissing: 3) as Int }
        #expect(value == 3)
        #expect(reporter.reports.first?.issues.map(\.path.description) == ["$.reviews"])
        #expect(reporter.reports.first?.issues.first?.kind == .dropped)
        #expect(throws: MappingError.self) { try raw.decode("reviews", ifMissing: 3) as Int }
    }

    @Test func theJsonOfAReportHasTheCauses() throws {
        let reporter = CollectingReporter()
        _ = try reporter.mapping(policy: .salvaging) { try [Int].from(raw: [1, "x"]) }
        let issue = try #require(reporter.reports.first?.json["issues"]?[0])
        #expect(issue["causes"]?[0]?["path"]?.string == "$[1]")
    }

    @Test func exactlyTheToleratedLossIsTolerated() throws {
        var policy = MappingPolicy.salvaging
        policy.toleratedLoss = 0.29
        let list = Json((0..<100).map { $0 < 29 ? Json("x") : Json($0) })
        #expect(try CollectingReporter().mapping(policy: policy) { try [Int].from(raw: list) }.count == 71)
        let worse = Json((0..<100).map { $0 < 30 ? Json("x") : Json($0) })
        #expect(throws: MappingError.self) {
            try CollectingReporter().mapping(policy: policy) { try [Int].from(raw: worse) }
        }
    }
}

@Suite("Collecting: errors that a type has caught do not count")
struct CaughtErrorsOfTypesTests {
    private struct Tag: Codable, RawMappable { let id: String }
    private struct Invoice: Codable, RawMappable {
        let tags: Either<Tag, [Tag]>
        let total: Int
    }
    private struct Customer: Codable, RawMappable { let id: String }
    private struct Order: Codable, RawMappable {
        let tags: Either<Tag, [Tag]>
        let customer: Customer
    }

    @Test func anErrorAfterManyAlternativesIsFound() throws {
        let items = (0..<150)
            .map { index -> Json in
                ["tags": [["id": "a"]], "total": index == 0 || index == 149 ? "x" : 1]
            }
        struct Page: Codable, RawMappable { let items: [Invoice] }
        let raw: Json = ["items": Json(items)]
        let error = #expect(throws: MappingError.self) {
            try CollectingReporter().mapping(policy: .collectingAll()) { try Page.from(raw: raw) }
        }
        #expect(error?.issues.map(\.path.description) == ["$.items[0].total", "$.items[149].total"])
    }

    @Test func theOwnerIsFoundBehindAnAlternative() {
        let raw: Json = ["tags": [["id": "a"]], "customer": ["id": 1]]
        let error = #expect(throws: MappingError.self) { try Order.from(raw: raw) }
        #expect(error?.issues.map(\.path.description) == ["$.customer.id"])
        #expect(error?.issues.first?.owner?.hasSuffix("Customer") == true)
    }

    @Test func warningsOfTwoMembersAreTwo() throws {
        enum Status: String, OpenEnum { case new }
        struct Entry: Codable, RawMappable {
            let id: Int
            let statuses: [String: Open<Status>]
        }
        let reporter = CollectingReporter()
        #expect(throws: MappingError.self) {
            try reporter.mapping(policy: .collectingAll()) {
                try Entry.from(raw: ["id": "x", "statuses": ["a": "new1", "b": "new2"]])
            }
        }
        #expect(reporter.reports.flatMap(\.issues).filter { $0.severity == .warning }.count == 2)
    }
}

@Suite("What one entry has lost, beside another one with equal keys")
struct LossesBesideOthersTests {
    private struct Page: Codable, RawMappable { let items: [String] }
    private struct Book: RawDecodable {
        let items: [Page]
        let more: [Page]
        static func from(raw: Json) throws -> Book { try Book(items: raw.decode("items"), more: raw.decode("more")) }
    }

    @Test("is reported, also if unknown keys are", arguments: [MappingPolicy.UnknownKeys.ignore, .report])
    func losses(unknownKeys: MappingPolicy.UnknownKeys) throws {
        let json = try Json(parsing: #"{"items":[{"items":["a",7]}],"more":[{"items":["b",null]}]}"#)
        var policy = MappingPolicy.salvaging
        policy.unknownKeys = unknownKeys
        let lines = mapping(policy) { try Book.from(raw: json) }.lines
        #expect(lines == ["warning dropped $.items[0].items[1]", "warning dropped $.more[0].items[1]"])
    }
}
