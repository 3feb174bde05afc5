import Bilayer
import Foundation

/// 10,000 orders: what it costs to decode them, and what the step from entries to models costs on top, with Bilayer's tools and
/// with initialisers that use none. Foundation's row is the decode of the same bytes in all three.
func mappingCases() throws -> [Case] {
    let orders = Corpus<[OrderEntry]>(name: "orders", body: OrderBodies.list(of: 10_000))
    let entries = try orders.expectedModel()
    let expected = entries.compactMap(Order.init(plain:))
    let conversion = Contender(.bilayerDirect) {
        try [Order].from(dto: entries)
    } isRight: {
        $0 == expected
    }
    let plain = Contender(.bilayerDirect) {
        entries.compactMap(Order.init(plain:))
    } isRight: {
        $0.count == entries.count
    }
    return [
        mappingCase("orders-decode", of: orders, codableDecode(orders)),
        mappingCase("orders-convert", of: orders, conversion),
        mappingCase("orders-convert-plain", of: orders, plain),
    ]
}

private func mappingCase(_ name: String, of orders: Corpus<[OrderEntry]>, _ contender: Contender) -> Case {
    Case(
        suite: .mapping,
        corpus: name,
        byteCount: orders.body.count,
        contenders: [foundationDecode(orders), contender]
    )
}
