import Bilayer
import Foundation

/// The cost of decoding 10,000 orders, and the additional cost of the step from entries to models. The conversion is
/// measured with and without a reporter. The responses have no issues, or an issue in about one of a hundred orders.
/// The conversion is compared with initialisers that use none of Bilayer's tools. Further cases measure five models,
/// each written out by hand and in the short form of ``TwoForms``, and the tools `require` and `@Formatted`.
/// Foundation's row always decodes the same bytes.
func mappingCases() throws -> [Case] {
    let orders = Corpus<[OrderEntry]>(name: "orders", body: OrderBodies.list(of: 10_000))
    let flawed = Corpus<[OrderEntry]>(name: "orders-flawed", body: OrderBodies.list(of: 10_000, percentWithoutTotal: 1))
    return try [
        mappingCase("decode", of: orders, codableDecode(orders)),
        mappingCase("convert", of: orders, conversion(of: orders)),
        mappingCase("convert-reported", of: orders, reportedConversion(of: orders)),
        mappingCase("convert", of: flawed, conversion(of: flawed)),
        mappingCase("convert-reported", of: flawed, reportedConversion(of: flawed)),
        mappingCase("convert-plain", of: orders, plainConversion(of: orders)),
    ] + secondLayerCases() + requireCases(of: orders) + formatCases()
}

private func mappingCase(_ step: String, of orders: Corpus<[OrderEntry]>, _ contender: Contender) -> Case {
    Case(
        suite: .mapping,
        corpus: "\(orders.name)-\(step)",
        byteCount: orders.body.count,
        contenders: [foundationDecode(orders), contender]
    )
}

private func conversion(of orders: Corpus<[OrderEntry]>) throws -> Contender {
    let entries = try orders.expectedModel()
    return Contender(.bilayerDirect) {
        try [Order].from(dto: entries)
    } isRight: {
        $0 == plainOrders(of: entries)
    }
}

private func reportedConversion(of orders: Corpus<[OrderEntry]>) throws -> Contender {
    let entries = try orders.expectedModel()
    return Contender(.bilayerDirect) {
        let reporter = CollectingReporter()
        let converted = try reporter.mapping { try [Order].from(dto: entries) }
        return (converted, reporter.issues.count)
    } isRight: { converted, issueCount in
        converted == plainOrders(of: entries) && issueCount == entries.filter { $0.total == nil }.count
    }
}

private func plainConversion(of orders: Corpus<[OrderEntry]>) throws -> Contender {
    let entries = try orders.expectedModel()
    return Contender(.bilayerDirect) {
        plainOrders(of: entries)
    } isRight: {
        $0.count == entries.count
    }
}

private func plainOrders(of entries: [OrderEntry]) -> [Order] {
    entries.compactMap(Order.init(plain:))
}
