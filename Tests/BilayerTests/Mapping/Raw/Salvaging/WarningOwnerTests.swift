import Bilayer
import Testing

private enum Carrier: Discriminated, Decodable {
    case ship
    case other(Json)

    static let discriminator = Discriminator<Carrier>.on("type", ["ship": { _ in .ship }], otherwise: { .other($0) })
}

private struct Delivery: Decodable, RawDecodable {
    let carrier: Carrier
    let number: Int?
}

@Suite("The owner of a warning in a nested value")
struct WarningOwnerTests {
    @Test("does not depend on what else is left out", arguments: ["1", #""x""#])
    func owner(number: String) throws {
        let json = try Json.of(#"{"carrier":{"type":"new"},"number":\#(number)}"#)
        let one = mapping(.salvaging) { try Delivery.from(raw: json) }.issues
        #expect(one.first { $0.kind == .unknownCase }?.owner == "Carrier")
        let list = mapping(.salvaging) { try [Delivery].from(raw: [json, json]) }.issues
        #expect(list.filter { $0.kind == .unknownCase }.map(\.owner) == ["Carrier", "Carrier"])
    }
}
