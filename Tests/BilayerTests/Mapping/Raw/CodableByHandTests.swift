import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private struct SpotEntry: CodableByHand, Equatable {
    let x: Double
    let y: Double

    static func from(raw: Json) throws -> SpotEntry { try SpotEntry(x: raw.decode(at: 0), y: raw.decode(at: 1)) }
    func toRaw() throws -> Json {
        try Json.array { spot in
            try spot.append(x)
            try spot.append(y)
        }
    }
}

private struct TrackEntry: Codable, RawMappable, Equatable {
    let start: SpotEntry
    let spots: [SpotEntry]
    let named: [String: SpotEntry]
    var end: SpotEntry?
}

private struct LabourEntry: Codable, RawMappable, Equatable {
    let unitMinutes: Int
    let at: Date
}

private enum LineEntry: Discriminated, Codable, Equatable {
    case labour(LabourEntry)
    case travel(kilometres: Double)

    static let discriminator = Discriminator<LineEntry>
        .on(
            "type",
            [
                "labour": { .labour(try .from(raw: $0)) },
                "travel": { .travel(kilometres: try $0.decode("distance_km")) },
            ]
        )
}

extension LineEntry: RawEncodable {
    func toRaw() throws -> Json {
        switch self {
        case .labour(let entry): try entry.toRaw().tagged("type", "labour")
        case .travel(let kilometres):
            try Json.object { try $0.write(kilometres, forKey: "distance_km") }.tagged("type", "travel")
        }
    }
}

private struct BillEntry: Codable, RawMappable, Equatable { let orderLines: [LineEntry] }

/// An entry by hand that contains another entry by hand, and reports a warning when it is written.
private struct NotedEntry: CodableByHand {
    let bill: BillEntry

    static func from(raw: Json) throws -> NotedEntry { try NotedEntry(bill: raw.decode("bill")) }
    func toRaw() throws -> Json {
        MappingIssue(.usedDefault, severity: .warning, path: [.key("bill")]).report()
        return try Json.object { try $0.write(bill, forKey: "bill") }
    }
}

private struct FolderEntry: Codable, RawMappable { let noted: [NotedEntry] }

extension Encodable {
    fileprivate func encoded() throws -> Data { try JsonEncoder().encode(self) }
}

@Suite("Entries by hand inside of Codable ones")
struct CodableByHandTests {
    private let track = #"{"start":[1.5,2],"spots":[[3,4],[5,6]],"named":{"a":[7,8]},"end":[9,0.5]}"#
    private let bill =
        #"{"order_lines":["#
        + #"{"type":"labour","unit_minutes":3,"at":"2026-01-01T10:00:00Z"},{"type":"travel","distance_km":2}]}"#
    private let lines = BillEntry(
        orderLines: [
            .labour(LabourEntry(unitMinutes: 3, at: Date(timeIntervalSince1970: 1_767_261_600))),
            .travel(kilometres: 2),
        ]
    )

    private var conventions: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        conventions.scalars.register(Date.self, as: .rfc3339)
        return conventions
    }

    @Test("an entry by hand is read and written by its own functions wherever it is")
    func everywhere() throws {
        let json = try Json.of(track)
        let entry = try TrackEntry.from(raw: json)
        #expect(entry.spots == [SpotEntry(x: 3, y: 4), SpotEntry(x: 5, y: 6)])
        #expect(entry.end == SpotEntry(x: 9, y: 0.5))
        #expect(try entry.toRaw() == json)
        #expect(try JsonDecoder().decode(TrackEntry.self, from: Data(track.utf8)) == entry)
        #expect(try Json(parsing: JsonEncoder().encode(entry)) == json)
        #expect(try JSONDecoder().decode(TrackEntry.self, from: Data(track.utf8)) == entry)
        #expect(try Json(parsing: JSONEncoder().encode(entry)) == json)
    }

    @Test("errors have the path of the value and of what is wrong in it")
    func errors() throws {
        let text = #"{"start":[1,2],"spots":[[3,4],[5,"x"]],"named":{}}"#
        let read = mapping { try TrackEntry.from(raw: .of(text)) }
        #expect(read.lines == ["error wrong type $.spots[1][1]"])
        let spots = [SpotEntry(x: 1, y: 2), SpotEntry(x: 3, y: .nan)]
        let entry = TrackEntry(start: spots[0], spots: spots, named: [:])
        for conventions in [CodingConventions(), conventions] {
            let written = mapping(.standard, conventions) { try entry.toRaw() }
            #expect(written.lines == ["error invalid value $.spots[1][1]"])
        }
        let travel = BillEntry(orderLines: [.travel(kilometres: 1), .travel(kilometres: .infinity)])
        #expect(mapping { try travel.toRaw() }.lines == ["error invalid value $.orderLines[1].distance_km"])
    }

    @Test("the text of a decoding error has paths from the value, and its coding path leads to the value")
    func errorText() throws {
        let text = #"{"start":[1,2],"spots":[[3,4],[5,"x"]],"named":{}}"#
        for decoder in AnyJsonDecoder.allCases {
            let error = #expect(throws: DecodingError.self) { try decoder.decode(TrackEntry.self, text) }
            guard case .dataCorrupted(let context)? = error else { throw try #require(error) }
            #expect(context.codingPath.map(\.stringValue) == ["spots", "Index 1"])
            #expect(context.debugDescription.hasPrefix("$[1]: wrong type"))
            let path = (context.underlyingError as? MappingError)?.path.exactDescription
            #expect(path == (decoder == .bilayer ? "$.spots[1][1]" : "$[1]"))
        }
    }

    @Test("variants are written inside of a Codable entry as they are alone")
    func variants() throws {
        let mapped = mapping(.standard, conventions) { try lines.toRaw() }
        #expect(mapped.value == (try Json.of(bill)))
        let alone = mapping(.standard, conventions) { try lines.orderLines[0].toRaw() }
        #expect(alone.value == (try Json.of(bill))["order_lines"]?[0])
    }

    @Test("the settings of a coder hold inside of entries by hand")
    func settings() throws {
        #expect(try Json(parsing: conventions.encoder.encode(lines)) == .of(bill))
        #expect(try conventions.decoder.decode(BillEntry.self, from: Data(bill.utf8)) == lines)
        #expect(try Json.of(bill).decode(BillEntry.self, using: conventions.decoder) == lines)
        var decoder = JsonDecoder()
        decoder.dates = .millisecondsSince1970
        var encoder = JsonEncoder()
        encoder.dates = .millisecondsSince1970
        let text =
            #"{"orderLines":[{"type":"labour","unitMinutes":3,"at":1767261600000},{"type":"travel","distance_km":2}]}"#
        #expect(try decoder.decode(BillEntry.self, from: Data(text.utf8)) == lines)
        #expect(try Json(parsing: encoder.encode(lines)) == .of(text))
        // Code of an app may use its own coders inside a mapping with other conventions.
        let inside = mapping(.standard, conventions) {
            try (decoder.decode(BillEntry.self, from: Data(text.utf8)), encoder.encodeJson(lines))
        }
        #expect(inside.value?.0 == lines)
        #expect(inside.value?.1 == (try Json.of(text)))
    }

    @Test("what an entry by hand reports is delivered with its whole path, whoever encodes")
    func warnings() throws {
        let folder = FolderEntry(noted: [NotedEntry(bill: lines), NotedEntry(bill: lines)])
        let mapped = mapping { try folder.toRaw() }
        #expect(mapped.lines == ["warning used default $.noted[0].bill", "warning used default $.noted[1].bill"])
        let ownCoder = mapping { try conventions.encoder.encodeJson(folder) }
        #expect(ownCoder.lines == mapped.lines)
        #expect(ownCoder.value?["noted"]?[1]?["bill"] == (try Json.of(bill)))
    }

    /// An entry that reads its inner value with a decoder of its own, and counts its readings.
    private struct QuoteEntry: CodableByHand {
        static let readings = Locked(0)
        struct Body: Codable {
            let date: Date
            let quotes: [QuoteEntry]
        }
        let body: Body

        static func from(raw: Json) throws -> QuoteEntry {
            readings.withLock { $0 += 1 }
            var decoder = JsonDecoder()
            decoder.dates = .rfc3339
            return try QuoteEntry(body: raw.decode(Body.self, using: decoder))
        }
        func toRaw() throws -> Json { [:] }
    }

    @Test("values by hand with decoders of their own inside each other are not read twice for each level")
    func ownDecoders() throws {
        struct Section: Codable, RawMappable { let quotes: [QuoteEntry] }
        let depth = 9
        let open = #"{"date":"2026-01-01T00:00:00Z","quotes":["#
        let text =
            String(repeating: open, count: depth) + #"{"date":7,"quotes":[]}"# + String(repeating: "]}", count: depth)
        let json = try Json.of(#"{"quotes":[\#(text)]}"#)
        for policy in [MappingPolicy.salvaging, .collectingAll()] {
            QuoteEntry.readings.withLock { $0 = 0 }
            _ = mapping(policy) { try Section.from(raw: json) }
            #expect(QuoteEntry.readings.withLock { $0 } < 400)
        }
    }

    /// A value that is read by hand with a decoder of its own leaves out elements. The models' issues have the indices
    /// of the server's list, in which these elements are counted.
    @Test("models have the server's indices behind elements that were left out inside of an own decoder's value")
    func lossesInsideOfOwnDecoders() async throws {
        struct Line: Codable, RawMappable, Sendable { let amount: Int? }
        struct Lines: CodableByHand, Sendable {
            let lines: [Line]
            static func from(raw: Json) throws -> Lines { try Lines(lines: [Line].from(raw: raw)) }
            func toRaw() throws -> Json { [] }
        }
        struct Body: Codable, Sendable { let lines: Lines }
        struct Invoice: RawDecodable, Sendable {
            let body: Body
            static func from(raw: Json) throws -> Invoice {
                var decoder = JsonDecoder()
                decoder.dates = .rfc3339
                return try Invoice(body: raw.decode(Body.self, using: decoder))
            }
        }
        struct Sum: DTODecodable, Sendable {
            static func from(dto: Line) throws -> Sum {
                _ = try dto.amount.require("amount")
                return Sum()
            }
        }
        struct Model: DTODecodable, Sendable {
            static func from(dto: Invoice) throws -> Model {
                _ = try [Sum].from(dto: dto.body.lines.lines, at: "lines")
                return Model()
            }
        }
        let text = #"{"lines":[7,{"amount":1},{}]}"#
        let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.json(text)))
        let reporter = CollectingReporter()
        _ = try await client.fetch(Route<Model>.get("invoice"), reporter: reporter, mapping: .salvaging)
        #expect(Set(reporter.issues.map(\.path.description)) == ["$.lines[0]", "$.lines[2]"])
    }

    private enum Nest: Discriminated, Codable, RawEncodable, Sendable {
        struct Inside: Codable, Sendable { let list: [Nest] }
        case node(Inside)
        static let discriminator = Discriminator<Nest>.on("type", [:])
        func toRaw() throws -> Json {
            guard case .node(let inside) = self else { return .null }
            return try Json(encoding: inside).tagged("type", "node")
        }
    }

    @Test("entries by hand that write each other end with an error where the stack ends", arguments: [12, 100, 400])
    func deepWriting(depth: Int) throws {
        var value = Nest.node(.init(list: []))
        for _ in 0..<depth { value = .node(.init(list: [value])) }
        let nest = value
        let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) { () -> String? in
            do {
                _ = try Nest.Inside(list: [nest]).encoded()
                return nil
            } catch { return "\(error)" }
        }
        #expect(failure?.contains("stack") ?? (depth <= 100), "\(failure ?? "no failure")")
        // With the address sanitizer each level needs more stack.
        let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        #expect(failure == nil || depth > 12 || isSanitized, "the least depth fits on every stack")
    }

    @Test("an encoder that an entry by hand has kept does not end the process")
    func endedEncoder() throws {
        final class Kept { var encoder: (any Encoder)? }
        struct Keeping: Encodable {
            let kept: Kept
            func encode(to encoder: any Encoder) throws { kept.encoder = encoder }
        }
        let kept = Kept()
        #expect(throws: EncodingError.self) { try conventions.encoder.encode(Keeping(kept: kept)) }
        let encoder = try #require(kept.encoder)
        #expect(throws: EncodingError.self) { try SpotEntry(x: 1, y: 2).encode(to: encoder) }
    }

    private struct InnerName: Codable, RawMappable { let innerName: Int }
    private struct HandOfName: CodableByHand {
        let inner: InnerName
        static func from(raw: Json) throws -> HandOfName { try HandOfName(inner: raw.decode("hand")) }
        func toRaw() throws -> Json { try .object { try $0.write(inner, forKey: "hand") } }
    }
    private struct OuterName: Codable {
        let outerName: Int
        let theHand: HandOfName
    }

    @Test("a coder of the app with the default settings has them inside of entries by hand, too, in every mapping")
    func defaultSettings() throws {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let value = OuterName(outerName: 1, theHand: HandOfName(inner: InnerName(innerName: 3)))
        let text = #"{"outerName":1,"theHand":{"hand":{"innerName":3}}}"#
        for conventions in [CodingConventions(), conventions] {
            let written = mapping(.standard, conventions) { try JsonEncoder().encode(value) }
            #expect(written.value == Data(text.utf8))
            let read = mapping(.standard, conventions) {
                try JsonDecoder().decode(OuterName.self, from: Data(text.utf8))
            }
            #expect(read.value?.theHand.inner.innerName == 3)
        }
    }

    private struct WarningHand: EncodableByHand {
        func toRaw() throws -> Json {
            MappingIssue(.coerced, severity: .warning).report()
            return 1
        }
    }
    private struct Unwritable: Encodable {
        var hand = WarningHand()
        var bad = Double.nan
    }
    /// Writes values that fail, and then other values in their places.
    private struct Replacing: Encodable, RawEncodable {
        private enum Key: CodingKey { case list, object, single }
        private struct Single: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                if (try? container.encode(Unwritable())) == nil { try container.encode("other") }
            }
        }
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            var list = members.nestedUnkeyedContainer(forKey: .list)
            try? list.encode(Unwritable())
            try list.encode("other")
            try list.encode(WarningHand())
            try? members.encode(Unwritable(), forKey: .object)
            try members.encode("other", forKey: .object)
            try members.encode(Single(), forKey: .single)
        }
    }

    @Test("warnings of a value that Codable code has discarded are discarded with it", arguments: [1, 100])
    func discardedValues(limit: Int) {
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let written = mapping(policy) { try (0..<3).map { _ in Replacing() }.map { try $0.toRaw() } }
        #expect(written.value?.first == ["list": ["other", 1], "object": "other", "single": "other"])
        #expect(written.lines == Array(repeating: "warning coerced $.list[1]", count: min(limit, 3)))
    }

    private struct CardEntry: Codable, RawMappable { let digits: String }
    private enum Payment: Discriminated, CodableByHand {
        case card(CardEntry)
        static let discriminator = Discriminator<Payment>.on("type", ["card": { .card(try .from(raw: $0)) }])
        func toRaw() throws -> Json {
            switch self {
            case .card(let entry): try entry.toRaw().tagged("type", "card")
            }
        }
    }
    private struct PaidOrder: Codable, RawMappable { let payment: Payment }

    @Test("a type with variants may say that it is by hand, too")
    func variantsByHand() throws {
        let text = #"{"payment":{"type":"card","digits":"4242"}}"#
        let order = try PaidOrder.from(raw: .of(text))
        #expect(try order.toRaw() == .of(text))
        #expect(try order.foundationText == #"{"payment":{"digits":"4242","type":"card"}}"#)
    }

    @Test("what code discards does not count among the issues beyond the limit")
    func discardedBeyondTheLimit() throws {
        var policy = MappingPolicy.standard
        policy.issueLimit = 1
        let reporter = CollectingReporter()
        _ = try reporter.mapping(policy: policy) { try (0..<3).map { _ in try Replacing().toRaw() } }
        let report = try #require(reporter.reports.first)
        #expect(report.issues.count == 1 && report.omittedIssueCount == 2)
    }
}
