import Bilayer

/// A parcel whose fields are nested in other objects, with paths.
struct Parcel: Codable, Equatable {
    let id: Int
    let city: String?
    let zip: String
    let total: Double

    enum CodingKeys: String, PathCodingKey {
        case id, city, zip, total
        static let paths: [CodingKeys: [String]] = [
            .city: ["address.city"], .zip: ["address.zip", "zip"], .total: ["order.sum.total"],
        ]
    }

    init(_ number: Int) {
        id = number
        city = number % 3 == 0 ? nil : "Bonn \(number)"
        zip = "5311\(number % 10)"
        total = Double(number) / 4
    }
}

/// The same parcel, read and written by nested containers: the way without paths.
struct NestedParcel: Codable, Equatable {
    let id: Int
    let city: String?
    let zip: String
    let total: Double

    enum CodingKeys: String, CodingKey { case id, address, order, zip }
    enum AddressKeys: String, CodingKey { case city, zip }
    enum OrderKeys: String, CodingKey { case sum }
    enum SumKeys: String, CodingKey { case total }

    init(_ parcel: Parcel) {
        (id, city, zip, total) = (parcel.id, parcel.city, parcel.zip, parcel.total)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let address = try container.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
        let order = try container.nestedContainer(keyedBy: OrderKeys.self, forKey: .order)
        id = try container.decode(Int.self, forKey: .id)
        city = try address.decodeIfPresent(String.self, forKey: .city)
        let nested = try address.decodeIfPresent(String.self, forKey: .zip)
        zip = try nested ?? container.decode(String.self, forKey: .zip)
        total = try order.nestedContainer(keyedBy: SumKeys.self, forKey: .sum).decode(Double.self, forKey: .total)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        var address = container.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
        try address.encodeIfPresent(city, forKey: .city)
        try address.encode(zip, forKey: .zip)
        var order = container.nestedContainer(keyedBy: OrderKeys.self, forKey: .order)
        var sum = order.nestedContainer(keyedBy: SumKeys.self, forKey: .sum)
        try sum.encode(total, forKey: .total)
    }
}
