import Bilayer
import Foundation
import Testing

/// The search for all errors has no placeholder for a value of this type. So the reading of an object ends at a bad
/// value of the type, unless an object of the same type was read before.
private struct StopPlace: Codable { let street: String }

private struct StopEntry: Codable, RawMappable {
    let stopPlace: StopPlace
    let stopCount: Int
}

private struct StopByHand: DecodableByHand {
    let stop: StopEntry
    static func from(raw: Json) throws -> StopByHand { try StopByHand(stop: raw.decode("stop")) }
}

private struct TicketNumber: Codable, RawMappable { let number: Int }

/// An entry by hand that is read with the settings of the mapping, or with a decoder that has a naming.
private enum LegByHand: RawDecodable {
    case ticket(TicketNumber)
    case stop(StopByHand)

    static func from(raw: Json) throws -> LegByHand {
        if raw["number"] != nil { return .ticket(try .from(raw: raw)) }
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        return .stop(try decoder.decode(StopByHand.self, from: raw))
    }
}

@Suite("Collecting all errors: examples of types")
struct KeptExamplesTests {
    private static let known = #"{"stop":{"stop_place":{"street":"Main Street"},"stop_count":1}}"#
    private static let bad = #"{"stop":{"stop_place":[],"stop_count":"many"}}"#

    private func errors(_ legs: String...) throws -> [String] {
        let json = try Json.of("[\(legs.joined(separator: ","))]")
        return mapping(.collectingAll()) { try [LegByHand].from(raw: json) }.lines
    }

    @Test("an example is read with the settings with which it was read first, whichever entry fails first")
    func settings() throws {
        #expect(
            try errors(Self.known, Self.bad) == [
                "error wrong type $[1].stop.stop_place", "error wrong type $[1].stop.stop_count",
            ]
        )
        #expect(
            try errors(Self.known, #"{"number":"x"}"#, Self.bad) == [
                "error wrong type $[1].number",
                "error wrong type $[2].stop.stop_place", "error wrong type $[2].stop.stop_count",
            ]
        )
    }
}
