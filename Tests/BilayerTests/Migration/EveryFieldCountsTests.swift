import Foundation
import Testing

@testable import Bilayer

private final class PaymentCard: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// An enum that is not `Equatable`, and whose cases have one description.
private enum OpaquePayment: CustomStringConvertible {
    case cash, unknown
    case card(PaymentCard)
    var description: String { "Payment" }
}

private enum OpaqueCurrency: String, CustomStringConvertible {
    case euro, dollar
    var description: String { "Currency" }
}

@Suite("Migration: each difference is found")
struct EveryFieldCountsTests {
    private func differences(
        _ old: some Any,
        _ new: some Any,
        _ rules: ComparisonRules = .exact
    )
        -> [String]
    {
        ModelComparer.differences(old, new, by: rules).differences
            .map {
                "\($0.kind) \($0.path.exactDescription)"
            }
    }

    @Test("of members whose keys have one description")
    func keys() {
        let prices: [OpaqueCurrency: Int] = [.euro: 1, .dollar: 2]
        #expect(differences(prices, [.euro: 1, .dollar: 2] as [OpaqueCurrency: Int]).isEmpty)
        #expect(differences(prices, [.euro: 1, .dollar: 3] as [OpaqueCurrency: Int]).count == 1)
        #expect(differences(prices, [.euro: 3, .dollar: 2] as [OpaqueCurrency: Int]).count == 1)
        #expect(differences(prices, [.euro: 1] as [OpaqueCurrency: Int]).count == 1)
        #expect(differences(prices, [.dollar: 2] as [OpaqueCurrency: Int]).count == 1)
        struct Key: Hashable {
            let currency: OpaqueCurrency
            let region: Int
        }
        let inKeys = [Key(currency: .euro, region: 1): 1, Key(currency: .dollar, region: 1): 2]
        #expect(differences(inKeys, inKeys.mapValues { $0 == 2 ? 3 : $0 }).count == 1)
        #expect(
            differences([1: 1, "1": 2] as [AnyHashable: Int], [1: 1, "1": 3] as [AnyHashable: Int]).count
                == 1
        )
    }

    @Test("members are named by their keys, those of one list by a property that is a member")
    func members() {
        #expect(differences(["eur": 1, "usd": 2], ["eur": 1, "usd": 3]).count == 1)
        #expect(differences([1: "a", 2: "b"], [1: "a"]).count == 1)
        let lists = ([["id": 1, "price": 2]], [["id": 1, "price": 3]])
        let rules = ComparisonRules.exact.unordered("$", by: "id")
        #expect(
            ModelComparer.differences(lists.0, lists.1, by: rules).differences.map(\.path.exactDescription) == [
                "$[0].price"
            ]
        )
    }

    @Test("of cases that cannot be told apart, a report says so")
    func cases() {
        struct Order { let payment: OpaquePayment }
        for other in [OpaquePayment.cash, .unknown] {
            let found =
                ModelComparer.differences(
                    Order(payment: .cash),
                    Order(payment: other),
                    by: .exact
                )
                .differences
            #expect(found.map(\.kind) == [.notComparable])
        }
        let cards = (OpaquePayment.card(PaymentCard(1)), OpaquePayment.card(PaymentCard(2)))
        #expect(differences(Order(payment: cards.0), Order(payment: cards.1)).count == 1)
        #expect(differences(Order(payment: cards.0), Order(payment: .card(PaymentCard(1)))).isEmpty)
        #expect(differences(Order(payment: .cash), Order(payment: cards.0)).count == 1)
    }

    @Test(
        "of numbers, whatever their digits",
        arguments: [
            ("1234567890123456789012345678901234567890", "1234567890123456789012345678901234567891"),
            ("1.00000000000000000000000000000000000000001", "1"), ("1e-400", "2e-400"),
            ("1e400", "2e400"),
            ("1e-130", "0"),
        ]
    )
    func numbers(old: String, new: String) throws {
        #expect(differences(try Json.of(old), try Json.of(new)).count == 1)
        #expect(differences(try Json.of(old), try Json.of(old)).isEmpty)
    }

    @Test("numbers in another notation are equal, and infinite ones are only equal to themselves")
    func notations() throws {
        #expect(differences(try Json.of("1e2"), try Json.of("100.0")).isEmpty)
        #expect(differences(try Json.of("-0"), try Json.of("0.0")).isEmpty)
        #expect(differences([Double.infinity], [Double.infinity]).isEmpty)
        #expect(differences([Double.infinity], [-Double.infinity]).count == 1)
        #expect(differences([Double.nan], [1.0]).count == 1)
        #expect(differences([Double.infinity], [1.0], .exact.tolerating(5, at: "[]")).count == 1)
    }

    @Test("of an optional that holds nil, and one that holds nothing")
    func nestedOptionals() {
        let values: [Int???] = [nil, .some(nil), .some(.some(nil)), 1]
        for (index, one) in values.enumerated() {
            for (place, other) in values.enumerated() {
                #expect(differences([one], [other]).isEmpty == (index == place), "\(index), \(place)")
            }
        }
    }

    @Test("a value that hides its properties cannot be compared")
    func hidden() {
        struct Hidden: CustomReflectable {
            let number: Int
            var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
        }
        let found = ModelComparer.differences(Hidden(number: 1), Hidden(number: 2), by: .exact).differences
        #expect(found.map(\.kind) == [.notComparable])
        struct Empty {}
        #expect(differences(Empty(), Empty()).isEmpty)
    }
}
