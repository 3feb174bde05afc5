import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct GameEntry: Codable, RawMappable {
    let gameId: Int
    let maxCost: String
    let openedAt: String?
}

private struct Game {
    let id: Int
    let cost: Decimal

    init(_ entry: GameEntry) throws {
        id = entry.gameId
        cost = try Decimal(string: entry.maxCost).require("maxCost")
    }
}

/// An entry by hand that is not `Codable`.
private struct SeatEntry: RawMappable {
    let row: Int
    let number: Int

    static func from(raw: Json) throws -> SeatEntry {
        try SeatEntry(row: raw.decode("row"), number: raw.decode("number"))
    }

    func toRaw() -> Json { ["row": Json(row), "number": Json(number)] }
}

@Suite("Contract checks of conversions by closures, and of spellings")
struct ConversionContractTests {
    private let entry = GameEntry(gameId: 7, maxCost: "25.00", openedAt: "2026-01-01")

    @Test func fieldsThatAConversionDoesNotReadAreNamed() throws {
        #expect(
            contractProblems { try expectEveryFieldIsRead(by: { (entry: GameEntry) in try Game(entry) }, from: entry) }
                == [
                    "$.openedAt   is not read"
                ]
        )
        try expectEveryFieldIsRead(by: { try Game($0) }, from: entry, ignoring: ["openedAt"])
        let seat = SeatEntry(row: 3, number: 4)
        #expect(
            contractProblems { try expectEveryFieldIsRead(by: { $0.row }, from: seat) } == ["$.number   is not read"]
        )
        let error = #expect(throws: ContractError.self) { try expectEveryFieldIsRead(by: Game.init, from: entry) }
        #expect(error?.subject == "Game")
    }

    @Test func aConversionAndItsWayBack() throws {
        try expectRoundTrip(
            of: entry,
            through: { ($0.gameId, $0.maxCost, $0.openedAt) },
            back: { GameEntry(gameId: $0.0, maxCost: $0.1, openedAt: $0.2) }
        )
        #expect(
            contractProblems {
                try expectRoundTrip(
                    of: entry,
                    through: { try Game($0) },
                    back: { GameEntry(gameId: $0.id, maxCost: "\($0.cost)", openedAt: nil) }
                )
            } == [#"$.maxCost   "25.00" became "25""#, #"$.openedAt   "2026-01-01" was lost"#]
        )
    }

    /// Reads dates, and numbers in quotes, in any spelling, and writes them in one.
    private struct PriceEntry: RawMappable {
        let cost: Decimal
        let at: Date
        let name: String

        static func from(raw: Json) throws -> PriceEntry {
            try PriceEntry(
                cost: Decimal(string: raw.decode("cost")).require("cost"),
                at: Date(rfc3339: raw.decode("at")).require("at"),
                name: raw.decode("name")
            )
        }

        func toRaw() throws -> Json {
            ["cost": Json("\(cost)"), "at": Json(try at.rfc3339().require("at")), "name": Json(name.lowercased())]
        }
    }

    @Test(
        "another spelling of a number or date that the entry reads as equal is no problem",
        arguments: [
            ("25.00", "2026-01-01T10:00:00Z"), ("25", "2026-01-01T10:00:00.000Z"),
            ("25.0", "2026-01-01T10:00:00+00:00"), ("0.50", "2026-01-01T12:00:00+02:00"),
        ]
    )
    func spellings(cost: String, at: String) throws {
        let sample: Json = ["cost": Json(cost), "at": Json(at), "name": "ada"]
        try expectRoundTrip(of: sample, through: PriceEntry.self)
    }

    @Test("another value, and another spelling of a text, is one")
    func otherValues() {
        let sample: Json = ["cost": "25.00", "at": "2026-01-01T10:00:00.000Z", "name": "Ada"]
        #expect(
            contractProblems { try expectRoundTrip(of: sample, through: PriceEntry.self) } == [
                #"$.name   "Ada" became "ada""#
            ]
        )
        struct Truncating: RawMappable {
            let at: Date
            static func from(raw: Json) throws -> Truncating {
                Truncating(at: try Date(rfc3339: raw.decode("at")).require("at"))
            }
            func toRaw() throws -> Json { ["at": Json(try at.rfc3339(fractionDigits: 0).require("at"))] }
        }
        #expect(
            contractProblems { try expectRoundTrip(of: ["at": "2026-01-01T10:00:00.250Z"], through: Truncating.self) }
                == [#"$.at   "2026-01-01T10:00:00.250Z" became "2026-01-01T10:00:00Z""#]
        )
        /// Reads the text itself, so another spelling is another value.
        struct Verbatim: RawMappable {
            let cost: String
            static func from(raw: Json) throws -> Verbatim { Verbatim(cost: try raw.decode("cost")) }
            func toRaw() -> Json { ["cost": "25"] }
        }
        #expect(
            contractProblems { try expectRoundTrip(of: ["cost": "25.00"], through: Verbatim.self) }
                == [#"$.cost   "25.00" became "25""#]
        )
    }
}
