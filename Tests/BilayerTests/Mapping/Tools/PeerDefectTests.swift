import Bilayer
import Foundation
import Testing

private struct Prices: Codable, RawMappable {
    @Lossy var priceList: [String: Int]
    @Lossy var names: [String]?
}

private struct Flags: Codable, RawMappable {
    enum False: DefaultProvider { static let defaults = Defaults(ifMissing: false, ifInvalid: false) }
    enum Empty: DefaultProvider { static let defaults = Defaults(ifMissing: [Int](), ifInvalid: []) }
    @Default<False> var f: Bool
    @Default<Empty> var xs: [Int]
}

private struct Late: Codable, RawMappable {
    @Lossy var names: [String]
    let last: Int
}

/// Each of these defects was found in another mapping library. None of them may happen in Bilayer.
@Suite("Defects of peers: tools")
struct PeerDefectTests {
    /// A lossy dictionary sorted the raw keys and the converted keys separately, and then paired them.
    @Test(arguments: AnyJsonDecoder.allCases) func aKeyStrategySwapsNoValues(decoder: AnyJsonDecoder) throws {
        let text = #"{"price_list":{"a_b":1,"aZ":2,"a_c":"bad"}}"#
        let mapped = mapping { try decoder.decode(Prices.self, text, snakeCase: true) }
        #expect(mapped.value?.priceList == ["a_b": 1, "aZ": 2])
        #expect(mapped.issues.map(\.path.exactDescription) == ["$.priceList.a_c"])
    }

    /// A reporter could not be used for two decodings.
    @Test func oneReporterServesManyMappings() throws {
        let reporter = CollectingReporter()
        let json = try Json.of(#"{"names":["a",1],"last":1}"#)
        for _ in 0..<3 { _ = try reporter.mapping { try Late.from(raw: json) } }
        _ = try reporter.mapping { try reporter.mapping { try Late.from(raw: json) } }
        #expect(reporter.reports.count == 4)
        #expect(reporter.issues.allSatisfy { $0.path.description == "$.names[1]" })
    }

    /// What had been tolerated was not reported when a later field threw.
    @Test func aLaterErrorHidesNothing() throws {
        let json = try Json.of(#"{"names":["a",1],"last":"x"}"#)
        let mapped = mapping { try Late.from(raw: json) }
        #expect(mapped.lines == ["error wrong type $.last", "warning dropped $.names[1]"])
    }

    /// Values of another type became defaults without a report.
    @Test(arguments: AnyJsonDecoder.allCases) func brokenValuesAreNoMissingValues(decoder: AnyJsonDecoder) {
        let mapped = mapping { try decoder.decode(Flags.self, #"{"f":{"oops":1},"xs":"not an array"}"#) }
        #expect(mapped.value?.f == false && mapped.value?.xs == [])
        #expect(mapped.lines == ["warning used default $.f", "warning used default $.xs"])
        #expect(
            mapped.issues.map { "\($0.found?.description ?? "")" } == ["object (1 member)", "string (12 characters)"]
        )
        let missing = mapping { try decoder.decode(Flags.self, "{}") }
        #expect(missing.lines == ["info used default $.f", "info used default $.xs"])
    }

    /// An optional in a property wrapper was an error when its key was missing.
    @Test(arguments: AnyJsonDecoder.allCases) func aWrappedOptionalMayBeMissing(decoder: AnyJsonDecoder) throws {
        #expect(try decoder.decode(Prices.self, #"{"priceList":{}}"#).names == nil)
    }

    /// `try? decode` in a loop never ended.
    @Test(arguments: AnyJsonDecoder.allCases) func everyElementIsPassed(decoder: AnyJsonDecoder) throws {
        let mapped = mapping { try decoder.decode(Prices.self, #"{"priceList":{},"names":[1,null,{},[],"a",true]}"#) }
        #expect(mapped.value?.names == ["a"])
        #expect(mapped.lines == [0, 1, 2, 3, 5].map { "warning dropped $.names[\($0)]" })
    }

    /// The index was lost between the layers, and the path was printed three times.
    @Test func aPathIsWholeAndIsPrintedOnce() {
        struct Model: DTODecodable {
            static func from(dto: [String?]) throws -> Model {
                _ = try dto.map { try $0.require("name") }
                return Model()
            }
        }
        let error = #expect(throws: MappingError.self) {
            try [String: [Model]].from(dto: ["a": [["x"], [nil]]], at: "m")
        }
        #expect(error?.description.components(separatedBy: "$").count == 2)
        #expect(error?.path.exactDescription == "$.m.a[1].name")
    }
}
