import Bilayer
import Foundation
import Testing

extension SplitMix64 {
    /// Digits, the first of them not 0.
    fileprivate mutating func digits(_ count: Int) -> String {
        (0..<count).map { String($0 == 0 ? 1 + next(below: 9) : next(below: 10)) }.joined()
    }

    /// A text with each letter in either case.
    fileprivate mutating func anyCase(_ text: String) -> String {
        text.map { next(below: 2) == 0 ? $0.uppercased() : $0.lowercased() }.joined()
    }
}

/// Compares random spellings of numbers and truth values with what the standard library and Foundation read from them.
@Suite("Generated numbers and truth values in other spellings")
struct GeneratedScalarsTests {
    @Test(
        "money is what Foundation reads in its digits, and is written so that Foundation reads the same",
        arguments: 0..<20 as Range<UInt64>
    )
    func money(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let whole = random.digits(1 + random.next(below: 20))
            let fraction = random.next(below: 2) == 0 ? "" : "." + random.digits(1 + random.next(below: 18))
            let exponent = random.next(below: 4) == 0 ? "e\(random.next(below: 61) - 30)" : ""
            let text = (random.next(below: 2) == 0 ? "-" : "") + whole + fraction + exponent
            let expected = try #require(Decimal(string: text))
            let raws = [try Json(parsing: text), Json(text)]
            for (raw, format) in zip(raws, [.plain, .quoted] as [ValueFormat<Decimal>]) {
                #expect(try format.read(raw) == expected, "seed \(seed), round \(round): \(text)")
                let written = try format.write(expected)
                let writtenText = written.string ?? written.numberText ?? ""
                #expect(Decimal(string: writtenText) == expected, "seed \(seed), round \(round): \(text)")
                #expect(
                    try format.read(Json(parsing: written.serialized())) == expected,
                    "seed \(seed), round \(round)"
                )
            }
            #expect(try ValueFormat<Decimal>.lenient.read(raws[1]) == expected, "seed \(seed), round \(round): \(text)")
        }
    }

    @Test("more digits than a Decimal holds are an error, never a rounded amount", arguments: 0..<5 as Range<UInt64>)
    func tooMuchMoney(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            // The last digit is 1: zeros at the end would need no room in a `Decimal`.
            let text = random.digits(39 + random.next(below: 20)) + "1"
            #expect(throws: MappingError.self, "seed \(seed): \(text)") { try Decimal.from(raw: Json(parsing: text)) }
            #expect(throws: MappingError.self, "seed \(seed): \(text)") {
                try ValueFormat<Decimal>.quoted.read(Json(text))
            }
        }
    }

    @Test(
        "integers of each width are read from numbers and from quotes as the standard library reads their digits",
        arguments: 0..<20 as Range<UInt64>
    )
    func integers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let text = (random.next(below: 2) == 0 ? "-" : "") + random.digits(1 + random.next(below: 21))
            try check(Int8.self, text, seed)
            try check(UInt8.self, text, seed)
            try check(Int16.self, text, seed)
            try check(UInt32.self, text, seed)
            try check(Int64.self, text, seed)
            try check(UInt64.self, text, seed)
        }
    }

    private func check<Value: FixedWidthInteger & RawMappable & SendableMetatype>(
        _ type: Value.Type,
        _ text: String,
        _ seed: UInt64
    ) throws where Value.Raw == Json {
        let expected = Value(text)
        let number = try Json(parsing: text)
        #expect((try? ValueFormat<Value>.plain.read(number)) == expected, "seed \(seed): \(text)")
        #expect((try? ValueFormat<Value>.quoted.read(Json(text))) == expected, "seed \(seed): \(text)")
        #expect((try? ValueFormat<Value>.lenient.read(Json(text))) == expected, "seed \(seed): \(text)")
        #expect(throws: MappingError.self) { try ValueFormat<Value>.plain.read(Json(text)) }
        guard let expected else { return }
        #expect(try ValueFormat<Value>.plain.write(expected) == number, "seed \(seed)")
        #expect(try ValueFormat<Value>.quoted.write(expected) == Json(text), "seed \(seed)")
    }

    @Test(
        "truth values are read from their words in any case and from 0 and 1, and from nothing else",
        arguments: 0..<10 as Range<UInt64>
    )
    func bools(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let words = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
        for _ in 0..<200 {
            let word = words.keys.sorted()[random.next(below: words.count)]
            let text = random.anyCase(word)
            let (value, issues) = try reported { try ValueFormat.flexible.read(Json(text)) }
            #expect(value == words[word] && issues.count == 1, "seed \(seed): \(text)")
            #expect(try ValueFormat.flexible.write(value) == Json(value))
            let other = text + random.anyCase(["x", " ", "0", "true"][random.next(below: 4)])
            #expect(throws: MappingError.self, "seed \(seed): \(other)") { try ValueFormat.flexible.read(Json(other)) }
            let number = random.next(below: 9) - 4
            #expect((try? ValueFormat.zeroOrOne.read(Json(number))) == [0: false, 1: true][number], "seed \(seed)")
        }
    }

    @Test("one or many: an element alone is the list of it, a list is the list", arguments: 0..<5 as Range<UInt64>)
    func oneOrMany(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let format = ValueFormat<[Int]>.oneOrMany(.plain)
        for _ in 0..<100 {
            let list = (0..<random.next(below: 5)).map { _ in random.next(below: 1000) - 500 }
            let raw = try format.write(list)
            #expect(try format.read(raw) == list, "seed \(seed)")
            if list.count == 1 { #expect(try format.read(Json(list[0])) == list, "seed \(seed)") }
        }
    }
}
