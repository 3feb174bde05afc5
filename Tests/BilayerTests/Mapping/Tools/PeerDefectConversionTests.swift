import Bilayer
import Foundation
import Testing

/// Defects that other mapping libraries have or had in converting values and keys. None of them may happen in Bilayer.
@Suite("Defects of other libraries: values and keys")
struct PeerDefectConversionTests {
    @Test(
        "a text that is no number is never read as 0, as `atof` has it: no silent 1970",
        arguments: ["abc", "", "soon", "-", "2026-11-21", "1e", ".", "null"]
    )
    func silent1970(text: String) {
        let raw: Json = ["at": Json(text)]
        for format in [
            .unixSeconds, .unixMilliseconds, .quoted(.unixSeconds), .lenient(.unixMilliseconds), .rfc3339,
            .firstOf(.rfc3339, .lenient(.unixSeconds)),
        ] as [ValueFormat<Date>] {
            #expect(failure { try raw.decode("at", as: format) }.hasPrefix("$.at: "))
        }
    }

    @Test("1.9 is never cut to 1", arguments: ["1.9", "-0.5", "9223372036854775808", "1e100"])
    func cutOff(text: String) throws {
        let number: Json = ["n": try Json(parsing: text)]
        let quoted: Json = ["n": Json(text)]
        #expect(failure { try number.decode("n") as Int } == "$.n: out of range: expected Int, found number")
        #expect(
            failure { try number.decode("n", as: .plain) as Int64 } == "$.n: out of range: expected Int64, found number"
        )
        #expect(
            failure { try quoted.decode("n", as: .quoted) as Int }
                == "$.n: out of range: expected Int in quotes, found string (\(text.count) characters)"
        )
        #expect(
            failure { try quoted.decode("n", as: .lenient) as Int }.hasPrefix("$.n: invalid value: expected Int or")
        )
    }

    @Test("300 for an Int8 is an error with its path, neither a crash nor an error without one")
    func narrowInteger() throws {
        struct Entry: Codable, RawMappable {
            let n: Int8
            @Formatted<Lenient<Int8>> var m: Int8
        }
        #expect(failure { try [Entry].from(raw: [["n": 300, "m": 1]]) }.hasPrefix("$[0].n: "))
        #expect(failure { try [Entry].from(raw: [["n": 1, "m": 300]]) }.hasPrefix("$[0].m: "))
        #expect(failure { try [Entry].from(raw: [["n": 1.5, "m": 1]]) }.hasPrefix("$[0].n: "))
        #expect(failure { try [Entry].from(raw: [["n": 1, "m": "300"]]) }.hasPrefix("$[0].m: "))
    }

    @Test("`abc` is not 0 and a missing value is not an empty text")
    func stringlyTyped() {
        let raw: Json = ["n": "abc"]
        #expect(failure { try raw.decode("n", as: .lenient) as Int } != "nothing")
        #expect(failure { try raw.decode("n", as: .lenient) as Decimal } != "nothing")
        #expect(failure { try raw.decode("m", as: .plain) as String } == "$.m: missing: expected String")
    }

    @Test("`a.b` where `a` is a text is an error, not the value of `a`")
    func pathIntoText() {
        let raw: Json = ["a": "value", "a.b": "dotted"]
        #expect(failure { try raw.decode(path: "a.b") as String }.hasPrefix("$.a: wrong type: expected an object"))
        #expect(failure { try raw.decodeIfPresent(path: "a.b") as String? }.hasPrefix("$.a: wrong type"))
        #expect(failure { try raw.decode(path: #"["a.b"]"#) as String } == "nothing")
    }

    @Test("keys that a conversion brings together never swap their values")
    func swappedValues() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        let raw: Json = ["a_b": 1, "aZ": 2]
        #expect(try decoder.decode([String: Int].self, from: raw) == ["a_b": 1, "aZ": 2])
        struct Entry: Codable { let aB: Int, aZ: Int }
        let entry = try decoder.decode(Entry.self, from: raw)
        #expect(entry.aB == 1 && entry.aZ == 2)
    }

    @Test("a value that fails is read once, and its first error is the one reported")
    func readTwice() {
        struct Entry: Decodable, RawDecodable { @Formatted<RFC3339> var at: Date }
        #expect(failure { try Entry.from(raw: ["at": 7]) }.hasPrefix("$.at: wrong type: expected an RFC 3339 date"))
    }

    @Test("a shape is chosen by its tag, not by trying: an unknown tag is never taken for a shape that would fit")
    func trialAndError() throws {
        enum PetEntry: Discriminated, Equatable {
            case cat(name: String)
            case dog(name: String)
            case other

            static let discriminator = Discriminator<PetEntry>
                .on(
                    "kind",
                    ["cat": { .cat(name: try $0.decode("name")) }, "dog": { .dog(name: try $0.decode("name")) }],
                    otherwise: { _ in .other }
                )
        }
        let (pets, issues) = try reported {
            try [PetEntry].from(raw: [["kind": "dog", "name": "Rex"], ["kind": "fish", "name": "Nemo"]])
        }
        #expect(pets == [.dog(name: "Rex"), .other])
        #expect(issues.count == 1)
    }

    @Test("1 and 0 are no truth values, and true is no number")
    func truthOfNumbers() {
        #expect(failure { try (["b": 1] as Json).decode("b") as Bool }.hasPrefix("$.b: wrong type"))
        #expect(failure { try (["n": true] as Json).decode("n") as Int }.hasPrefix("$.n: wrong type"))
        #expect(failure { try (["n": true] as Json).decode("n", as: .lenient) as Int } != "nothing")
        #expect(failure { try (["n": "true"] as Json).decode("n", as: .lenient) as Int } != "nothing")
    }

    @Test("money never passes through a binary fraction")
    func binaryMoney() throws {
        let text = #"{"number":123456789.123456789,"text":"123456789.123456789"}"#
        let raw = try Json(parsing: text)
        let exact = Decimal(string: "123456789.123456789")
        #expect(try raw.decode("number", as: .plain) == exact)
        #expect(try raw.decode("text", as: .quoted) == exact)
        #expect(try ValueFormat<Decimal>.plain.write(exact ?? 0).description == "123456789.123456789")
    }
}
