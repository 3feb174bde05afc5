import Bilayer

/// The cost of `require` if nothing is missing: two required fields in each item of the orders. It is measured with a
/// name and with a key path, and compared with plain unwrapping.
func requireCases(of orders: Corpus<[OrderEntry]>) throws -> [Case] {
    let items = try orders.expectedModel().flatMap { $0.items ?? [] }
    func requireCase(_ way: String, _ worth: @escaping (OrderItemEntry) throws -> Double) -> Case {
        Case(
            suite: .mapping,
            corpus: "items-\(way)",
            byteCount: orders.body.count,
            contenders: [
                foundationDecode(orders),
                Contender(.bilayerDirect) {
                    try items.reduce(0) { try $0 + worth($1) }
                } isRight: { sum in
                    sum == items.reduce(0) { $0 + Double($1.quantity ?? 0) * ($1.price ?? 0) }
                },
            ]
        )
    }
    return [
        requireCase("unwrap-plain") { item in
            guard let quantity = item.quantity, let price = item.price else { throw FieldMissing() }
            return Double(quantity) * price
        },
        requireCase("require-name") { item in
            try Double(item.quantity.require("quantity")) * item.price.require("price")
        },
        requireCase("require-key-path") { item in
            try Double(require(\.quantity, of: item)) * require(\.price, of: item)
        },
    ]
}

private struct FieldMissing: Error {}
