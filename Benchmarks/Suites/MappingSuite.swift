import Foundation

/// 10,000 orders: what it costs to decode them, and what the step from entries to models costs on top.
func mappingCase() throws -> Case {
    let orders = Corpus<[OrderEntry]>(name: "orders", body: OrderBodies.list(of: 10_000))
    return Case(
        suite: .mapping,
        corpus: orders.name,
        byteCount: orders.body.count,
        contenders: [foundationDecode(orders)]
    )
}
