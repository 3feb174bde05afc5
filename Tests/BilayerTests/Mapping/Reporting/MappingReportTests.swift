import Bilayer
import Foundation
import Testing

@Suite("MappingReport")
struct MappingReportTests {
    private var report: MappingReport {
        let context = CallContext(route: Endpoint(.get, "orders/{id}", arguments: ["id": 42]))
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
                Order: 2 problems, 4 recovered   GET https://api.example.com/orders/42
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
                Order: 2 problems, 4 recovered   GET https://api.example.com/orders/42   \
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
        #expect(json.path("issues[1].source")?.string == "Customer+Entry.swift:31 from(dto:)")
    }
}
