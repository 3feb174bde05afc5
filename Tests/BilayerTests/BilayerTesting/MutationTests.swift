import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct LineEntry: Codable, RawMappable {
    let sku: String
    let count: Int?
}

private struct Line: DTODecodable {
    let sku: String
    let count: Int
    static func from(dto: LineEntry) -> Line { Line(sku: dto.sku, count: dto.count ?? 1) }
}

@Suite("Mutations of samples")
struct MutationTests {
    /// The number of random changes of each of the ten samples. `BILAYER_MUTATIONS=5000` makes 5,000 changes in all.
    private static let limit =
        ProcessInfo.processInfo.environment["BILAYER_MUTATIONS"].flatMap(Int.init).map { $0 / 10 } ?? 40

    @Test(
        "random changes of a realistic answer are reported at their paths, under four policies",
        arguments: MutationSample.all
    )
    func everyChangeIsReported(sample: MutationSample) throws {
        var left = Self.limit
        var seed: UInt64 = 0
        while left > 0 {
            try sample.check(limit: min(left, 60), seed: seed)
            left -= 60
            seed += 1
        }
    }

    private func problems(_ body: () throws -> Void) -> [String] {
        let error = #expect(throws: ContractError.self) { try body() }
        return error?.problems.map(\.description) ?? []
    }

    @Test("a default without a report is named; it may be declared harmless")
    func silentDefault() throws {
        let sample: Json = ["sku": "a", "count": 2]
        let found = problems { try expectEveryMutationIsReported(in: sample, by: Line.self) }
        #expect(Set(found) == ["$.count   removed is accepted silently", "$.count   null is accepted silently"])
        try expectEveryMutationIsReported(in: sample, by: Line.self, harmless: ["count"])
    }

    @Test("a value that is required inside a removed or null member is reported at that member")
    func requiredInside() throws {
        struct ShopEntry: Codable, RawMappable {
            struct Address: Codable { let city: String? }
            let address: Address?
        }
        struct StreetEntry: Codable, RawMappable {
            let city: String?

            enum CodingKeys: String, PathCodingKey {
                case city
                static let paths: [CodingKeys: [String]] = [.city: ["address.city"]]
            }
        }
        let sample: Json = ["address": ["city": "Bonn"]]
        try expectEveryMutationIsReported(
            in: sample,
            by: { (dto: ShopEntry) in try (dto.address?.city).require("address.city") }
        )
        try expectEveryMutationIsReported(
            in: sample,
            by: { (dto: StreetEntry) in try dto.city.require("city", key: "address.city") }
        )
        let wrong = problems {
            try expectEveryMutationIsReported(
                in: sample,
                by: { (dto: ShopEntry) in try (dto.address?.city).require("addresses.city") }
            )
        }
        #expect(wrong.contains { $0.hasPrefix("$.address   removed is reported elsewhere: $.addresses.city: missing") })
    }

    @Test("a conversion by a closure is checked as a model is")
    func closure() throws {
        struct Total { let count: Int }
        let sample: Json = ["sku": "a", "count": 2]
        let found = problems {
            try expectEveryMutationIsReported(
                in: sample,
                by: { (line: LineEntry) in Total(count: line.count ?? 1) },
                harmless: ["sku"]
            )
        }
        #expect(Set(found) == ["$.count   removed is accepted silently", "$.count   null is accepted silently"])
        try expectEveryMutationIsReported(
            in: sample,
            by: { (line: LineEntry) in Total(count: try line.count.require("count")) },
            harmless: ["sku"]
        )
    }

    @Test("an error that is swallowed is named, and so are reports elsewhere")
    func swallowed() throws {
        struct Loose: RawDecodable {
            let count: Int?
            let names: [String]
            static func from(raw: Json) throws -> Loose {
                Loose(
                    count: try? raw.decode("count"),
                    names: raw["names"]?.elements.compactMap(\.string) ?? []
                )
            }
        }
        let found = problems { try expectEveryMutationIsReported(in: ["count": 1, "names": ["a"]], by: Loose.self) }
        #expect(found.contains { $0.hasPrefix("$.count   as a string is accepted silently") })
        #expect(found.contains { $0.hasPrefix("$.names   removed is accepted silently") })
        #expect(found.contains { $0.hasPrefix("$.names[0]   as a number is accepted silently") })
        struct Lost: RawDecodable {
            let x: Int
            static func from(raw: Json) throws -> Lost {
                do {
                    return Lost(x: try raw.decode("x"))
                } catch {
                    throw MappingError(MappingIssue(.invalidValue, path: [.key("y")]))
                }
            }
        }
        #expect(
            problems { try expectEveryMutationIsReported(in: ["x": 1], by: Lost.self) }
                .contains { $0.hasPrefix("$.x   removed is reported elsewhere: $.y: invalid value") }
        )
    }

    @Test("the keys of a dictionary are in all paths of a problem, also in that of the issue")
    func keysOfDictionaries() throws {
        struct Rates: RawDecodable {
            static func from(raw: Json) throws -> Rates {
                if raw["EUR"]?.string == nil {
                    let cause = MappingIssue(.wrongType, path: [.key("rates"), .entry("EUR"), .key("text")])
                    throw MappingError(MappingIssue(.dropped, path: [.key("rates"), .entry("EUR")], causes: [cause]))
                }
                return Rates()
            }
        }
        let found = problems { try expectEveryMutationIsReported(in: ["EUR": "1"], by: Rates.self) }
        let issue = "$.rates.EUR: dropped: $.rates.EUR.text: wrong type"
        #expect(found.contains("$.EUR   removed is reported elsewhere: \(issue)"), "\(found)")
    }

    @Test("a field that keeps the three states apart is not silent")
    func fields() throws {
        struct Patch: Codable, RawMappable { let nickname: Field<String> }
        try expectEveryMutationIsReported(in: ["nickname": "a"], by: Patch.self)
    }

    @Test("a report at a longer name is none of the change")
    func longerName() throws {
        struct Twin: RawDecodable {
            static func from(raw: Json) throws -> Twin {
                if raw["name"]?.string == nil {
                    throw MappingError(MappingIssue(.invalidValue, path: [.key("name_x")]))
                }
                return Twin()
            }
        }
        let found = problems { try expectEveryMutationIsReported(in: ["name": "a"], by: Twin.self) }
        #expect(found.contains { $0.hasPrefix("$.name   removed is reported elsewhere: $.name_x") }, "\(found)")
    }

    @Test("a sample that cannot be read throws the error of the mapping; the error of the check has the seed")
    func badSample() {
        #expect(throws: MappingError.self) { try expectEveryMutationIsReported(in: ["sku": 1], by: LineEntry.self) }
        let error = #expect(throws: ContractError.self) {
            try expectEveryMutationIsReported(in: ["sku": "a", "count": 2], by: Line.self, seed: 7)
        }
        #expect(error?.description.hasPrefix("Contract of Line, seed 7:") == true)
    }
}
