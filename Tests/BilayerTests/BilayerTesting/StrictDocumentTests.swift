import Bilayer
import BilayerTesting
import Testing

@Suite("A GraphQL document whose entry has cases for unknown values")
struct StrictDocumentTests {
    @Test("values and types that an entry takes for unknown are found if the check is strict")
    func unknownCases() throws {
        struct Lenient: GraphQLOperation {
            static let document = "{ found { __typename ... on City { id name } } unit place { name } }"
            struct Data: Decodable, RawDecodable {
                let found: [Found?]?
                let unit: SomeUnit
                let place: Place?
            }
            struct Place: Codable { let name: String }
            struct City: Codable, RawMappable { let id: String }
            enum Found: Discriminated, Decodable {
                case city(City)
                case other
                static let discriminator = Discriminator<Found>
                    .on("__typename", ["City": { .city(try .from(raw: $0)) }], otherwise: { _ in .other })
            }
            enum SomeUnit: String, DefaultCase, Decodable {
                case meter = "METER"
                case other
                static let defaultCase = SomeUnit.other
            }
        }
        try expectDocument(of: Lenient(), matches: DocumentContractTests.schema.get())
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Lenient(), matches: DocumentContractTests.schema.get(), strict: true)
        }
        #expect(
            error?.problems.map { "\($0.path) \($0.text.prefix { $0 != ":" })" } == [
                "found[] may be a Park", "unit may be \"FOOT\"",
            ]
        )
    }

    @Test("each value that an entry takes for unknown is found, that of the first sample, too")
    func unknownCasesOfTheFirstSample() throws {
        struct NoUnits: GraphQLOperation {
            static let document = "{ unit }"
            struct Data: Decodable, RawDecodable { let unit: NoUnit }
            enum NoUnit: String, DefaultCase, Decodable {
                case other
                static let defaultCase = NoUnit.other
            }
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: NoUnits(), matches: DocumentContractTests.schema.get(), strict: true)
        }
        #expect(
            error?.problems.map { "\($0.path) \($0.text.prefix { $0 != ":" })" } == [
                "unit is not what the entry reads", "unit may be \"FOOT\"",
            ]
        )
    }
}
