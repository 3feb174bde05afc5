import Bilayer

// The conversion without Bilayer's tools, and without reports of what was wrong. The tools are compared with it.

extension Order {
    init?(plain entry: OrderEntry) {
        guard let id = entry.orderID, let status = entry.status,
            let customer = entry.customer.flatMap(Customer.init(plain:)),
            let entries = entry.items
        else { return nil }
        var items: [OrderItem] = []
        items.reserveCapacity(entries.count)
        for entry in entries {
            guard let item = OrderItem(plain: entry) else { return nil }
            items.append(item)
        }
        self.init(
            id: ID(id),
            status: Status(status),
            customer: customer,
            items: items,
            total: entry.total ?? 0,
            note: entry.note ?? ""
        )
    }
}

extension Customer {
    fileprivate init?(plain entry: CustomerEntry) {
        guard let id = entry.id, let name = entry.name else { return nil }
        self.init(id: id, name: name, email: entry.email)
    }
}

extension OrderItem {
    fileprivate init?(plain entry: OrderItemEntry) {
        guard let sku = entry.sku, let title = entry.title, let quantity = entry.quantity, let price = entry.price
        else { return nil }
        self.init(sku: sku, title: title, quantity: quantity, price: price)
    }
}
