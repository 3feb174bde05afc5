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

    /// Keys with different bytes are different members of an object.
    @Test func keysAreComparedByTheirBytes() {
        #expect(JsonPath([.key("\u{E9}")]) != [.key("e\u{301}")])
        #expect(JsonPath([.key("\u{E9}")]) == [.entry("\u{E9}")])
        #expect(Set<JsonPath>([[.key("\u{E9}")], [.key("e\u{301}")], [.entry("\u{E9}")]]).count == 2)
    }

    /// Expects that the path's text makes the path again, compared scalar by scalar and with the kind of each step.
    private func expectRoundTrip(_ path: JsonPath, _ comment: Comment = "") throws {
        let text = path.description
        let back = try #require(JsonPath(text), "\(comment) \(text.debugDescription)")
        #expect(back.components.map(Self.scalars) == path.components.map(Self.scalars), comment)
        #expect(
            text.unicodeScalars.allSatisfy { $0 != "\n" && $0 != "\r" && $0 != "\u{2028}" && $0 != "\u{2029}" },
            comment
        )
    }

    private static func scalars(_ component: JsonPath.Component) -> [UInt32] {
        switch component {
        case .key(let key), .entry(let key): [0] + key.unicodeScalars.map(\.value)
        case .index(let index): [1, UInt32(index)]
        }
    }

    @Test(
        "a key of any sort is read back from the path's text",
        arguments: [
            "", " ", "\n", "\r\n", "a\nb", "\t", "\0", "\u{7F}", "\u{85}", "\u{2028}x\u{2029}", "$", "$ref", "$.x",
            "$[0]", "[0]", "a.b",
            "\"", "\\", "\\n", "\\u{a}", "\"]", "]", "u{a}", "e\u{301}", "\u{301}", "\u{301}e", "\u{345}", "\u{345}a",
            "a\u{345}",
            "\u{93E}", "\u{FE0F}", "\u{200D}", "\u{202E}abc", "👩‍👩‍👧", "🇩🇪", "\u{1F1E9}", "\u{E9}", "größe", "名前", "1st",
            "_", "\u{FEFF}",
            "\u{10FFFF}", "\u{E000}", "*", "@odata.type", "items[]",
        ]
    )
    func keysAreReadBack(key: String) throws {
        try expectRoundTrip([.key(key)])
        try expectRoundTrip([.key("a"), .key(key), .key("b")])
        try expectRoundTrip([.index(0), .key(key), .index(12)])
        try expectRoundTrip([.key(key), .key(key)])
    }

    @Test("random keys are read back from the path's text", arguments: 0..<50 as Range<UInt64>)
    func randomKeysAreReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let favourites = "\"\\[].$u{}019aé \n\r\u{301}\u{345}\u{200D}\u{2028}".unicodeScalars.map(\.self)
        for _ in 0..<100 {
            let components = (0..<random.next(below: 4))
                .map { _ -> JsonPath.Component in
                    if random.next(below: 4) == 0 { return .index(random.next(below: 1000)) }
                    var key = String.UnicodeScalarView()
                    for _ in 0..<random.next(below: 6) {
                        let any = Unicode.Scalar(UInt32(random.next(below: 0x11_0000)))
                        let scalar = random.next(below: 2) == 0 ? favourites.randomElement(using: &random) : any
                        if let scalar { key.append(scalar) }
                    }
                    return .key(String(key))
                }
            try expectRoundTrip(JsonPath(components), "seed \(seed)")
        }
    }

    @Test(
        "a dollar before a name is a part of the key",
        arguments: [
            ("$", .root), ("", .root), ("$.a", [.key("a")]), ("$ref", [.key("$ref")]),
            ("$ref.a", [.key("$ref"), .key("a")]),
            ("$$", [.key("$$")]), ("a.$ref", [.key("a"), .key("$ref")]), ("$.$ref[1]", [.key("$ref"), .index(1)]),
            (#"["new\u{a}line"]"#, [.key("new\nline")]),
        ] as [(String, JsonPath)]
    )
    func dollars(text: String, path: JsonPath) {
        #expect(JsonPath(text) == path)
    }

    @Test(
        "a text that is no path",
        arguments: [
            ".", "a..b", "a.", "[", "[]", "[x]", "[1", "[-1]", "[99999999999999999999]", "]", "a]", #"["a"#, #"["a""#,
            #"["a"x"#,
            #"["\x"]"#, #"["\u{}"]"#, #"["\u{d800}"]"#, #"["\u{110000}"]"#, #"["\u{a"]"#, #"["\ua"]"#, "[１]",
        ]
    )
    func noPaths(text: String) {
        #expect(JsonPath(text) == nil)
    }
}
