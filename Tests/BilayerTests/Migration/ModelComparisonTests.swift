import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Draw: Sendable {
    var id: Int
    var name: String
    var closes = Date(timeIntervalSinceReferenceDate: 0)
}

private enum Payout: Sendable {
    case none
    case single(Decimal)
    case series(first: Decimal, second: Decimal)
}

private struct Lottery: Sendable {
    var id = 1
    var odds = 0.5
    var cost: Decimal = 2
    var title: String?
    var payout = Payout.none
    var draws: [Draw] = []
    var tags: Set<String> = []
    var prices: [String: Draw] = [:]
    var data = Data([1, 2])
    var homepage: URL?
}

/// A legacy model: an open class with a superclass, without `Equatable`.
private class LegacyGame: @unchecked Sendable {  // Sendable: no test changes one after it was made.
    let id: Int
    weak var owner: LegacyGame?
    lazy var title = "Game \(id)"

    init(id: Int) { self.id = id }
}

private final class LegacyBonusGame: LegacyGame, @unchecked Sendable {  // Sendable: as above.
    let bonus: Int
    let box: Box

    final class Box { weak var game: LegacyGame? }

    init(id: Int, bonus: Int) {
        self.bonus = bonus
        box = Box()
        super.init(id: id)
        box.game = self
    }
}

/// Equal by its id alone, as legacy models often are.
private struct ByID: Equatable, Sendable {
    var id: Int
    var name: String
    static func == (one: ByID, other: ByID) -> Bool { one.id == other.id }
}

@Suite("Migration: comparison of models", .timeLimit(.minutes(5)))
struct ModelComparisonTests {
    @Test("numbers differ in digits that a double does not have")
    func exactNumbers() async throws {
        #expect(try await difference(Int64(9_007_199_254_740_993), 9_007_199_254_740_992).count == 1)
        #expect(try await difference(UInt64.max, UInt64.max - 1).count == 1)
        let (one, other) = (Decimal(string: "1234567890123456.78"), Decimal(string: "1234567890123456.79"))
        #expect(try await difference(#require(one), #require(other)).count == 1)
        #expect(try await difference(1e300, 1e300.nextUp).count == 1)
        #expect(try await difference(1e300, 1e300).isEmpty)
    }

    @Test("a tolerance counts digits that a double does not have")
    func exactTolerances() async throws {
        let rules = ComparisonRules.exact.tolerating(0.5, at: "$")
        #expect(try await difference(Int64.max, Int64.max - 1, rules).count == 1)
        let texts = ["100000000000000000000.01", "100000000000000000000.99", "100000000000000000000.51"]
        let numbers = try texts.map { try #require(Decimal(string: $0)) }
        #expect(try await difference(numbers[0], numbers[1], rules).count == 1)
        #expect(try await difference(numbers[0], numbers[2], rules).isEmpty)
        #expect(try await difference(1.1, 1.0, .exact.tolerating(0.1, at: "$")).isEmpty)
        #expect(try await difference(1e300, 1.1e300, rules).count == 1)
    }

    @Test("the greatest difference is accepted, whatever its binary digits are", arguments: [0.011, 0.022, 0.1, 4.35])
    func greatestDifferences(greatest: Double) async throws {
        let rules = ComparisonRules.exact.tolerating(greatest, at: "$")
        let distance = try #require(Decimal(string: "\(greatest)"))
        #expect(try await difference(Decimal(7), 7 + distance, rules).isEmpty)
        let further = try #require(Decimal(string: "0.0001"))
        #expect(try await difference(Decimal(7), 7 + distance + further, rules).count == 1)
        #expect(try await difference(Decimal(7), Decimal(9), .exact.tolerating(.infinity, at: "$")).isEmpty)
    }

    /// Comparing each element with each would take 900 million comparisons.
    @Test func largeSetsAreComparedByLookUps() async throws {
        let old = Set(0..<30_000)
        #expect(try await difference(old, Set(0..<30_000)).isEmpty)
        let found = try await difference(old, old.subtracting([7]).union([-7]))
        #expect(Set(found.map(\.kind)) == [.missing, .added])
        #expect(found.count == 2)
    }

    @Test func equalTextsAreNotAlwaysEqualElements() async throws {
        let rules = ComparisonRules.exact.unordered("$")
        #expect(try await difference([Payload.text("1"), .number(1)], [.number(1), .text("1")], rules).isEmpty)
        #expect(try await difference([Payload.text("1"), .text("1")], [.number(1), .text("1")], rules).count == 2)
    }

    private enum Payload: Sendable {
        case text(String)
        case number(Int)
    }

    /// What a migrator reports of two models.
    private func difference<Model: Sendable>(
        _ old: Model,
        _ new: Model,
        _ rules: ComparisonRules = .exact
    ) async throws -> [ModelDifference] {
        try await report(.between(old, new, named: "Model", comparing: rules))?.differences ?? []
    }

    private func report<Model>(_ migration: Migration<Model>) async throws -> MigrationReport? {
        let book = MigrationBook()
        let migrator = Migrator.shadowing(reportingTo: book)
        _ = try await migrator.fetch(migration)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: migration.name).compared == 1)
        return book.reports.first
    }

    private func changed(_ change: (inout Lottery) -> Void) -> Lottery {
        var lottery = Lottery(draws: [Draw(id: 1, name: "a")], prices: ["x": Draw(id: 2, name: "b")])
        change(&lottery)
        return lottery
    }

    @Test("each field that differs has its path, and a model agrees with itself")
    func fields() async throws {
        let lottery = changed { _ in }
        let changes: [(String, @Sendable (inout Lottery) -> Void)] = [
            ("$.id", { $0.id = 2 }),
            ("$.odds", { $0.odds = 0.25 }),
            ("$.cost", { $0.cost = 3 }),
            ("$.title", { $0.title = "" }),
            ("$.payout", { $0.payout = .single(1) }),
            ("$.draws[0].name", { $0.draws[0].name = "c" }),
            ("$.draws[0].closes", { $0.draws[0].closes += 1 }),
            ("$.draws[0]", { $0.draws = [] }),
            ("$.draws[1]", { $0.draws.append(Draw(id: 2, name: "d")) }),
            ("$.tags[0]", { $0.tags = ["new"] }),
            ("$.prices.*.name", { $0.prices["x"]?.name = "c" }),
            ("$.prices.*", { $0.prices = [:] }),
            ("$.data", { $0.data = Data([1, 3]) }),
            ("$.homepage", { $0.homepage = URL(string: "https://example.com") }),
        ]
        #expect(try await difference(lottery, lottery).isEmpty)
        for (path, change) in changes {
            #expect(try await difference(lottery, changed(change)).map(\.path.description) == [path])
            #expect(try await difference(changed(change), lottery).map(\.path.description) == [path])
        }
        #expect(Mirror(reflecting: lottery).children.count == 10, "a new field needs a change above")
    }

    @Test("values inside of enum cases")
    func cases() async throws {
        let one = Lottery(payout: .series(first: 1, second: 2))
        #expect(
            try await difference(one, Lottery(payout: .series(first: 1, second: 3))).map(\.path.description)
                == ["$.payout.series.second"]
        )
        #expect(try await difference(one, Lottery(payout: .single(1))).map(\.path.description) == ["$.payout"])
    }

    @Test("fields of an open class and its superclass; lazy properties and circles do not matter")
    func classes() async throws {
        let old = LegacyBonusGame(id: 1, bonus: 2)
        _ = old.title
        #expect(try await difference(old, LegacyBonusGame(id: 1, bonus: 2)).isEmpty)
        let changed = LegacyBonusGame(id: 3, bonus: 4)
        #expect(try await difference(old, changed).map(\.path.description) == ["$.id", "$.bonus"])
        #expect(try await difference(old as LegacyGame, LegacyGame(id: 1)).map(\.kind) == [.missing, .missing])
    }

    @Test("objects that share others have as many ways to them as two to the power of their number")
    func sharedObjects() async throws {
        func chain(_ count: Int, last: Int) -> Shared {
            (0..<count).reduce(Shared(last, nil)) { next, _ in Shared(0, next) }
        }
        #expect(try await difference(chain(4, last: 1), chain(4, last: 2)).isEmpty == false)
        let kinds = Set(try await difference(chain(50, last: 1), chain(50, last: 1)).map(\.kind))
        #expect(kinds == [.notComparable])
    }

    @Test("the model's own == does not hide a field")
    func ownEquality() async throws {
        let differences = try await difference(ByID(id: 1, name: "a"), ByID(id: 1, name: "b"))
        #expect(differences.map(\.path.description) == ["$.name"])
    }

    @Test("sets have no order, of any size")
    func sets() async throws {
        let tags = (0..<200).map { "tag \($0)" }
        #expect(try await difference(Lottery(tags: Set(tags)), Lottery(tags: Set(tags.reversed()))).isEmpty)
    }

    @Test("ignored fields, at any depth, and an ignored list")
    func ignoring() async throws {
        let old = changed { _ in }
        let new = changed {
            $0.id = 9
            $0.draws[0].name = "c"
            $0.prices["x"]?.name = "c"
        }
        let rules = ComparisonRules.exact.ignoring("id", "draws[].name", "prices.*.name")
        #expect(try await difference(old, new, rules).isEmpty)
        #expect(try await difference(old, changed { $0.draws = [] }, .exact.ignoring("draws")).isEmpty)
        #expect(try await difference([old], [new], .exact.ignoring("[].id", "[].draws", "$[].prices")).isEmpty)
    }

    @Test("lists without an order: by equal elements, or by a key that names the field that differs")
    func unordered() async throws {
        let draws = [Draw(id: 1, name: "a"), Draw(id: 2, name: "b"), Draw(id: 3, name: "c")]
        let (old, reversed) = (Lottery(draws: draws), Lottery(draws: draws.reversed()))
        #expect(try await !difference(old, reversed).isEmpty)
        #expect(try await difference(old, reversed, .exact.unordered("draws")).isEmpty)
        #expect(try await difference(draws, draws.reversed(), .exact.unordered("$")).isEmpty)

        var wrong = reversed
        wrong.draws[0].name = "x"
        let byElement = try await difference(old, wrong, .exact.unordered("draws"))
        #expect(byElement.map(\.path.description) == ["$.draws[2]", "$.draws[0]"])
        #expect(byElement.map(\.kind) == [.missing, .added])
        let byKey = try await difference(old, wrong, .exact.unordered("draws", by: "id"))
        #expect(byKey.map(\.path.description) == ["$.draws[2].name"])

        wrong.draws = [Draw(id: 3, name: "c"), Draw(id: 4, name: "d"), Draw(id: 1, name: "a")]
        let others = try await difference(old, wrong, .exact.unordered("draws", by: "id"))
        #expect(others.map(\.path.description) == ["$.draws[1]", "$.draws[1]"])
        #expect(others.map(\.kind) == [.missing, .added])
    }

    @Test("equal elements count as often as they are there")
    func multiplicity() async throws {
        #expect(try await difference([1, 1, 2], [1, 2, 2], .exact.unordered("$")).map(\.kind) == [.missing, .added])
        #expect(try await difference([1, 1, 2], [2, 1, 1], .exact.unordered("$")).isEmpty)
    }

    @Test(
        "elements belong together under a tolerance if any pairing of all does",
        arguments: [
            ([1.0, 1.004], [1.004, 1.008]), ([1.004, 1.0], [1.004, 1.008]), ([1.002, 1.005], [1.001, 0.999]),
            ([1, 1.004, 1.008, 1.012], [1.004, 1.008, 1.012, 1.016]),
        ]
    )
    func pairings(old: [Double], new: [Double]) async throws {
        let rules = ComparisonRules.exact.unordered("$").tolerating(0.0045, at: "[]")
        for old in [old, old.reversed()] {
            for new in [new, new.reversed()] { #expect(try await difference(old, new, rules).isEmpty) }
        }
        #expect(try await difference(old + [5], new, rules).map(\.kind) == [.missing])
        #expect(try await difference(old + [5], new + [6], rules).map(\.kind) == [.missing, .added])
    }

    @Test("a list too long to compare each element with each is said to be incomparable, at once")
    func longLists() async throws {
        let rules = ComparisonRules.exact.unordered("$")
        let found = try await difference(Array(0..<1_200), Array(1_200..<2_400), rules)
        #expect(found.map(\.kind) == [.notComparable])
        #expect(found.map(\.path.description) == ["$"])
        let near = rules.tolerating(0.5, at: "[]")
        let (numbers, shifted) = ((0..<1_200).map(Double.init), (0..<1_200).map { Double($0) + 0.25 })
        #expect(try await difference(numbers, shifted, near).isEmpty)
        #expect(try await difference(numbers, shifted.reversed(), near).map(\.kind) == [.notComparable])
    }

    @Test("tolerances of numbers, and of dates in seconds")
    func tolerances() async throws {
        let rules = ComparisonRules.exact.tolerating(0.01, at: "cost").tolerating(1, at: "draws[].closes")
        let old = changed { _ in }
        let near = changed {
            $0.cost += 0.009
            $0.draws[0].closes += 0.5
        }
        #expect(try await difference(old, near).count == 2)
        #expect(try await difference(old, near, rules).isEmpty)
        let far = changed {
            $0.cost += 0.02
            $0.draws[0].closes += 2
        }
        #expect(try await difference(old, far, rules).count == 2)
        #expect(try await difference(Double.nan, Double.nan).isEmpty)
        #expect(try await difference(Double.nan, 1.0, .exact.tolerating(5, at: "$")).count == 1)
    }

    @Test("what shows no properties is compared by its JSON or by ==, else it is said to be incomparable")
    func leaves() async throws {
        struct Hidden: Sendable, Encodable, CustomReflectable {
            var name: String
            var customMirror: Mirror { Mirror(self, children: []) }
        }
        struct Closure: Sendable { let run: @Sendable () -> Void }
        #expect(
            try await difference(Hidden(name: "a"), Hidden(name: "b")).map(\.path.description) == ["$.name"]
        )
        #expect(try await difference(Hidden(name: "a"), Hidden(name: "a")).isEmpty)
        let closures = try await difference(Closure {}, Closure {})
        #expect(closures.map(\.kind) == [.notComparable] && closures.map(\.path.description) == ["$.run"])
        #expect(try await difference(Closure {}, Closure {}, .exact.ignoring("run")).isEmpty)
        let json: (Json, Json) = (["a": 1, "b": 2], ["b": 2, "a": 3])
        #expect(try await difference(json.0, json.1).map(\.path.description) == ["$.a"])
    }

    @Test("a model as deep as it is long does not overflow the stack of its task")
    func depth() async throws {
        final class Link: @unchecked Sendable {  // Sendable: only the test that makes the chain changes it.
            var next: Link?
        }
        func chain() -> Link {
            let first = Link()
            var last = first
            for _ in 0..<2_000 {
                let link = Link()
                last.next = link
                last = link
            }
            return first
        }
        let differences = try await difference(chain(), chain())
        #expect(differences.map(\.kind) == [.notComparable])
    }

    @Test("the report has types and lengths, and values only where the rules show them")
    func values() async throws {
        let old = changed { $0.title = "secret" }
        let new = changed {
            $0.title = "secrets"
            $0.cost = 3
            $0.prices["x"]?.name = "hidden"
        }
        func text(_ rules: ComparisonRules) async throws -> String {
            try await report(.between(old, new, named: "Lottery", comparing: rules)).map { "\($0)" } ?? ""
        }
        #expect(
            try await text(.exact) == """
                Lottery: differed
                  $.cost: differs: old number, new number
                  $.title: differs: old string (6 characters), new string (7 characters)
                  $.prices.*.name: differs: old string (1 character), new string (6 characters)
                """
        )
        let shown = try await text(.exact.showing(.fields("cost")).ignoring("title", "prices"))
        #expect(shown.hasSuffix("$.cost: differs: old number 2, new number 3"))
    }

    @Test("a limit of differences: the others are counted")
    func limit() async throws {
        var rules = ComparisonRules.exact
        rules.differenceLimit = 3
        let migration = Migration.between(Array(0..<10), Array(1..<11), named: "Numbers", comparing: rules)
        let report = try #require(try await report(migration))
        #expect(report.differences.count == 3 && report.omittedDifferenceCount == 7)
        #expect("\(report)".hasSuffix("and 7 more"))
    }

    @Test("a closure compares what fields do not say")
    func closure() async throws {
        let book = MigrationBook()
        let migrator = Migrator.shadowing(StubTransport(.json("1")), reportingTo: book)
        let migration = Migration<LegacyGame>(
            from: .get("game") { (id: Int) in LegacyGame(id: id) },
            to: .get("game") { (id: Int) in LegacyGame(id: id + 1) },
            compare: { old, new in old.title == new.title ? [] : [[.key("title")]] }
        )
        #expect(try await migrator.fetch(migration).id == 1)
        try await migrator.waitForShadows()
        #expect(book.reports.map(\.description) == ["LegacyGame: differed\n  $.title: differs"])
    }
}

/// An object with two ways to the next one.
private final class Shared: Sendable {
    let number: Int
    let one: Shared?
    let other: Shared?

    init(_ number: Int, _ next: Shared?) { (self.number, one, other) = (number, next, next) }
}
