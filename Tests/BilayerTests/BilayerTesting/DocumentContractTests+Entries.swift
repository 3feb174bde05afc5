import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// Tests of whether an entry reads the answers that the schema allows.
extension DocumentContractTests {
    private struct City: Codable, RawMappable {
        let id: String
        let name: String
    }

    private enum Found: Discriminated, Decodable {
        case city(City)
        case park

        static let discriminator = Discriminator<Found>
            .on(
                "__typename",
                ["City": { .city(try .from(raw: $0)) }, "Park": { _ in .park }]
            )
    }

    private enum Unit: String, OpenEnum, Codable { case meter = "METER" }
    private enum ClosedUnit: String, Codable { case meter = "METER" }

    @Test func anEntryThatReadsEveryAnswerPasses() throws {
        struct Right: GraphQLOperation {
            static let document = """
                query Right($id: ID!) {
                  city(id: $id) { id name mayor } found { __typename ... on City { id name } } count unit
                }
                """
            struct Variables: Codable, RawMappable { let id: String }
            struct Data: Decodable, RawDecodable {
                let city: City?
                let found: [Found?]?
                let count: Int64
                let unit: Open<Unit>
            }
            let variables = Variables(id: "7")
        }
        try expectDocument(of: Right(), matches: Self.schema.get(), scalars: ["Long": 9_007_199_254_740_993])
    }

    @Test func whatAnEntryDeniesIsFound() throws {
        struct Wrong: GraphQLOperation {
            static let document = """
                query Wrong($with: Boolean!) {
                  city(id: 7) { id name @include(if: $with) mayor } found { __typename ... on City { id name } } unit
                }
                """
            struct Variables: Codable, RawMappable { let with: Bool }
            struct Data: Decodable, RawDecodable {
                let city: Mayor
                let found: [OnlyCity]?
                let unit: ClosedUnit
            }
            struct Mayor: Codable {
                let name: String
                let mayor: String
            }
            enum OnlyCity: Discriminated, Decodable {
                case city(City)
                static let discriminator = Discriminator<OnlyCity>
                    .on(
                        "__typename",
                        ["City": { .city(try .from(raw: $0)) }]
                    )
            }
            let variables = Variables(with: true)
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Wrong(), matches: Self.schema.get())
        }
        #expect(error?.subject == "Wrong")
        #expect(
            error?.problems.map { "\($0.path) \($0.text.prefix { $0 != ":" })" } == [
                "city may be null (City)", "city.name may be left out", "city.mayor may be null (String)",
                "found[] may be null (Found)", "found[] may be a Park", "unit may be \"FOOT\"",
            ]
        )
    }

    @Test func aFieldOfAConditionalSelectionMayBeLeftOutOfOneThatIsThere() throws {
        struct Twice: GraphQLOperation {
            static let document = """
                query Twice($with: Boolean!) { cities { id } cities @include(if: $with) { name } }
                """
            struct Variables: Codable, RawMappable { let with: Bool }
            struct Data: Codable, RawMappable { let cities: [City] }
            struct City: Codable {
                let id: String
                let name: String
            }
            let variables = Variables(with: true)
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Twice(), matches: Self.schema.get())
        }
        #expect(error?.problems.map(\.path) == ["cities[].name"])
    }

    @Test func objectsOfManyTypesInsideOfEachOtherAreNotMultiplied() throws {
        let names = (0..<30).map { "T\($0)" }
        let types = names.map { "type \($0) implements Node { id: ID!, parent: Node }" }
        let sdl = "interface Node { id: ID!, parent: Node } type Query { node: Node } " + types.joined(separator: " ")
        let schema = try GraphQLSchema(sdl: sdl)
        let document = try GraphQLDocument("{ node { id parent { id parent { id parent { id parent { id } } } } } }")
        var shaper = ResponseShaper(schema: schema, document: document, scalars: [:])
        let shape = shaper.shape(of: document.operations[0].selections, on: "Query")
        let variations = shape.variations(at: "$")
        #expect(variations.count < 10_000)
        #expect(
            variations.contains { $0.path == "$.node.parent.parent.parent.parent" && $0.text.hasPrefix("may be null") }
        )
    }

    @Test func typesThatDoNotFitAreFoundAtOnce() throws {
        struct Typed: GraphQLOperation {
            static let document = "{ city(id: 7) { id name } count }"
            struct Data: Decodable, RawDecodable {
                let city: City?
                let count: String
                let more: Bool
            }
            struct City: Codable {
                let id: Int
                let name: String
            }
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Typed(), matches: Self.schema.get(), scalars: ["Long": 7])
        }
        #expect(Set(error?.problems.map(\.path) ?? []) == ["city.id", "count", "more"])
    }

    @Test func wrongTypesDoNotHideWhatMayBeNull() throws {
        struct Both: GraphQLOperation {
            static let document = "{ city(id: 7) { id name mayor } count unit }"
            struct Data: Decodable, RawDecodable {
                let city: City
                let count: String
                let unit: ClosedUnit
            }
            struct City: Codable {
                let id: Int
                let mayor: String
            }
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Both(), matches: Self.schema.get(), scalars: ["Long": 7])
        }
        #expect(
            error?.problems.map { "\($0.path) \($0.text.prefix { $0 != ":" })" } == [
                "city.id is not what the entry reads", "count is not what the entry reads", "city may be null (City)",
                "city.mayor may be null (String)", "unit may be \"FOOT\"",
            ]
        )
    }

    @Test func anOperationOfAnotherKindIsOneProblemAmongOthers() throws {
        struct Kind: GraphQLOperation {
            static let document = "mutation { rename(id: 1, name: \"a\") { ident } }"
            static let kind = GraphQLOperationKind.query
            struct Data: Decodable, RawDecodable { let rename: Int }
        }
        let error = #expect(throws: ContractError.self) { try expectDocument(of: Kind(), matches: Self.schema.get()) }
        #expect(error?.problems.map(\.path) == ["$", "rename.ident"])
    }

    @Test func anIntrospectedSchemaKnowsOneOfAndRepeatableDirectives() throws {
        let schema = try GraphQLSchema(
            introspection: [
                "__schema": [
                    "queryType": ["name": "Query"],
                    "types": [["kind": "INPUT_OBJECT", "name": "By", "isOneOf": true]],
                    "directives": [["name": "once", "isRepeatable": false], ["name": "old"]],
                ]
            ]
        )
        #expect(schema.types["By"]?.isOneOf == true)
        #expect(schema.repeatableDirectives["once"] == false)
        #expect(schema.repeatableDirectives["old"] == nil)
    }

    @Test func aScalarNeedsASample() throws {
        struct Counted: GraphQLOperation {
            static let document = "{ count }"
            struct Data: Decodable, RawDecodable { let count: Int64 }
        }
        let error = #expect(throws: ContractError.self) {
            try expectDocument(of: Counted(), matches: Self.schema.get())
        }
        #expect(error?.description.contains("Long   is a scalar without a sample in `scalars`") == true)
    }

    @Test func anIntrospectedSchemaSaysTheSame() throws {
        let introspection = """
            {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"types":[
            {"kind":"OBJECT","name":"Query","fields":[
              {"name":"city","args":[{"name":"id","defaultValue":null,
                "type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"SCALAR","name":"ID"}}}],
               "type":{"kind":"INTERFACE","name":"Place","ofType":null}},
              {"name":"unit","args":[],"type":{"kind":"ENUM","name":"Unit"}}]},
            {"kind":"INTERFACE","name":"Place","possibleTypes":[{"kind":"OBJECT","name":"City"}],
             "fields":[{"name":"name","args":[],"type":{"kind":"SCALAR","name":"String"}}]},
            {"kind":"OBJECT","name":"City","fields":[{"name":"name","args":[],"type":{"kind":"SCALAR","name":"String"}}]},
            {"kind":"ENUM","name":"Unit","enumValues":[{"name":"METER"},{"name":"FOOT"}]}]}}}
            """
        let schema = try GraphQLSchema(introspection: Json(parsing: introspection))
        struct Named: GraphQLOperation {
            static let document = "{ city(id: 7) { name } unit }"
            struct Data: Decodable, RawDecodable {
                let city: Place?
                let unit: String?
            }
            struct Place: Codable { let name: String }
        }
        let error = #expect(throws: ContractError.self) { try expectDocument(of: Named(), matches: schema) }
        #expect(error?.problems.map(\.path) == ["city.name"])
    }

    @Test func filesAreVariables() throws {
        struct Upload: GraphQLOperation {
            static let document = "mutation($files: [Upload!]!) { upload(files: $files) }"
            struct Variables: Encodable, RawEncodable { let files: [GraphQLFile] }
            struct Data: Decodable, RawDecodable { let upload: Int }
            let variables = Variables(files: [GraphQLFile(.data(Foundation.Data()), name: "a.txt")])
        }
        let schema = try GraphQLSchema(
            sdl: "scalar Upload type Query { a: Int } type Mutation { upload(files: [Upload!]!): Int! }"
        )
        try expectDocument(of: Upload(), matches: schema)
    }

    /// Each fragment has two fields, and each field spreads the next fragment: an answer would have 2^40 fields.
    @Test func answersOfTooManyFieldsAreNotMade() throws {
        struct Doubled: GraphQLOperation {
            static let document =
                "query Doubled { ...F0 } "
                + (0..<40)
                .map { "fragment F\($0) on Query { one: query { ...F\($0 + 1) } other: query { ...F\($0 + 1) } }" }
                .joined(separator: " ") + " fragment F40 on Query { count }"
            struct Data: Codable, RawMappable {}
        }
        let schema = try GraphQLSchema(sdl: "type Query { query: Query, count: Int }")
        let error = #expect(throws: ContractError.self) { try expectDocument(of: Doubled(), matches: schema) }
        #expect(
            error?.problems.map(\.description) == ["$   selects too many fields to check the entry"]
        )
    }
}
