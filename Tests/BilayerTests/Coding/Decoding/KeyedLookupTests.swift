import Foundation
import Testing

@testable import Bilayer

/// Keyed containers return what Foundation's return, for any order of reads and key types of any size.
@Suite(.smallStack) struct KeyedLookupTests {
    private struct Lone: Codable, Equatable { let value: Int }

    @Test(
        "a type with a single key, which takes no byte",
        arguments: [
            #"{"value":1}"#, #"{"other":1,"value":2}"#, #"{"value":1,"value":2}"#, #"{"v\u0061lue":3}"#, "{}",
            #"{"value":null}"#, #"{"value":"1"}"#,
        ]
    )
    func loneKey(text: String) {
        expectSameDecoding(Lone.self, text)
        expectSameDecoding([Lone].self, "[\(text),\(text)]")
    }

    /// A type with more keys than the decoder's key table has room for at first. The inner values are read before the
    /// outer one.
    private struct Wide: Codable, Equatable {
        let inner: [Wide]?
        let k01, k02, k03, k04, k05, k06, k07, k08, k09, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19: Int?
    }

    @Test("a table that grows while an outer container of the same type is in use")
    func growingTable() {
        let fields = (1...19).map { #""k\#($0 < 10 ? "0" : "")\#($0)":\#($0)"# }
        let flat = fields.joined(separator: ",")
        let backwards = fields.reversed().joined(separator: ",")
        expectSameDecoding(Wide.self, "{\"inner\":[{\(flat)},{\(backwards)}],\(flat)}")
        expectSameDecoding(Wide.self, "{\(backwards),\"inner\":[{\"inner\":[{\(flat)}],\(backwards)}]}")
        expectSameDecoding(Wide.self, "{\"inner\":[{\"k19\":true}],\(flat)}")
    }

    /// Reads keys in a random order, some of them several times.
    private struct Asking: Decodable, Equatable {
        enum Keys: String, CodingKey, CaseIterable {
            case a, b, c, d, eightLong, é, longerThanEight
            case muchLongerThanSixteenBytes, muchLongerThanSixteenBytez
        }

        static let seed = CodingUserInfoKey(rawValue: "seed")

        var answers: [String] = []

        init(from decoder: any Decoder) throws {
            let seed = Self.seed.flatMap { decoder.userInfo[$0] as? UInt64 }
            var random = SplitMix64(seed: try #require(seed))
            let container = try decoder.container(keyedBy: Keys.self)
            for _ in 0..<20 {
                let key = try #require(Keys.allCases.randomElement(using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: answers.append("\(container.contains(key))")
                case 1: answers.append("\(String(describing: try? container.decodeNil(forKey: key)))")
                case 2: answers.append("\(String(describing: try? container.decode(Int.self, forKey: key)))")
                default:
                    answers.append("\(String(describing: try? container.decodeIfPresent([Int].self, forKey: key)))")
                }
            }
        }
    }

    @Test("any order of asking", arguments: 0..<300 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = Asking.Keys.allCases.map(\.rawValue) + ["other", "eightLonG", "x", "\\u0061"]
        let members = (0..<Int.random(in: 0..<14, using: &random))
            .map { index in
                let value = ["\(index)", "null", "[\(index)]", "{}"].randomElement(using: &random) ?? ""
                return "\"\(names.randomElement(using: &random) ?? "")\":\(value)"
            }
        let text = "{\(members.joined(separator: ","))}"
        let userInfo = try #require(Asking.seed)
        let foundation = JSONDecoder()
        foundation.userInfo[userInfo] = seed
        let expected = try foundation.decode(Asking.self, from: Data(text.utf8))
        for optimizations in trickSets {
            var decoder = JsonDecoder()
            decoder.optimizations = optimizations
            decoder.userInfo[userInfo] = seed
            let found = try decoder.decode(Asking.self, from: Data(text.utf8))
            #expect(found == expected, "seed \(seed), optimizations \(optimizations.rawValue), \(text)")
        }
    }

    private struct Large: Codable, Equatable {
        var numbers = [1]
        var a = 1.0, b = 2.0, c = 3.0, d = 4.0, e = 5.0, f = 6.0, g = 7.0, h = 8.0, i = 9.0
    }

    private struct Optionals: Codable, Equatable {
        let large: Large?
        let aligned: SIMD8<Double>?
        let larges: [Large?]
        let aligneds: [SIMD4<Double>?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            large = try container.decode(Large?.self, forKey: .large)
            aligned = try container.decode(SIMD8<Double>?.self, forKey: .aligned)
            larges = try container.decode([Large?].self, forKey: .larges)
            aligneds = try container.decode([SIMD4<Double>?].self, forKey: .aligneds)
        }
    }

    @Test("optionals that are large, or that have to stand at certain addresses")
    func largeOptionals() {
        let large = #"{"numbers":[1,2],"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}"#
        let (eight, four) = ("[1,2,3,4,5,6,7,8]", "[1,2,3,4]")
        func text(_ large: String, _ eight: String, _ larges: String, _ fours: String) -> String {
            "{\"large\":\(large),\"aligned\":\(eight),\"larges\":[\(larges)],\"aligneds\":[\(fours)]}"
        }
        expectSameDecoding(Optionals.self, text(large, eight, "\(large),null,\(large)", "\(four),null"))
        expectSameDecoding(Optionals.self, text("null", "null", "", ""))
        expectSameDecoding(Optionals.self, text(large, "7", "\(large)", four))
        expectSameDecoding(Optionals.self, text(large, eight, "\(large),{}", four))
    }
}
