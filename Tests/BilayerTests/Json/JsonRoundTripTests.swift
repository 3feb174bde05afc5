import Foundation
import Testing

@testable import Bilayer

/// Random values are written and read again, by Bilayer and by Foundation.
@Suite("Json: round trips and Foundation beside")
struct JsonRoundTripTests {
    static let seeds: [UInt64] = Array(1...12)

    private func randomString(_ random: inout SplitMix64) -> String {
        let alphabets: [[Unicode.Scalar]] = [
            Array("abcXYZ0189 _-".unicodeScalars), Array("\"\\/\n\r\t\u{0}\u{1F}\u{8}\u{7F}".unicodeScalars),
            Array("éßЖ漢字😀\u{301}\u{FFFF}\u{10FFFF}".unicodeScalars),
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<random.next(below: 24) {
            let alphabet = alphabets[random.next(below: 5) % 3]
            text.append(alphabet[random.next(below: alphabet.count)])
        }
        return String(text)
    }

    private func randomValue(_ random: inout SplitMix64, depth: Int) -> Json {
        switch random.next(below: depth > 0 ? 10 : 7) {
        case 0: .null
        case 1: Json(random.next(below: 2) == 0)
        case 2: Json(Int64(bitPattern: random.next() >> UInt64(random.next(below: 64))))
        case 3: Json(Double(bitPattern: random.next())) ?? 0.5
        case 4: Json(Double(random.next(below: 2_000_000) - 1_000_000) / 1000) ?? 0
        case 5, 6: Json(randomString(&random))
        case 7, 8: Json((0..<random.next(below: 6)).map { _ in randomValue(&random, depth: depth - 1) })
        default:
            Json(
                members: (0..<random.next(below: 20))
                    .map { _ in (key: randomString(&random), value: randomValue(&random, depth: depth - 1)) }
            )
        }
    }

    @Test("a random value survives every layout", arguments: seeds)
    func layouts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<60 {
            let value = randomValue(&random, depth: 4)
            for format in [Json.Format.compact, .pretty, .sortedKeys, [.pretty, .sortedKeys]] {
                let text = value.serialized(format)
                let again = try Json(parsing: text)
                #expect(again == value, "seed \(seed), round \(round)")
                #expect(again.hashValue == value.hashValue, "seed \(seed), round \(round)")
                #expect(again.serialized(format) == text, "seed \(seed), round \(round)")
                #expect(
                    again.serialized() == value.serialized(format.subtracting(.pretty)),
                    "seed \(seed), round \(round)"
                )
            }
        }
    }

    @Test("Foundation reads what we write, and we read what Foundation writes", arguments: seeds)
    func foundation(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<30 {
            let value = randomValue(&random, depth: 3)
            let object = try JSONSerialization.jsonObject(with: value.serialized(), options: .fragmentsAllowed)
            #expect(means(object, value), "seed \(seed), round \(round): \(value)")
            let theirs = try JSONSerialization.data(withJSONObject: object, options: .fragmentsAllowed)
            #expect(means(object, try Json(parsing: theirs)), "seed \(seed), round \(round): \(value)")
        }
    }

    /// Foundation's number passes through a decimal, which costs it the last bits.
    private func isNear(_ theirs: Double, _ ours: Double) -> Bool { abs(theirs - ours) <= abs(ours) * 1e-14 }

    /// Whether what Foundation read is what we hold. Foundation's dictionaries take canonically equivalent keys as one.
    private func means(_ object: Any, _ json: Json) -> Bool {
        switch (object, json.kind) {
        case (is NSNull, .null): true
        case (let text as String, .string): json.string == text
        case (let number as NSNumber, .bool): json.bool == number.boolValue
        case (let number as NSNumber, .number):
            json.int64 == number.int64Value || isNear(number.doubleValue, json.double ?? .nan)
        case (let array as [Any], .array): array.count == json.count && zip(array, json.elements).allSatisfy(means)
        case (let members as [String: Any], .object):
            json.members.allSatisfy { key, value in
                Set(json.keys).count < json.count || members[key].map { means($0, value) } == true
            }
        default: false
        }
    }
}
