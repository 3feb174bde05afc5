import Bilayer
import BilayerTesting
import Foundation
import Testing

private enum Colour: String, Codable, Hashable { case red, green }

private struct PartEntry: Codable, RawMappable {
    var name: String
    var caption: String?
}

private struct BikeEntry: Codable, RawMappable {
    var id: Int
    var colour: Colour
    var parts: [PartEntry]
    var bought: Date
    var tags: Set<String>
    var note: String?
}

private struct Bike: DTOConvertible {
    let id: Int
    let isRed: Bool
    let names: [String]
    let tags: Set<String>

    static func from(dto: BikeEntry) throws -> Bike {
        try require(that: dto.parts.allSatisfy { $0.caption != "" }, "captions have text")
        return Bike(id: dto.id, isRed: dto.colour == .red, names: dto.parts.map(\.name), tags: dto.tags)
    }

    func toDTO() -> BikeEntry {
        BikeEntry(
            id: id,
            colour: isRed ? .red : .green,
            parts: names.map { PartEntry(name: $0) },
            bought: Date(timeIntervalSinceReferenceDate: 0),
            tags: tags
        )
    }
}

private struct PointEntry: RawMappable {
    let x: Int
    static func from(raw: Json) throws -> PointEntry { try PointEntry(x: raw.decode("x")) }
    func toRaw() -> Json { ["x": Json(x)] }
}

private let sample = BikeEntry(
    id: 1,
    colour: .red,
    parts: [PartEntry(name: "bell", caption: "loud"), PartEntry(name: "wheel", caption: "round")],
    bought: Date(timeIntervalSinceReferenceDate: 0),
    tags: ["a", "b", "c"],
    note: "n"
)

@Suite("Contract checks")
struct ContractTests {
    @Test func unreadFieldsAreNamed() {
        let found = contractProblems {
            try expectEveryFieldIsRead(by: Bike.self, from: sample, changing: ["colour": "green"])
        }
        #expect(found == ["$.bought   is not read", "$.note   is not read"])
    }

    @Test func whatCannotBeCheckedIsSaid() {
        var sparse = sample
        sparse.note = nil
        sparse.parts = []
        let found = contractProblems { try expectEveryFieldIsRead(by: Bike.self, from: sparse, ignoring: ["bought"]) }
        #expect(
            found == [
                "$.colour   cannot be checked: no other value is accepted; name one that is (changing:)",
                "$.parts   cannot be checked: it is empty in the sample",
                "$.note   cannot be checked: it is nil in the sample",
            ]
        )
    }

    @Test func fieldsMayBeIgnored() throws {
        try expectEveryFieldIsRead(
            by: Bike.self,
            from: sample,
            ignoring: ["bought", "$.note"],
            changing: ["colour": "green"]
        )
    }

    @Test func aSampleThatCannotBeMappedIsAnErrorOfItsOwn() {
        var broken = sample
        broken.parts[0].caption = ""
        #expect(throws: MappingError.self) { try expectEveryFieldIsRead(by: Bike.self, from: broken) }
    }

    @Test func keysThatTheEntryDoesNotReadAreNamed() throws {
        var json = try sample.toRaw()
        try expectEveryKeyIsRead(by: BikeEntry.self, in: json)
        json["extra"] = ["deep": 1]
        json.set("x", at: [.key("parts"), .index(1), .key("size")])
        #expect(
            contractProblems { try expectEveryKeyIsRead(by: BikeEntry.self, in: json) }
                == ["$.parts[].size   is not read", "$.extra.deep   is not read"]
        )
        try expectEveryKeyIsRead(by: BikeEntry.self, in: json, ignoring: ["extra", "parts[].size"])
        #expect(
            contractProblems { try expectEveryKeyIsRead(by: PointEntry.self, in: ["x": 1, "y": 2]) } == [
                "$.y   is not read"
            ]
        )
    }

    @Test func roundTrips() throws {
        var sample = sample
        sample.tags = ["a"]
        try expectRoundTrip(of: sample.toRaw(), through: BikeEntry.self)
        #expect(
            contractProblems { try expectRoundTrip(of: ["x": 1, "y": [2]], through: PointEntry.self) } == [
                "$.y   [2] was lost"
            ]
        )
        let lost = contractProblems { try expectRoundTrip(of: sample, through: Bike.self) }
        #expect(lost.contains(#"$.parts[0].caption   "loud" was lost"#) && lost.contains(#"$.note   "n" was lost"#))
    }

    @Test func snapshotsOfReportsForgetLineNumbers() throws {
        let collected = CollectingReporter()
        _ = try collected.mapping { _ = Int?.none.default(7, "speed") }
        let snapshot =
            "info $.speed: used default: expected Int, found nothing at ContractTests.swift snapshotsOfReportsForgetLineNumbers()"
        try expectSnapshot(of: collected.reports, is: snapshot)
        let found = contractProblems { try expectSnapshot(of: collected.reports, is: "info $.pace") }
        #expect(found == ["line 1   gone: info $.pace", "line 1   new: \(snapshot)"])
    }

    @Test func theErrorReadsWell() {
        let text = contractProblems { try expectEveryKeyIsRead(by: PointEntry.self, in: ["x": 1, "y": 2]) }
        #expect(text.count == 1)
        let error = #expect(throws: ContractError.self) {
            try expectEveryKeyIsRead(by: PointEntry.self, in: ["x": 1, "y": 2])
        }
        #expect(error?.description == "Contract of PointEntry:\n  $.y   is not read")
    }

    @Test func valuesOfEveryTypeAreProbed() throws {
        struct DayEntry: Codable, RawMappable {
            let at: Date
            let id: UUID
            let price: Decimal
            let blob: Data
            let page: URL
            let inner: PartEntry
        }
        struct Day: DTODecodable {
            let dto: DayEntry
            static func from(dto: DayEntry) -> Day { Day(dto: dto) }
        }
        struct Half: DTODecodable {
            let at: Date
            let page: URL
            static func from(dto: DayEntry) -> Half { Half(at: dto.at, page: dto.page) }
        }
        let sample = DayEntry(
            at: Date(timeIntervalSince1970: 7),
            id: UUID(),
            price: 3,
            blob: Data([1]),
            page: URL("https://a.example/x"),
            inner: PartEntry(name: "a", caption: "b")
        )
        try expectEveryFieldIsRead(by: Day.self, from: sample)
        #expect(
            Set(contractProblems { try expectEveryFieldIsRead(by: Half.self, from: sample) }) == [
                "$.id   is not read", "$.price   is not read", "$.blob   is not read",
                "$.inner.name   is not read", "$.inner.caption   is not read",
            ]
        )
    }

    @Test func theConventionsOfAClientHold() throws {
        struct SnakeEntry: Codable, RawMappable {
            let fullName: String
            let bornAt: Date
        }
        struct Person: DTODecodable {
            let name: String
            static func from(dto: SnakeEntry) -> Person { Person(name: dto.fullName) }
        }
        let conventions = CodingConventions.snakeCaseAndRFC3339
        let sample: Json = ["full_name": "a", "born_at": "2026-01-01T00:00:00Z", "node_id": "z"]
        #expect(
            contractProblems { try expectEveryKeyIsRead(by: SnakeEntry.self, in: sample, conventions: conventions) }
                == [
                    "$.node_id   is not read"
                ]
        )
        let entry = SnakeEntry(fullName: "a", bornAt: Date(timeIntervalSince1970: 0))
        #expect(
            contractProblems { try expectEveryFieldIsRead(by: Person.self, from: entry, conventions: conventions) } == [
                "$.born_at   is not read"
            ]
        )
    }

    private struct TripEntry: Codable, RawMappable {
        var tripId: Int
        var bornAt: Date?
        var pages: [PageEntry]

        enum CodingKeys: String, CodingKey {
            case tripId = "id"
            case bornAt = "birth_date"
            case pages
        }
    }

    private struct PageEntry: Codable, RawMappable {
        var text: String
        var colour: Colour?
        enum CodingKeys: String, CodingKey {
            case text
            case colour = "shade"
        }
    }

    private struct Trip: DTODecodable {
        let texts: [String]
        static func from(dto: TripEntry) -> Trip { Trip(texts: dto.pages.map(\.text)) }
    }

    private let trip = TripEntry(tripId: 7, bornAt: nil, pages: [PageEntry(text: "a"), PageEntry(text: "b")])

    @Test(
        "a field is ignored by its path in the JSON and by its name in Swift",
        arguments: [
            ["id", "birth_date", "pages[].shade"], ["tripId", "bornAt", "pages[].colour"],
            ["$.id", "$.bornAt", "pages[].colour"],
        ]
    )
    func bothNames(names: Set<String>) throws {
        if names.contains("pages[].shade") {
            // The check tries no value that the closed enum accepts, so it cannot tell which property `shade` is.
            #expect(
                contractProblems { try expectEveryFieldIsRead(by: Trip.self, from: trip, ignoring: names) }
                    == ["$.pages[].colour   cannot be checked: it is nil in the sample"]
            )
        } else {
            try expectEveryFieldIsRead(by: Trip.self, from: trip, ignoring: names)
        }
    }

    @Test func aNameThatMatchesNothingIsAProblem() {
        let names: Set = ["id", "bornAt", "pages[].colour", "pages[].color", "birthDate"]
        let missing = "is ignored, but neither the JSON nor the entry has it"
        #expect(
            contractProblems { try expectEveryFieldIsRead(by: Trip.self, from: trip, ignoring: names) } == [
                "$.birthDate   \(missing)", "$.pages[].color   \(missing)",
            ]
        )
        #expect(
            contractProblems { try expectEveryKeyIsRead(by: PointEntry.self, in: ["x": 1], ignoring: ["y"]) }
                == ["$.y   \(missing)"]
        )
    }

    @Test func namesHoldWithTheConventionsOfAClient() throws {
        struct SnakeEntry: Codable, RawMappable {
            let fullName: String
            let bornAt: Date?
            let leftAt: Date?
        }
        struct Person: DTODecodable {
            let name: String
            static func from(dto: SnakeEntry) -> Person { Person(name: dto.fullName) }
        }
        let conventions = CodingConventions.snakeCaseAndRFC3339
        let entry = SnakeEntry(fullName: "a", bornAt: nil, leftAt: Date(timeIntervalSince1970: 0))
        for names: Set in [["born_at", "left_at"], ["bornAt", "leftAt"], ["bornAt", "left_at"]] {
            try expectEveryFieldIsRead(by: Person.self, from: entry, ignoring: names, conventions: conventions)
        }
    }
}
