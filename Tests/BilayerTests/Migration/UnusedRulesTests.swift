import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Ride: Sendable {
    struct Stop: Sendable {
        var id: Int
        var name: String
    }
    var price = 1.0
    var title = "a"
    var stops: [Stop] = []
    var note: String?
}

@Suite("Migration: rules that match nothing", .timeLimit(.minutes(5)))
struct UnusedRulesTests {
    private let book = MigrationBook()

    /// Compares pairs of models, one after the other, with one migrator.
    private func tally(_ rules: ComparisonRules, _ pairs: [(Ride, Ride)]) async throws -> MigrationTally {
        let migrator = Migrator.shadowing(reportingTo: book)
        for (old, new) in pairs {
            _ = try await migrator.fetch(.between(old, new, named: "Ride", comparing: rules))
            try await migrator.waitForShadows()
        }
        return migrator.tally(of: "Ride")
    }

    private let ride = Ride(stops: [.init(id: 1, name: "a"), .init(id: 2, name: "b")])

    @Test("the tally and each report of differences name them")
    func named() async throws {
        let rules = ComparisonRules.exact
            .ignoring("titel", "stops[].name").unordered("stops", by: "key").tolerating(0.1, at: "prise")
        var other = ride
        other.price = 3
        let tally = try await tally(rules, [(ride, ride), (ride, other)])
        #expect(tally.unusedRules == ["ignoring titel", "tolerating prise", "unordered stops by key"])
        let text = "; rules not used so far: ignoring titel, tolerating prise, unordered stops by key"
        #expect("\(tally)".hasSuffix(text))
        let report = try #require(book.reports.first)
        #expect(report.unusedRules == tally.unusedRules)
        #expect(report.description.contains("  rule not used so far: tolerating prise"))
    }

    @Test("a rule is used when a later comparison has something for it")
    func later() async throws {
        let rules = ComparisonRules.exact
            .ignoring("stops[].name", "note").unordered("stops", by: "id").tolerating(0.1, at: "price")
        #expect(
            try await tally(rules, [(Ride(), Ride())]).unusedRules == [
                "ignoring stops[].name", "unordered stops by id",
            ]
        )
        #expect(try await tally(rules, [(Ride(), Ride()), (ride, ride)]).unusedRules.isEmpty)
        #expect(try await "\(tally(rules, [(ride, ride)]))" == "1 agreed")
    }

    @Test("a tolerance of a text, and an order of what is no list, are not used")
    func kinds() async throws {
        let rules = ComparisonRules.exact.tolerating(1, at: "title").unordered("price")
        #expect(try await tally(rules, [(ride, ride)]).unusedRules == ["tolerating title", "unordered price"])
    }
}
