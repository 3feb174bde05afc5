import Bilayer
import Foundation
import Testing

private struct SeatEntry: Codable, RawMappable {
    var seatNumber: Int
    var rowName: String
    var seatPrice: PriceEntry?
    struct PriceEntry: Codable { var inEuro: Double }
}

/// An entry that reads alternatives: `try?` discards the errors of the first.
private struct ReadingsEntry: Codable, RawMappable {
    struct Sample: Codable { var at: Int }
    struct Note: Codable { var at: String }
    enum CodingKeys: String, CodingKey { case samples, more, rows }
    var samples: Int
    var more: Int
    var rows: [Sample]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let first = try? container.decode([Sample].self, forKey: .samples)
        samples = try first?.count ?? container.decode([Note].self, forKey: .samples).count
        let second = try? container.decodeIfPresent([Sample].self, forKey: .more)
        more = try second?.count ?? container.decode([Note].self, forKey: .more).count
        rows = try container.decode([Sample].self, forKey: .rows)
    }

    func encode(to encoder: any Encoder) throws {}
}

@Suite("A policy that collects all errors")
struct CollectedClashesTests {
    private var strictCollecting: MappingPolicy {
        var policy = MappingPolicy.strict
        policy.collectsAll = true
        return policy
    }

    private var snakeCase: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }

    @Test("throws an entry's clashing keys beside its other errors and unknown keys, if it is strict as well")
    func clashesBesideErrors() throws {
        let raw = try Json.of(
            """
            [{"seat_number":1,"row_name":"a"},
             {"seat_number":1,"seatNumber":2,"row_name":3,"seat_price":{"in_euro":"x","inEuro":1},"extra":0},
             {"seat_number":1,"seatNumber":2,"row_name":"b","more":0}]
            """
        )
        let read = mapping(strictCollecting, snakeCase) { try [SeatEntry].from(raw: raw) }
        #expect(
            read.lines == [
                "error wrong type $[1].row_name", "error wrong type $[1].seat_price.in_euro",
                "error key clash $[1].seat_number", "error key clash $[1].seat_price.in_euro",
                "error unknown key $[1].extra", "error key clash $[2].seat_number", "error unknown key $[2].more",
            ]
        )
        #expect((read.error as? MappingError)?.issues.count == 7)
    }

    @Test("reports the clashes of an object once, however often it reads the object")
    func clashesOnce() throws {
        struct ItemEntry: Codable, RawMappable {
            var userName: String
            var unit: Int
        }
        let item = #"{"user_name":"a","userName":"b","unit":"x"}"#
        let raw = try Json.of("[\(Array(repeating: item, count: 60).joined(separator: ","))]")
        let reporter = CollectingReporter()
        _ = try? reporter.mapping(policy: .collectingAll(), conventions: snakeCase) {
            try [ItemEntry].from(raw: raw)
        }
        let report = try #require(reporter.reports.first)
        // The report has room for the 60 errors and for 40 clashes. The other clashes are counted.
        #expect(report.issues.filter { $0.kind == .wrongType }.count == 60)
        #expect(report.issues.count + report.omittedIssueCount == 120)
    }

    @Test("counts no clash beside the error that ends a strict reading, whatever the limit", arguments: 1...4)
    func clashesBeforeTheError(limit: Int) throws {
        struct HallEntry: Codable, RawMappable {
            var seatNumber: Int
            var firstSeat: SeatEntry
            var rowName: String
        }
        let seat = #"{"seat_number":1,"row_name":"a","rowName":"b"}"#
        let raw = try Json.of(#"{"seat_number":1,"seatNumber":2,"first_seat":\#(seat),"row_name":7}"#)
        var policy = MappingPolicy.strict
        policy.issueLimit = limit
        let reporter = CollectingReporter()
        _ = try? reporter.mapping(policy: policy, conventions: snakeCase) { try HallEntry.from(raw: raw) }
        let report = try #require(reporter.reports.first)
        #expect(report.issues.map { "\($0.kind) \($0.path)" } == ["wrong type $.row_name"])
        #expect(report.omittedIssueCount == 0)
    }

    @Test("does not count the errors that a type has discarded", arguments: 1...4)
    func discardedErrors(limit: Int) throws {
        let samples = Array(repeating: #"{"at":"now"}"#, count: 40).joined(separator: ",")
        let raw = try Json.of(
            #"[{"samples":[\#(samples)],"more":[\#(samples)],"rows":[{"at":"a"},{"at":"b"},{"at":1},{"at":"d"}]}]"#
        )
        let read = mapping(.collectingAll(limit: limit)) { try [ReadingsEntry].from(raw: raw) }
        let expected = [0, 1, 3].map { "error wrong type $[0].rows[\($0)].at" }
        #expect(read.lines == Array(expected.prefix(limit)))
    }

    @Test("names each unknown key once, however often the JSON repeats it or a type reads its object")
    func unknownKeysOnce() throws {
        struct TwiceEntry: Codable, RawMappable {
            struct Part: Codable { var a: Int }
            struct Other: Codable { var b: Int }
            enum CodingKeys: String, CodingKey { case part }
            var part: Part
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                _ = try? container.decode([Other].self, forKey: .part)
                _ = try? container.decode(Other.self, forKey: .part)
                part = try container.decode(Part.self, forKey: .part)
                part = try container.decode(Part.self, forKey: .part)
            }
        }
        let raw = try Json.of(#"[{"part":{"a":1,"x":2,"x":3},"y":1,"y":2}]"#)
        for (policy, conventions) in [(.strict, .init()), (strictCollecting, .init()), (.strict, snakeCase)]
            as [(MappingPolicy, CodingConventions)]
        {
            let read = mapping(policy, conventions) { try [TwiceEntry].from(raw: raw) }
            #expect(read.lines.sorted() == ["error unknown key $[0].part.x", "error unknown key $[0].y"])
        }
    }
}
