import Bilayer
import Foundation
import Testing

@Suite("MappingReport")
struct MappingReportTests {
    private var report: MappingReport {
        let context = CallContext(endpoint: Endpoint(.get, "orders/{id}", arguments: ["id": 42]))
        context.recordSent(HTTPRequest(method: .get, url: URL("https://api.example.com/orders/42")))
        let source = MappingIssue.SourceLocation(fileID: "App/Customer+Entry.swift", line: 31, function: "from(dto:)")
        return MappingReport(
            issues: [
                MappingIssue(
                    .unknownCase,
                    severity: .warning,
                    path: [.key("status")],
                    expected: "Order.Status",
                    detail: "kept as unknown"
                ),
                MappingIssue(
                    .wrongType,
                    path: [.key("items"), .index(1), .key("price")],
                    expected: "Decimal",
                    found: .init(type: "string", length: 5),
                    owner: "ItemEntry"
                ),
                MappingIssue(
                    .missing,
                    path: [.key("customer"), .key("id")],
                    propertyName: "id",
                    owner: "CustomerEntry -> Customer",
                    source: source
                ),
                MappingIssue(
                    .dropped,
                    severity: .warning,
                    path: [.key("items"), .index(3)],
                    causes: [MappingIssue(.missing, path: [.key("items"), .index(3), .key("sku")])]
                ),
            ],
            omittedIssueCount: 2,
            subject: "Order",
            context: context
        )
    }

    @Test func readsAsSeveralLines() {
        #expect(
            report.description == """
                Order: 2 problems, 4 recovered   GET https://api.example.com/orders/{id}
                  error    $.items[1].price   wrong type: expected Decimal, found string (5 characters) in ItemEntry
                  error    $.customer.id      missing, required by CustomerEntry -> Customer at Customer+Entry.swift:31 from(dto:)
                  warning  $.status           unknown value: expected Order.Status; kept as unknown
                  warning  $.items[3]         dropped: $.items[3].sku: missing
                  and 2 more
                """
        )
    }

    @Test func readsAsOneLine() {
        #expect(
            report.oneLine == """
                Order: 2 problems, 4 recovered   GET https://api.example.com/orders/{id}   \
                $.items[1].price: wrong type: expected Decimal, found string (5 characters) in ItemEntry
                """
        )
    }

    @Test func readsAsATree() {
        #expect(
            report.tree == """
                $
                ├─ items
                │  ├─ [1]
                │  │  └─ price   error: wrong type: expected Decimal, found string (5 characters) in ItemEntry
                │  └─ [3]   warning: dropped: $.items[3].sku: missing
                ├─ customer
                │  └─ id   error: missing, required by CustomerEntry -> Customer at Customer+Entry.swift:31 from(dto:)
                └─ status   warning: unknown value: expected Order.Status; kept as unknown
                """
        )
    }

    @Test func readsAsJson() throws {
        let json = report.json
        #expect(json["subject"]?.string == "Order")
        #expect(json["route"]?.string == "GET orders/{id}")
        #expect(json["omitted"]?.int == 2)
        #expect(json.path("issues[0].group")?.string == "wrong type $.items[].price ItemEntry")
        #expect(json.path("issues[0].found")?.string == "string (5 characters)")
        #expect(json.path("issues[0]")?.members.contains { $0.key == "causes" } == false)
        #expect(json.path("issues[1].source")?.string == "Customer+Entry.swift:31 from(dto:)")
    }

    private static let document: Json = [
        "status": "lost", "items": [1, ["price": "9,90\u{20AC}"], 3, ["name": "Ann"]], "customer": ["name": "Bea"],
    ]

    @Test func showsNoValueUnasked() {
        #expect(report.showing(.none, in: Self.document).description == report.description)
        #expect(report.showing(.all).description == report.description, "there is no response to look into")
        #expect(
            !report.description.contains("9,90") && !"\(report.json)\(report.tree)\(report.oneLine)".contains("lost")
        )
    }

    @Test func showsTheValuesOfFieldsThatItIsAskedFor() {
        let shown = report.showing(.fields("items[].price"), in: Self.document)
        #expect(shown.oneLine.hasSuffix("expected Decimal, found string (5 characters), \"9,90€\" in ItemEntry"))
        #expect(shown.tree.contains("9,90€") && shown.description.contains("9,90€"))
        #expect(shown.json.path("issues[0].value")?.string == "\"9,90€\"")
        #expect(!shown.description.contains("lost") && !shown.description.contains("Ann"))
        #expect(shown.issues.map(\.groupingKey) == report.issues.map(\.groupingKey))
    }

    @Test func showsEveryValueOnlyWhenAskedForAll() {
        let shown = report.showing(.all, in: Self.document)
        #expect(shown.issues.map(\.shownValue) == ["\"9,90€\"", nil, "\"lost\"", #"{"name":"Ann"}"#])
        let long: Json = ["status": Json(String(repeating: "x", count: 1000) + "\n")]
        #expect(report.showing(.all, in: long).issues[2].shownValue?.count == 101)
    }

    @Test func looksIntoTheResponse() async throws {
        struct Entry: Codable, RawDecodable { let price: Int }
        let collected = CollectingReporter()
        let client = Client(
            baseURL: URL("https://api.example.com"),
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data(#"{"price":"9.90"}"#.utf8)) }
        )
        await #expect(throws: CallError.self) { try await client.fetch(Route<Entry>.get("price"), reporter: collected) }
        let report = try #require(collected.reports.first)
        #expect(!report.description.contains("9.90"))
        #expect(report.showing(.fields("$.price")).oneLine.contains(#"found string (4 characters), "9.90""#))
    }
}
