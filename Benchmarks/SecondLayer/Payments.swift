import Bilayer
package import Foundation

/// Payments whose model has another structure than the entry. The conversion is written by hand, with its paths and
/// types.
package enum PaymentsForms: TwoForms {
    package static let sample = """
        {"payments":[{"id":"1","kind":"card","amount":"10.00","currency":"EUR","last4":"4242"},
                     {"id":"2","kind":"transfer","amount":"7.5","currency":"EUR","iban":"DE02"}]}
        """

    struct PaymentEntry: Codable, RawMappable, Equatable {
        let id: String
        let kind: String
        let amount: String
        let currency: String
        let last4: String?
        let iban: String?
    }
    struct PageEntry: Codable, RawMappable, Equatable { let payments: [PaymentEntry] }

    enum Source: Equatable {
        case card(last4: String)
        case transfer(iban: String)
    }

    // by hand
    enum ByHand {
        struct Failure: Error {
            let path: String
            let reason: String
        }
        struct Payment: Equatable {
            let id: String
            let amount: Decimal
            let currency: String
            let source: Source

            init(_ entry: PaymentEntry, at path: String) throws {
                guard let amount = Decimal(string: entry.amount) else {
                    throw Failure(path: path + ".amount", reason: "not a number")
                }
                switch entry.kind {
                case "card":
                    guard let last4 = entry.last4 else { throw Failure(path: path + ".last4", reason: "missing") }
                    source = .card(last4: last4)
                case "transfer":
                    guard let iban = entry.iban else { throw Failure(path: path + ".iban", reason: "missing") }
                    source = .transfer(iban: iban)
                default:
                    throw Failure(path: path + ".kind", reason: "unknown")
                }
                id = entry.id
                self.amount = amount
                currency = entry.currency
            }
        }
        static func payments(_ entry: PageEntry) throws -> [Payment] {
            try entry.payments.enumerated().map { try Payment($1, at: "$.payments[\($0)]") }
        }
    }
    // end

    // lean
    enum Lean {
        struct Payment: DTODecodable, Equatable {
            let id: String
            let amount: Decimal
            let currency: String
            let source: Source

            static func from(dto: PaymentEntry) throws -> Payment {
                try Payment(
                    id: dto.id,
                    amount: Decimal(string: dto.amount).require("amount"),
                    currency: dto.currency,
                    source: dto.kind == "card"
                        ? .card(last4: dto.last4.require("last4")) : .transfer(iban: dto.iban.require("iban"))
                )
            }
        }
        static func payments(_ entry: PageEntry) throws -> [Payment] {
            try .from(dto: entry.payments, at: "payments")
        }
    }
    // end

    package static func agree() throws -> Bool {
        let entry = try PageEntry.from(raw: Json(parsing: sample))
        let hand = try ByHand.payments(entry)
        let lean = try Lean.payments(entry)
        return hand.map(\.amount) == lean.map(\.amount) && hand.map(\.source) == lean.map(\.source)
            && hand.map(\.id) == lean.map(\.id)
    }

    // The functions that the benchmark measures.

    private static func decode(_ list: Data) throws -> [PageEntry] { try JsonDecoder().decode(from: list) }

    package static func foundationEntries(of list: Data) throws -> Any {
        try JSONDecoder().decode([PageEntry].self, from: list)
    }
    package static func entries(of list: Data) throws -> Any { try decode(list) }
    package static func modelsByHand(of list: Data) throws -> Any { try decode(list).map(ByHand.payments) }
    package static func leanModels(of list: Data) throws -> Any { try decode(list).map(Lean.payments) }
}
