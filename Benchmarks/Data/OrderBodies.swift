import Foundation

/// Generates orders as the server of a shop would send them. Each has one to four items, and some have a note. On
/// request, some orders lack the total that the app expects.
enum OrderBodies {
    static func list(of count: Int, percentWithoutTotal: Int = 0, seed: UInt64 = 11) -> Data {
        var random = SplitMix64(seed: seed)
        let orders = (0..<count).map { order($0, hasTotal: !random.chance(percent: percentWithoutTotal), &random) }
        return Data("[\(orders.joined(separator: ","))]".utf8)
    }

    private static let titles = ["Tea, green", "Cup", "Tea pot, cast iron, 1.2 l", "Filter papers", "Honig 500 g"]

    private static func order(_ index: Int, hasTotal: Bool, _ random: inout SplitMix64) -> String {
        let status = random.element(of: ["NEW", "PAID", "SENT"])
        let items = (0..<random.next(in: 1...4)).map { _ in item(&random) }
        let price = price(&random)
        let total = hasTotal ? ",\"total\":\(price)" : ""
        let note = random.chance(percent: 20) ? ",\"note\":\"Leave at the door\"" : ""
        return "{\"order_id\":\"o-\(1_000_000 + index)\",\"status\":\"\(status)\","
            + "\"customer\":{\"id\":\(random.next(in: 1...99_999)),\"name\":\"Customer \(index)\","
            + "\"email\":\"customer\(index)@example.com\"},"
            + "\"items\":[\(items.joined(separator: ","))]\(total)\(note)}"
    }

    private static func item(_ random: inout SplitMix64) -> String {
        "{\"sku\":\"sku-\(random.next(in: 10_000...99_999))\",\"title\":\"\(random.element(of: titles))\","
            + "\"quantity\":\(random.next(in: 1...9)),\"price\":\(price(&random))}"
    }

    private static func price(_ random: inout SplitMix64) -> Double {
        Double(random.next(in: 100...99_999)) / 100
    }
}
