import Bilayer
import BilayerTesting
import Foundation
import Testing

// The errors and reports of 25 features that users of mapping libraries have wished for, in one file:
// `Tests/Snapshots/Wishes.txt`.

private struct Patch: Codable, RawMappable { var nickname: Field<String> = .absent }
private enum Status: String, OpenEnum, Codable { case paid, sent }
private struct Order: Codable, RawMappable { let status: Open<Status> }
private struct Item: Codable, RawMappable, Hashable {
    let sku: String
    let price: Decimal
}
private struct Basket: Codable, RawMappable { @Lossy var items: [Item] }
private struct Event: Codable, RawMappable { @Formatted<RFC3339> var start: Date }
private struct Named: Codable, RawMappable {
    let userName: String
    enum CodingKeys: String, CodingKey { case userName = "user_name" }
}
private struct Long: CustomScalar, Hashable {
    var value: Int64
    static let format = ValueFormat<Int64>.firstOf(.plain, .quoted).map(Long.init) { $0.value }
}
private enum Payment: Discriminated {
    case card(String)
    case transfer(String)
    static let discriminator = Discriminator<Payment>
        .on(
            "type",
            ["card": { .card(try $0.decode("last4")) }, "transfer": { .transfer(try $0.decode("iban")) }]
        )
}
private struct Customer: DTODecodable {
    let name: String
    static func from(dto: CustomerEntry) throws -> Customer { try Customer(name: dto.name.require("name", key: "nm")) }
}
private struct CustomerEntry: Codable, RawMappable {
    let name: String?
    enum CodingKeys: String, CodingKey { case name = "nm" }
}
private struct Account: Codable, RawMappable, Identified {
    typealias RawIdentifier = Int
    let id: ID
}

@Suite("What the wishes of users say when they are not granted")
struct WishesSnapshotTests {
    /// Runs a mapping and returns its error and its reports as a text.
    private func said(policy: MappingPolicy = .standard, _ body: () throws -> Any) -> String {
        let collected = CollectingReporter()
        var lines: [String] = []
        do {
            _ = try collected.mapping(policy: policy, body)
        } catch {
            if !(error is MappingError) { lines.append("\(error)") }
        }
        // The numbers of this file's lines are left out: they change with every edit above them.
        lines += collected.issues.map { "\($0.severity): \($0)".replacing(/\.swift:[0-9]+/, with: ".swift:(line)") }
        return lines.isEmpty ? "nothing to say" : lines.joined(separator: "\n")
    }

    private func json(_ text: String) throws -> Json { try Json(parsing: text) }

    private var wishes: [(title: String, said: String)] {
        [
            ("1 three states of a field", said { try Patch.from(raw: json(#"{"nickname":1}"#)) }),
            ("2 unknown values of an enum", said { try Order.from(raw: json(#"{"status":"lost"}"#)) }),
            ("2 unknown values, strictly", said(policy: .strict) { try Order.from(raw: json(#"{"status":"lost"}"#)) }),
            (
                "3 the whole path, both names",
                said {
                    try [Customer].from(dto: [CustomerEntry(name: "A"), CustomerEntry(name: nil)], at: "customers")
                }
            ),
            (
                "4 shapes by a tag",
                said { try [Payment].from(raw: json(#"[{"type":"card","last4":"1"},{"type":"gold"}]"#)) }
            ),
            ("4 shapes, no tag", said { try Payment.from(raw: json("{}")) }),
            (
                "5 lists that lose bad elements",
                said { try Basket.from(raw: json(#"{"items":[{"sku":"a","price":1},{"sku":"b"}]}"#)) }
            ),
            (
                "6 a report of all that was forgiven",
                said(policy: .salvaging) { try [Item].from(raw: json(#"[{"sku":"a","price":1},{"sku":2,"price":2}]"#)) }
            ),
            ("7 dates", said { try Event.from(raw: json(#"{"start":"yesterday"}"#)) }),
            ("8 numbers as strings", said { try json(#"{"n":"12"}"#).decode("n", as: ValueFormat<Int>.lenient) }),
            ("9 nested paths", said { try json(#"{"a":"text"}"#).decode(path: "a.b") as String }),
            ("10 names that round-trip", said { try Named.from(raw: json(#"{"userName":"A"}"#)) }),
            (
                "11 three defaults",
                said { try json(#"{"n":"many"}"#).decode("n", ifMissing: 0, ifInvalid: 0) as Int }
            ),
            ("12 scalars of one's own", said { try Long.from(raw: json(#""9223372036854775808""#)) }),
            (
                "13 unknown keys",
                said(policy: .strict) { try Item.from(raw: json(#"{"sku":"a","price":1,"colour":"red"}"#)) }
            ),
            (
                "14 no payload in messages",
                said { try Item.from(raw: json(#"{"sku":["4111111111111111"],"price":1}"#)) }
            ),
            (
                "15 every field is read",
                said { try expectEveryFieldIsRead(by: Half.self, from: Item(sku: "a", price: 1)) }
            ),
            (
                "16 all errors in one pass",
                said(policy: .collectingAll()) {
                    try [Item].from(raw: json(#"[{"sku":1,"price":"x"},{"sku":2,"price":2}]"#))
                }
            ),
            ("17 optionals", said { try CustomerEntry.from(raw: json(#"{"nm":7}"#)) }),
            ("18 exact decimals", said { try Item.from(raw: json(#"{"sku":"a","price":1e400}"#)) }),
            (
                "19 bools from numbers and words",
                said { try json(#"{"b":2}"#).decode("b", as: ValueFormat<Bool>.flexible) }
            ),
            ("20 typed identifiers", said { try Account.from(raw: json(#"{"id":"7"}"#)) }),
            (
                "21 an empty string as nil",
                said { try json(#"{"u":""}"#).decode("u", as: .emptyAsNil(.url)) as URL? as Any }
            ),
            ("22 rules", said { try require(that: [1].isEmpty, "the total is the sum of the items", at: "total") }),
            ("23 one or many", said { try json(#"{"t":7}"#).decode("t", as: .oneOrMany(ValueFormat<String>.plain)) }),
            ("24 where the syntax is broken", said { try json("[1,\n 2,,3]") }),
            ("25 many tasks at once", said { try Item.from(raw: json(#"{"sku":"a","price":1}"#)) }),
        ]
    }

    private struct Half: DTODecodable {
        let sku: String
        static func from(dto: Item) throws -> Half { Half(sku: dto.sku) }
    }

    @Test func theSnapshotIsWhatIsSaid() throws {
        let text =
            wishes.map {
                "\($0.title)\n\($0.said.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))\n"
            }
            .joined(separator: "\n")
        let file = Compiler.repository.appendingPathComponent("Tests/Snapshots/Wishes.txt")
        if ProcessInfo.processInfo.environment["BILAYER_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func noPayloadIsInIt() {
        for wish in wishes { #expect(!wish.said.contains("4111111111111111")) }
    }
}
