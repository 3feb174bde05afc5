import Bilayer
import Testing

@Suite("Several legal formats")
struct AnyOfFormatTests {
    private struct Long: CustomScalar, Hashable {
        var value: Int64
        static let format = ValueFormat<Int64>.anyOf(.plain, .quoted).map(Long.init) { $0.value }
    }

    private struct Sold: Codable, RawMappable, Equatable { let count: Long }

    @Test(
        "are read without a report, by hand and by Codable, and written in the first one",
        arguments: [#"{"count":9007199254740993}"#, #"{"count":"9007199254740993"}"#]
    )
    func legal(text: String) throws {
        let json = try Json(parsing: text)
        let sold = Sold(count: Long(value: 9_007_199_254_740_993))
        for policy in [MappingPolicy.standard, .strict, .salvaging, .collectingAll()] {
            let read = mapping(policy) { try Sold.from(raw: json) }
            #expect(read.value == sold && read.lines.isEmpty, "\(policy)")
            let byHand = mapping(policy) { try json.decode("count") as Long }
            #expect(byHand.value == sold.count && byHand.lines.isEmpty, "\(policy)")
        }
        #expect(try sold.toRaw() == ["count": 9_007_199_254_740_993])
    }

    @Test("are all named in the error of another one")
    func error() throws {
        let read = mapping { try Sold.from(raw: Json(parsing: #"{"count":"x"}"#)) }
        #expect(
            read.issues.map(\.description) == [
                "$.count: invalid value: expected Int64 or Int64 in quotes, found string (1 character)"
                    + " in AnyOfFormatTests.Sold"
            ]
        )
    }

    @Test("a format of another type names this type in the error of a value that it refuses")
    func mapped() throws {
        let amount = ValueFormat<String>.plain.map({ Int($0) }, { "\($0)" })
        #expect(try amount.read("7") == 7)
        let refused = #expect(throws: MappingError.self) { try amount.read("x") }
        #expect(
            refused?.issues.map(\.description)
                == ["$: invalid value: expected Int from String, found string (1 character)"]
        )
        let other = #expect(throws: MappingError.self) { try amount.read(7) }
        #expect(other?.issues.map(\.description) == ["$: wrong type: expected String, found number"])
        #expect(try ValueFormat.firstOf(amount, .plain).read(7) == 7)
        let positive = ValueFormat<Int>.plain.map({ UInt(exactly: $0) }, { Int($0) })
        let negative = #expect(throws: MappingError.self) { try positive.read(-7) }
        #expect(negative?.issues.map(\.kind) == [.outOfRange])
        #expect(negative?.issues.map(\.expected) == ["UInt from Int"])
        let quoted = #expect(throws: MappingError.self) { try ValueFormat.quoted(positive).read("-7") }
        #expect(quoted?.issues.map(\.expected) == ["UInt from Int in quotes"])
    }
}
