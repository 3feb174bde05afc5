import Bilayer
import Testing

@Suite("JsonPath")
struct JsonPathTests {
    @Test(
        arguments: [
            (JsonPath.root, "$", "$"),
            ([.key("items"), .index(1), .key("price")], "$.items[1].price", "$.items[].price"),
            ([.index(0), .index(12)], "$[0][12]", "$[][]"),
            ([.key("odd key"), .key("")], #"$["odd key"][""]"#, #"$["odd key"][""]"#),
            ([.key("1st"), .key("_x1"), .key("größe")], #"$["1st"]._x1.größe"#, #"$["1st"]._x1.größe"#),
            ([.key("quote\"and\\slash")], #"$["quote\"and\\slash"]"#, #"$["quote\"and\\slash"]"#),
            ([.key("new\nline")], #"$["new\u{a}line"]"#, #"$["new\u{a}line"]"#),
        ] as [(JsonPath, String, String)]
    )
    func printsAsPeopleWriteIt(path: JsonPath, text: String, group: String) {
        #expect(path.description == text)
        #expect(path.withoutIndices == group)
    }

    @Test func growsFromBothEnds() {
        let path = JsonPath([.key("b")])
        #expect(path.appending(.index(0)) == [.key("b"), .index(0)])
        #expect(path.prefixed(by: .key("a")) == [.key("a"), .key("b")])
        #expect(path.prefixed(by: [.key("x"), .index(3)]) == [.key("x"), .index(3), .key("b")])
        #expect(path.prefixed(by: .root) == path)
        #expect(JsonPath.root.isRoot && !path.isRoot)
    }
}
