import Bilayer
import Foundation

/// The cost of `@Formatted` in a `Codable` entry: 10,000 entries with one field each. Foundation's row reads the same
/// fields as strings.
func formatCases() throws -> [Case] {
    let numbers = (0..<10_000).map { $0 * 7_919 % 1_000_003 }
    return try [
        formatCase("dates", RFC3339.self, numbers.map { Date(timeIntervalSince1970: Double($0) * 1_000) }),
        formatCase("durations", ISO8601Duration.self, numbers.map { Duration.seconds($0) }),
        formatCase("decimals", Quoted<Decimal>.self, numbers.map { Decimal($0) / 100 }),
    ]
}

private func formatCase<Format: NamedFormat>(
    _ name: String,
    _ format: Format.Type,
    _ values: [Format.FormattedValue]
) throws -> Case where Format.FormattedValue: Equatable & Sendable {
    let body = Json(try values.map { try ["value": Format.format.write($0)] }).serialized()
    let foundation = JSONDecoder()
    let bilayer = JsonDecoder()
    return Case(
        suite: .mapping,
        corpus: "formatted-\(name)",
        byteCount: body.count,
        contenders: [
            Contender(.foundation) {
                try foundation.decode([TextEntry].self, from: body)
            } isRight: {
                $0.count == values.count
            },
            Contender(.bilayerCodable) {
                try bilayer.decode([FormattedEntry<Format>].self, from: body)
            } isRight: {
                $0.map(\.value) == values
            },
        ]
    )
}
