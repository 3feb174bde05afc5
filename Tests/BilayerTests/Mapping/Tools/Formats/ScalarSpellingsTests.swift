import Bilayer
import Foundation
import Testing

@Suite("Numbers, truth values and lists in other spellings")
struct ScalarSpellingsTests {
    struct OfferEntry: Codable, RawMappable, Equatable {
        @Formatted<Quoted<Int64>> var id: Int64
        @Formatted<Quoted<Decimal>> var price: Decimal
        @Formatted<Decimal> var tax: Decimal
        @Formatted<Lenient<Int8>> var stars: Int8
        @Formatted<FlexibleBool> var isOpen: Bool
        @Formatted<OneOrMany<String>> var tags: [String]
    }

    static let text =
        #"{"id":"9223372036854775807","price":"12345678901234567890.01","tax":0.1,"stars":5,"isOpen":true,"tags":["a"]}"#

    @Test("money and long numbers stay exact both ways")
    func exact() throws {
        let entry = try OfferEntry.from(raw: Json(parsing: Self.text))
        #expect(entry.id == .max)
        #expect(entry.price == Decimal(string: "12345678901234567890.01"))
        #expect(entry.tax == Decimal(string: "0.1"))
        #expect(try entry.toRaw() == Json(parsing: Self.text))
        let foundation = try JSONDecoder().decode(OfferEntry.self, from: Data(Self.text.utf8))
        #expect(foundation.price == entry.price && foundation.id == entry.id)
    }

    @Test("money reads back as it was written, as a number and in quotes")
    func moneyRoundTrips() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for _ in 0..<100 {
                let cents = Decimal(Int64.random(in: .min ... .max, using: &random))
                let money = Decimal(sign: .plus, exponent: -Int.random(in: 0...6, using: &random), significand: cents)
                for format in [.plain, .quoted] as [ValueFormat<Decimal>] {
                    let written = try Json(parsing: format.write(money).serialized())
                    #expect(try format.read(written) == money, "seed \(seed): \(written)")
                }
            }
        }
    }

    @Test(
        "numbers that do not fit are errors, in quotes or not",
        arguments: [
            ("300", "$: out of range: expected Int8, found number"),
            ("1.5", "$: out of range: expected Int8, found number"),
            ("-129", "$: out of range: expected Int8, found number"),
            (#""12""#, "$: wrong type: expected Int8, found string (2 characters)"),
            ("true", "$: wrong type: expected Int8, found bool"),
        ]
    )
    func range(text: String, message: String) throws {
        let raw = try Json(parsing: text)
        #expect(failure { try ValueFormat<Int8>.plain.read(raw) } == message)
        if raw.kind == .number {
            let quoted = "$: out of range: expected Int8 in quotes, found string (\(text.count) characters)"
            #expect(failure { try ValueFormat<Int8>.quoted.read(Json(text)) } == quoted)
            #expect(failure { try ValueFormat<Int8>.lenient.read(raw) }.hasPrefix("$: invalid value: expected Int8 or"))
        }
    }

    @Test("path and range of a number in a Codable entry")
    func pathOfRange() throws {
        var raw = try Json(parsing: Self.text)
        raw["stars"] = 300
        #expect(failure { try [OfferEntry].from(raw: [raw]) }.hasPrefix("$[0].stars: invalid value: expected Int8 or"))
        raw["stars"] = "5"
        let (entry, issues) = try reported { try OfferEntry.from(raw: raw) }
        #expect(entry.stars == 5)
        #expect(issues.count == 1 && issues.first?.hasPrefix("$.stars: coerced: expected Int8, found string") == true)
    }

    @Test(
        "integers in quotes read back as they were written, to the limits of their type",
        arguments: [Int64.min, -1, 0, 1, .max]
    )
    func quotedIntegers(number: Int64) throws {
        let raw = try ValueFormat<Int64>.quoted.write(number)
        #expect(raw == Json(String(number)))
        #expect(try ValueFormat<Int64>.quoted.read(raw) == number)
        #expect(throws: MappingError.self) { try ValueFormat<Int64>.quoted.read(Json(number)) }
        #expect(try ValueFormat<Int64>.lenient.write(number) == Json(number))
    }

    @Test("no number is a truth value unasked", arguments: [0, 1, "true", "1", .null] as [Json])
    func strictBool(raw: Json) {
        #expect(throws: MappingError.self) { try Bool.from(raw: raw) }
        #expect(throws: MappingError.self) { try ValueFormat<Bool>.plain.read(raw) }
    }

    @Test(
        "truth values from numbers and texts, on request and reported",
        arguments: [
            (1, true), (0, false), ("true", true), ("YES", true), ("1", true), ("False", false), ("no", false),
            ("0", false),
        ] as [(Json, Bool)]
    )
    func flexibleBool(raw: Json, value: Bool) throws {
        let (read, issues) = try reported { try ValueFormat.flexible.read(raw) }
        #expect(read == value)
        #expect(issues.count == 1 && issues.first?.hasPrefix("$: coerced: expected Bool, found") == true)
        #expect(failure(.strict) { try ValueFormat.flexible.read(raw) }.hasPrefix("$: coercion refused"))
    }

    @Test(
        "what stands for no truth value is refused",
        arguments: [2, -1, 0.5, "", "y", "on", "2", .null, [], [:]] as [Json]
    )
    func noBool(raw: Json) {
        #expect(throws: MappingError.self) { try ValueFormat.flexible.read(raw) }
    }

    @Test("one or many")
    func oneOrMany() throws {
        let format = ValueFormat<[Int]>.oneOrMany(.plain)
        #expect(try format.read(7) == [7])
        #expect(try format.read([7, 8]) == [7, 8])
        #expect(try format.read([]) == [])
        #expect(try format.write([7]) == [7])
        #expect(failure { try format.read([7, "8"]) } == "$[1]: wrong type: expected Int, found string (1 character)")
        #expect(failure { try format.read("8") } == "$: wrong type: expected Int, found string (1 character)")
        #expect(failure { try format.read(.null) } == "$: null: expected Int, found null")
    }
}
