import Foundation

/// Generates a list of users as a server would send it: minified, about 390 bytes a user. A user has a name in
/// Latin or Cyrillic letters, an integer enum, an optional field, nested objects and a short array.
enum UserBodies {
    static func list(of count: Int, seed: UInt64 = 7) -> Data {
        var random = SplitMix64(seed: seed)
        var json = "["
        for index in 0..<count {
            if index > 0 { json += "," }
            json += user(index, random: &random)
        }
        json += "]"
        return Data(json.utf8)
    }

    /// Returns the single user of the body `tiny`.
    static func single(seed: UInt64 = 7) -> Data {
        var random = SplitMix64(seed: seed)
        return Data(user(5, hasEmail: true, random: &random).utf8)
    }

    private static let firstNames = [
        "Anna", "Boris", "Chlo\u{E9}", "Dmitry", "\u{C9}lise", "Farid", "Greta", "Hiro", "Ivan", "J\u{FC}rgen", "Kaia",
        "Luis", "Мария", "Nadia", "Олег", "Priya",
    ]
    private static let lastNames = [
        "Smith", "Ivanov", "Garc\u{ED}a", "M\u{FC}ller", "Tanaka", "Петров", "Johnson", "Brown", "Silva", "Kowalski",
    ]
    private static let streets = ["Main", "Oak", "Lenin", "Hill"]
    private static let cities = ["Berlin", "Saint Petersburg", "S\u{E3}o Paulo", "New York", "Tokyo", "Voronezh"]
    private static let mailHosts = ["example", "example-mail", "example.corp"]

    private static func user(_ index: Int, hasEmail: Bool? = nil, random: inout SplitMix64) -> String {
        var fields = [
            "\"id\":\(100_000 + index * 7)",
            "\"name\":\"\(random.element(of: firstNames)) \(random.element(of: lastNames))\"",
            "\"age\":\(random.next(in: 18...80))",
            "\"type\":\(random.next(in: 0...3))",
        ]
        let drawsEmail = random.chance(percent: 70)
        if hasEmail ?? drawsEmail {
            fields.append("\"email\":\"user\(index)@\(random.element(of: mailHosts)).com\"")
        }
        fields += [
            "\"createdAt\":\"\(instant(&random))\"",
            "\"rating\":\(Double(random.next(in: 0...500)) / 100)",
            "\"verified\":\(random.chance(percent: 50))",
            "\"photos\":[\((0..<3).map { photo(index * 10 + $0, &random) }.joined(separator: ","))]",
            "\"address\":\(address(&random))",
        ]
        return "{\(fields.joined(separator: ","))}"
    }

    private static func photo(_ id: Int, _ random: inout SplitMix64) -> String {
        "{\"id\":\(id),\"ref\":\"photos/\(padded(random.next(in: 0...0xFFFF_FFFF), to: 8, radix: 16))\(padded(id % 10, to: 4))\"}"
    }

    private static func address(_ random: inout SplitMix64) -> String {
        let street = "\(random.next(in: 1...200)) \(random.element(of: streets)) street"
        let latitude = Double(random.next(in: -90_000_000...90_000_000)) / 1_000_000
        let longitude = Double(random.next(in: -180_000_000...180_000_000)) / 1_000_000
        return "{\"street\":\"\(street)\",\"city\":\"\(random.element(of: cities))\","
            + "\"zip\":\"\(padded(random.next(in: 0...99_999), to: 5))\","
            + "\"geo\":{\"lat\":\(latitude),\"lng\":\(longitude)}}"
    }

    private static func instant(_ random: inout SplitMix64) -> String {
        let date = [random.next(in: 2015...2025), random.next(in: 1...12), random.next(in: 1...28)]
        let time = [random.next(in: 0...23), random.next(in: 0...59), random.next(in: 0...59)]
        return date.map { padded($0, to: 2) }.joined(separator: "-") + "T"
            + time.map { padded($0, to: 2) }.joined(separator: ":") + "Z"
    }

    private static func padded(_ number: Int, to width: Int, radix: Int = 10) -> String {
        let digits = String(number, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
