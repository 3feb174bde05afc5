import Bilayer
import Foundation
import Testing

private struct HolderEntry: Codable, RawMappable {
    let holderName: String
    let bornOn: Date
}

private struct CardByHand: DecodableByHand {
    let holder: HolderEntry
    static func from(raw: Json) throws -> CardByHand { try CardByHand(holder: raw.decode("card")) }
}

/// Keeps its decoder, and reads nothing until it is asked.
private struct LazyCard: Decodable, RawDecodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
    func read() throws -> CardByHand { try CardByHand(from: decoder) }
    func readInContainer() throws -> CardByHand { try decoder.singleValueContainer().decode(CardByHand.self) }
}

private struct WalletEntry: Decodable, RawDecodable { let mainCard: LazyCard }

private struct StampEntry: Codable, RawMappable { let day: Date }

private struct StampByHand: DecodableByHand {
    let stamp: StampEntry
    static func from(raw: Json) throws -> StampByHand { try StampByHand(stamp: raw.decode("stamp")) }
}

/// Reads its value with a decoder of its own, which has the default settings.
private struct PlainlyReadStamp: DecodableByHand {
    let stamp: StampByHand
    static func from(raw: Json) throws -> PlainlyReadStamp {
        try PlainlyReadStamp(stamp: JsonDecoder().decode(StampByHand.self, from: raw))
    }
}

@Suite("Decoders that are used outside of their mapping")
struct KeptDecoderTests {
    private static let policies: [MappingPolicy] = {
        var reporting = MappingPolicy.standard
        reporting.unknownKeys = .report
        return [.standard, .strict, .salvaging, .collectingAll(), reporting]
    }()

    @Test("a decoder that is kept reads as during its mapping, after the mapping has ended", arguments: policies)
    func conventions(policy: MappingPolicy) throws {
        let json = try Json.of(#"{"main_card":{"card":{"holder_name":"Ada","born_on":"1815-12-10T00:00:00Z"}}}"#)
        var policy = policy
        if policy.unknownKeys == .fail { policy.unknownKeys = .ignore }
        let mapped = mapping(policy, .snakeCaseAndRFC3339) { try WalletEntry.from(raw: json) }
        let card = try #require(mapped.value).mainCard
        for read in [card.read, card.readInContainer] {
            let holder = try read().holder
            #expect(holder.holderName == "Ada")
            #expect(holder.bornOn == Date(timeIntervalSince1970: -4_861_728_000))
        }
    }

    @Test("an error of such a reading is an error, and nothing is left out")
    func errors() throws {
        let json = try Json.of(#"{"main_card":{"card":{"holder_name":"Ada","born_on":"soon"}}}"#)
        let mapped = mapping(.salvaging, .snakeCaseAndRFC3339) { try WalletEntry.from(raw: json) }
        let card = try #require(mapped.value).mainCard
        let error = #expect(throws: DecodingError.self) { try card.read() }
        #expect(error.map { MappingError(wrapping: $0).path.exactDescription } == "$.mainCard.card.born_on")
        #expect(mapped.lines == [])
    }

    @Test("a decoder with the default settings reads by them, inside of a decoder with others")
    func plainInsideOfOthers() throws {
        var decoder = JsonDecoder()
        decoder.dates = .rfc3339
        let json = try Json.of(#"{"stamp":{"day":7}}"#)
        let stamp = try decoder.decode(PlainlyReadStamp.self, from: json).stamp.stamp
        #expect(stamp.day == Date(timeIntervalSinceReferenceDate: 7))
    }
}
