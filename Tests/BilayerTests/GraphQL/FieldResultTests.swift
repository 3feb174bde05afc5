import Bilayer
import Foundation
import Testing

@Suite("FieldResult: the errors of many nulls", .timeLimit(.minutes(5)))
struct FieldResultTests {
    private struct SeatsEntry: Decodable, RawDecodable { let seats: [FieldResult<Int?>] }
    private struct HandSeatsEntry: RawDecodable {
        let seats: [FieldResult<Int?>]
        static func from(raw: Json) throws -> HandSeatsEntry { try HandSeatsEntry(seats: raw.decode("seats")) }
    }

    /// A response with nulls, and an error for each of the given indices. The message of an error is its index.
    private func response(nulls: Int, failed: some Sequence<Int>) -> String {
        let seats = Array(repeating: "null", count: nulls).joined(separator: ",")
        let errors = failed.map { #"{"message":"\#($0)","path":["seats",\#($0)]}"# }.joined(separator: ",")
        return #"{"data":{"seats":[\#(seats)]},"errors":[\#(errors)]}"#
    }

    private func messages(_ seats: [FieldResult<Int?>]) -> [String?] { seats.map(\.error?.message) }

    @Test("each of thousands of nulls has its own error, in any order of the errors")
    func ownErrors() throws {
        let json = try Json(parsing: response(nulls: 4000, failed: (0..<4000).reversed()))
        let expected = (0..<4000).map(String.init)
        #expect(try messages((json.decode("data") as SeatsEntry).seats) == expected)
        #expect(try messages((json.decode("data") as HandSeatsEntry).seats) == expected)
    }

    @Test("thousands of nulls without an error are values")
    func values() throws {
        for failed in [[], [3]] {
            let json = try Json(parsing: response(nulls: 120_000, failed: failed))
            let seats = try (json.decode("data") as HandSeatsEntry).seats
            #expect(seats.count == 120_000)
            #expect(seats.indices.filter { seats[$0].error != nil } == failed)
        }
    }

    @Test("the first error counts, also one of a field inside that may not be null")
    func firstError() throws {
        let errors =
            #"[{"message":"request"},{"message":"inside","path":["seats",0,"row","no"]},"#
            + #"{"message":"at","path":["seats",0]},{"message":"value","path":["seats",1]},{"path":["seats",9]},"#
            + #"{"path":["seats","0"]},{"path":["seats",1,"row"]}]"#
        let json = try Json(parsing: #"{"data":{"seats":[null,7,null]},"errors":\#(errors)}"#)
        #expect(try messages((json.decode("data") as SeatsEntry).seats) == ["inside", nil, nil])
    }

    @Test("the response is the root, an element of a batch, a payload, or inside another `data`")
    func responses() throws {
        let one = response(nulls: 2, failed: [1])
        let cases: [(text: String, path: JsonPath)] = [
            (one, [.key("data")]),
            ("[\(response(nulls: 1, failed: [])),\(one)]", [.index(1), .key("data")]),
            (#"{"type":"next","payload":\#(one)}"#, [.key("payload"), .key("data")]),
            (#"{"data":\#(one)}"#, [.key("data"), .key("data")]),
            (#"{"data":{"graphql":\#(one)}}"#, [.key("data"), .key("graphql"), .key("data")]),
            (#"{"data":[\#(one)]}"#, [.key("data"), .index(0), .key("data")]),
        ]
        for (text, path) in cases {
            let data = try #require(try Json(parsing: text).value(at: path))
            #expect(try messages(SeatsEntry.from(raw: data).seats) == [nil, "1"], "\(path)")
        }
        let single = try Json(parsing: #"{"data":{"seats":[null]},"errors":{"message":"one","path":["seats",0]}}"#)
        #expect(try messages((single.decode("data") as SeatsEntry).seats) == ["one"])
        let none = try Json(parsing: #"{"data":{"seats":[null]},"errors":null}"#)
        #expect(try messages((none.decode("data") as SeatsEntry).seats) == [nil])
    }
}
