import Bilayer
import Foundation
import Testing

private struct ProductEntry: Codable, RawDecodable {
    let id: String
    let name: String
    let alias: String?
}

private struct Product: DTODecodable, Equatable {
    let id: String
    let alias: String

    static func from(dto: ProductEntry) throws -> Product {
        let alias = dto.alias.flatMap { $0.isEmpty ? nil : $0 }
        return Product(id: dto.id, alias: alias ?? dto.name)
    }
}

@Suite("Scenario: a value replaced by another")
struct ReplacementScenarioTests {
    @Test(arguments: [
        (#"{"id":"1","name":"Table","alias":"Desk"}"#, "Desk"),
        (#"{"id":"1","name":"Table","alias":""}"#, "Table"),
        (#"{"id":"1","name":"Table","alias":null}"#, "Table"),
        (#"{"id":"1","name":"Table"}"#, "Table"),
    ])
    func theAliasFallsBackToTheName(text: String, alias: String) throws {
        let product = try Product.from(dto: .from(raw: Json(parsing: Data(text.utf8))))
        #expect(product == Product(id: "1", alias: alias))
    }
}
