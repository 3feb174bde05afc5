import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("A GraphQL document against a schema")
struct DocumentContractTests {
    static let sdl = #"""
        """ The roots. """
        schema @link(url: "x") { query: Query mutation: Change }
        directive @key(fields: String!) repeatable on OBJECT | INTERFACE
        scalar Long @specifiedBy(url: "https://example.com/long")
        "A place."
        interface Place { name: String! }
        type City implements Place & Node @key(fields: "id") { id: ID!, name: String!, mayor: String }
        type Park implements Place { name: String!, area(unit: Unit = METER): Float! }
        interface Node { id: ID! }
        union Found = City | Park
        enum Unit { METER, "Obsolete." FOOT @deprecated(reason: "Use METER") }
        input Range { from: Int = 0, to: Int!, unit: Unit, inner: [Range!] }
        directive @once(a: Int) on FIELD
        directive @often repeatable on FIELD
        input By @oneOf { id: ID, name: String }
        type Query {
          city(id: ID!): City
          cities(ids: [ID!], range: Range): [City!]!
          found(text: String): [Found]
          one(by: By): City
          count: Long!
          unit: Unit!
        }
        extend type Query { place: Place }
        type Change { rename(id: ID!, name: String!): City! }
        """#

    static let schema = Result { try GraphQLSchema(sdl: sdl) }

    func problems(in text: String, variables: Json = [:]) throws -> [String] {
        let document = try GraphQLDocument(text)
        var checker = DocumentChecker(try #require(document.operations.first), in: document, try Self.schema.get())
        checker.checkDocument()
        checker.checkVariables(variables)
        return checker.problems.map(\.description)
    }

    @Test(
        "a document that the schema allows has no problems",
        arguments: [
            "{ count }",
            "query A { __typename city(id: 7) { id who: mayor ...C } } fragment C on City { name __typename }",
            "{ found { ... on City { x: name } ... on Park { x: name } } }",
            "{ count @often @often @own @own one(by: { id: 7 }) { id } }",
            "query($a: ID! = 7) { one(by: { id: $a }) { id } }",
            "{ found { ... on City { p: __typename } ... on Park { p: name } } }",
            "{ city(id: 1) { id } ...A ...B } fragment A on Query { city(id: 1) { name } } fragment B on Query { count }",
            #"{ cities(range: { to: -0 }) { id } found(text: "\u00e9\u{1F600}\n\"") { __typename } }"#,
            "{ cities(ids: [1], range: { to: 2 }) { id } cities(range: { to: 2 }, ids: [1]) { id } }",
            "query($c: Boolean = true) @include(if: $c) { count }",
            "query($c: Boolean = true) { place { ...P @skip(if: $c) } } fragment P on Place { name }",
            "query($c: Boolean = true) { place { ... @include(if: $c) { name } } }",
            "query($c: Boolean = true) @own(x: $c) { count @own }",
            "\"Counts.\" query # how many\r Count { count }",
            "{ place { name ... on City { mayor } ...P } } fragment P on Park { area(unit: FOOT) }",
            "{ found(text: \"x\") { ... on Place { name } ... on City { id } ... @include(if: true) { __typename } } }",
            "{ cities(ids: [1, \"2\"], range: { to: 3, unit: METER, inner: [{ to: 1 }] }) { id } }",
            "{ cities(ids: \"one\") { id } }",
            "# only this\nmutation { rename(id: \"\"\"7 \"\" \\\"\"\" \"\"\", name: \"a\\\"b\") { id } }",
            "{ city(id: 7) { mayor @skip(if: false) } }",
        ]
    )
    func aRightDocument(text: String) throws {
        #expect(try problems(in: text) == [])
    }

    @Test(
        "what a server would refuse",
        arguments: [
            ("{ cite { id } }", "cite   line 1: Query has no field cite"),
            ("{\n  city(id: 7) {\n nam } }", "city.nam   line 3: City has no field nam"),
            ("{ __schema { types { name } } }", "__schema   line 1: introspection is not known to this check"),
            ("{ place { mayor } }", "place.mayor   line 1: Place has no field mayor"),
            ("{ city(id: 7) }", "city   line 1: City needs a selection of its fields"),
            ("{ count { x } }", "count   line 1: Long has no fields to select"),
            ("{ city { id } }", "city   line 1: the argument id (ID!) is missing"),
            ("{ city(id: null) { id } }", "city(id)   found null, expected ID!"),
            ("{ city(id: true) { id } }", "city(id)   found a Boolean value, expected ID"),
            ("{ city(id: 7, x: 1) { id } }", "city   line 1: city has no argument x"),
            ("{ cities(range: { from: 1 }) { id } }", "cities(range).to   is missing (Int!)"),
            (
                "{ cities(range: { to: 1, unit: INCH }) { id } }",
                "cities(range).unit   found another name, expected Unit: METER, FOOT"
            ),
            ("{ cities(range: { to: 3000000000 }) { id } }", "cities(range).to   found a number, expected Int"),
            ("{ cities(range: { to: 1, x: 1 }) { id } }", "cities(range).x   Range has no field x"),
            ("{ cities(range: 1) { id } }", "cities(range)   found a number, expected an object of Range"),
            (
                "{ place { ... on Found { __typename } ... on Change { __typename } } }",
                "place   line 1: a Place is never a Change"
            ),
            ("{ place { ... on Nothing { id } } }", "place   line 1: the schema has no type Nothing"),
            ("{ place { ...None } }", "place   line 1: the document has no fragment None"),
            ("{ place { ...A } } fragment A on Place { ...A }", "place   line 1: the fragment A contains itself"),
            ("query { ...A } fragment A on Query { ...A }", "$   line 1: the fragment A contains itself"),
            ("{ ...None }", "$   line 1: the document has no fragment None"),
            ("{ ... on Nothing { id } }", "$   line 1: the schema has no type Nothing"),
            ("{ ... on City { id } }", "$   line 1: a Query is never a City"),
            ("{ ... @include { count } }", "$   @include needs the argument if"),
            ("{ ... @skip(if: 1) { count } }", "$@skip   found a number, expected Boolean"),
            ("subscription { x }", "$   the schema has no subscription"),
            ("query($a: ID!) { count }", "$a   is declared and not used"),
            ("{ city(id: $a) { id } }", "$a   is used and not declared"),
            ("query($a: Nothing) { city(id: $a) { id } }", "city(id)   found $a of type Nothing, expected ID!"),
            ("query($a: ID) { city(id: $a) { id } }", "city(id)   found $a of type ID, expected ID!"),
            ("query($a: [ID]) { cities(ids: $a) { id } }", "cities(ids)   found $a of type [ID], expected [ID!]"),
            ("{ count } fragment F on City { id }", "$   the fragment F is not used"),
            (
                "{ count ...F } fragment F on Query { count } fragment F on Query { unit }",
                "$   the fragment F is there more than once"
            ),
            ("query A { count } query A { unit }", "$   the operation A is there more than once"),
            ("{ count } query A { unit }", "$   an operation without a name is not the only one"),
            ("query($a: ID!, $a: ID!) { city(id: $a) { id } }", "$a   is declared more than once"),
            ("{ city(id: 1, id: 2) { id } }", "city   line 1: the argument id is there more than once"),
            ("{ cities(range: { to: 1, to: 2 }) { id } }", "cities(range).to   is there more than once"),
            ("{ count @include }", "count   @include needs the argument if"),
            ("{ count @skip(if: 1) }", "count@skip   found a number, expected Boolean"),
            (
                "query($a: ID!) { city(id: $a) @skip(if: $a) { id } }",
                "city@skip   found $a of type ID!, expected Boolean!"
            ),
            ("query($a: ID = true) { city(id: $a) { id } }", "$a   found a Boolean value, expected ID"),
            ("query($a: ID = null) { city(id: $a) { id } }", "city(id)   found $a of type ID, expected ID!"),
            (
                "{ cities(range: { to: 1, unit: \"FOOT\" }) { id } }",
                "cities(range).unit   found a string, expected Unit: METER, FOOT"
            ),
            (
                "{ city(id: 1) { id } city(id: 2) { id } }",
                "city   line 1: is another field, or has other arguments, than before"
            ),
            (
                "{ place { name ... on City { name: mayor } } }",
                "place.name   line 1: is another field, or has other arguments, than before"
            ),
            (
                "{ found { ... on City { x: mayor } ... on Park { x: name } } }",
                "found.x   line 1: is String!, and String elsewhere; give it an alias"
            ),
            (
                "{ found {\n... on City { x: id }\n... on Park { x: area } } }",
                "found.x   line 3: is Float!, and ID! elsewhere; give it an alias"
            ),
            (
                "{ city(id: 1) { id } ...A } fragment A on Query { city(id: 1) { id: name } }",
                "city.id   line 1: is another field, or has other arguments, than before"
            ),
            (
                "{ ...A ...B } fragment A on Query { p: cities { id } } fragment B on Query { p: city(id: 1) { id } }",
                "p   line 1: is another field, or has other arguments, than before"
            ),
            ("{ one(by: {}) { id } }", "one(by)   found 0 fields, expected exactly one of By"),
            ("{ one(by: { id: 1, name: \"a\" }) { id } }", "one(by)   found 2 fields, expected exactly one of By"),
            ("{ one(by: { id: null }) { id } }", "one(by).id   found null, expected ID!"),
            ("query($a: ID) { one(by: { id: $a }) { id } }", "one(by).id   found $a of type ID, expected ID!"),
            ("{ count @once @once(a: 1) }", "count   @once is there more than once"),
            ("{ count @skip(if: true) @skip(if: false) }", "count   @skip is there more than once"),
            ("query @include(if: true) @include(if: true) { count }", "$   @include is there more than once"),
        ]
    )
    func aWrongDocument(text: String, problem: String) throws {
        let found = try problems(in: text, variables: ["a": "7"])
        #expect(found.first == problem, "\(found)")
    }

    @Test func fragmentsInEachOtherAreBounded() throws {
        let chain = (0..<5_000).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }.joined(separator: " ")
        let found = try problems(in: "{ ...F0 } \(chain) fragment F5000 on Query { count }")
        #expect(found.contains("$   line 1: there are more than 100 fragments in each other"), "\(found)")
    }

    /// There are 2^60 ways through the fragments.
    @Test func aFragmentThatIsSpreadTwiceIsReadOnce() throws {
        let doubled = (0..<60).map { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }.joined(separator: " ")
        let text = "{ ...F0 } \(doubled) fragment F60 on Query { count }"
        #expect(try problems(in: text) == [])
        let document = try GraphQLDocument(text)
        var shaper = ResponseShaper(schema: try Self.schema.get(), document: document, scalars: ["Long": 7])
        let selections = try #require(document.operations.first).selections
        #expect(shaper.shape(of: selections, on: "Query").base["count"] == 7)
    }

    @Test func aVariableWithADefaultMayStandForOneThatIsNotNull() throws {
        #expect(try problems(in: "query($a: ID = 7) { city(id: $a) { id } }") == [])
    }

    @Test func aVariableOfOneOfHasOneField() throws {
        let text = "query($by: By!) { one(by: $by) { id } }"
        #expect(try problems(in: text, variables: ["by": ["id": "7"]]) == [])
        let expected = "$by   found 2 fields, expected exactly one of By"
        #expect(try problems(in: text, variables: ["by": ["id": "7", "name": "a"]]) == [expected])
        #expect(try problems(in: text, variables: ["by": ["id": nil]]) == ["$by.id   found null, expected ID!"])
    }

    /// Each fragment has two fields, and each field spreads the next fragment: there are 2^40 ways through the
    /// fragments.
    @Test func fragmentsInFieldsOfFragmentsAreBounded() throws {
        let sdl = "type Query { a: Query b: Query n: Int }"
        let doubled = (0..<40).map { "fragment F\($0) on Query { a { ...F\($0 + 1) } b { ...F\($0 + 1) } }" }
            .joined(separator: " ")
        let document = try GraphQLDocument("{ ...F0 } \(doubled) fragment F40 on Query { n }")
        var checker = DocumentChecker(document.operations[0], in: document, try GraphQLSchema(sdl: sdl))
        checker.checkDocument()
        #expect(checker.problems.isEmpty)
    }

    private static let sentVariables: [(Json, [String])] = [
        (["r": ["to": 1]], []),
        ([:], ["$r   is not sent (Range!)"]),
        (["r": nil], ["$r   found null, expected Range!"]),
        (["r": ["to": "1"]], ["$r.to   found a string, expected Int"]),
        (
            ["r": ["to": 1, "unit": "FOOT", "inner": [["to": 1.5]]]],
            ["$r.inner[0].to   found a number, expected Int"]
        ),
        (["r": ["to": 1], "x": 1], ["$x   is sent and not declared"]),
    ]

    @Test("variables that are sent", arguments: sentVariables)
    func variablesThatAreSent(variables: Json, expected: [String]) throws {
        let text = "query($r: Range!, $o: String) { cities(range: $r) { id } found(text: $o) { __typename } }"
        #expect(try problems(in: text, variables: variables) == expected)
    }

    @Test(
        "a text that is not GraphQL says where",
        arguments: [
            ("{ a", "line 1: found the end, expected \"}\""),
            ("query A(\n$a: ) { a }", "line 2: found \")\", expected a name"),
            ("{ a(b: \"x) }", "line 1: found a string without an end, expected its quotation marks"),
            ("{ a ? }", "line 1: found an unknown character, expected a name or a punctuator"),
            ("{ a. }", "line 1: found an unknown character, expected a name or a punctuator"),
            ("{ é }", "line 1: found an unknown character, expected a name or a punctuator"),
            ("{ a(b: 1x) }", "line 1: found \"1x\", expected a number"),
            ("{ a(b: 0x1F) }", "line 1: found \"0x1F\", expected a number"),
            ("{ a(b: 01) }", "line 1: found \"01\", expected a number"),
            ("{ a(b: -) }", "line 1: found \"-\", expected a number"),
            ("{ a(b: 1.) }", "line 1: found \"1.\", expected a number"),
            ("{ a(b: .5) }", "line 1: found an unknown character, expected a name or a punctuator"),
            ("{ a(b: 1e) }", "line 1: found \"1e\", expected a number"),
            ("{ a(b: \"x\\\n\") }", "line 1: found an unknown escape in a string, expected one of GraphQL"),
            ("{ a(b: \"x\r\") }", "line 1: found a string without an end, expected its quotation marks"),
            ("{ a(b: \"\\q\") }", "line 1: found an unknown escape in a string, expected one of GraphQL"),
            ("{ a(b: \"\\u12\") }", "line 1: found an unknown escape in a string, expected one of GraphQL"),
            ("{ a(b: \"\"\"x\n) }", "line 1: found a string without an end, expected its quotation marks"),
            ("{ a { } }", "line 1: found \"}\", expected a field"),
            ("{ a() }", "line 1: found \")\", expected an argument"),
            ("query A() { a }", "line 1: found \")\", expected a variable"),
            ("type A { b: C }", "line 1: found \"type\", expected an operation or a fragment"),
            (String(repeating: "{a", count: 300), "line 1: found \"a\", expected at most 200 levels"),
        ]
    )
    func aTextThatIsNotGraphQL(text: String, message: String) throws {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(text) }
        #expect(error?.description == message)
    }

    @Test func aTextWithoutAnEndNeverTraps() throws {
        let text = Self.sdl + #"query A($a: [Int!]! = [1]) { a: b(c: {d: "e\"", f: $a}) @g(h: """i""") { ...J } }"#
        for count in 0..<text.utf8.count {
            let cut = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            _ = try? GraphQLSchema(sdl: cut)
            _ = try? GraphQLDocument(String(decoding: Array(text.utf8.suffix(count)), as: UTF8.self))
        }
    }
}
