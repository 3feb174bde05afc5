public import Bilayer

extension GraphQLSchema {
    /// Reads the response of an introspection query (GraphQL §4).
    /// - Parameter introspection: The whole response, its `data`, or the value of `__schema`.
    /// - Throws: `MappingError` with the path of a missing or invalid member.
    public init(introspection: Json) throws {
        self.init()
        let response = introspection["data"] ?? introspection
        let schema = response["__schema"] ?? response
        types = Self.builtIn
        for type in try schema.decode("types") as [IntrospectedType] { types[type.name] = type.definition }
        for directive in try schema.decodeIfPresent("directives") as [IntrospectedDirective]? ?? [] {
            repeatableDirectives[directive.name] = directive.isRepeatable ?? repeatableDirectives[directive.name]
        }
        roots = [:]
        let keys: [(GraphQLOperationKind, String)] = [
            (.query, "queryType"), (.mutation, "mutationType"), (.subscription, "subscriptionType"),
        ]
        for (kind, key) in keys { roots[kind] = schema[key]?["name"]?.string }
    }
}

private struct IntrospectedDirective: Decodable, RawDecodable {
    let name: String
    /// `nil` if the introspection query does not select it.
    let isRepeatable: Bool?
}

private struct IntrospectedType: Decodable, RawDecodable {
    let kind: String
    let name: String
    let fields: [Field]?
    let inputFields: [Input]?
    let possibleTypes: [Reference]?
    let enumValues: [Value]?
    /// `nil` if the introspection query does not select it, and for types that are not inputs.
    let isOneOf: Bool?

    struct Field: Decodable {
        let name: String
        let args: [Input]?
        let type: Reference
    }

    struct Input: Decodable {
        let name: String
        let type: Reference
        let defaultValue: String?

        var definition: GraphQLSchema.InputDefinition {
            .init(type: type.reference, hasDefault: defaultValue != nil)
        }
    }

    struct Value: Decodable { let name: String }

    /// A reference to a type. Lists and non-null types wrap other types. It is a class because it contains itself.
    final class Reference: Decodable {
        let kind: String
        let name: String?
        let ofType: Reference?

        var reference: GraphQLTypeReference {
            switch (kind, ofType) {
            case ("NON_NULL", let type?): .nonNull(type.reference)
            case ("LIST", let type?): .list(type.reference)
            default: .named(name ?? "")
            }
        }
    }

    var definition: GraphQLSchema.TypeDefinition {
        let kinds: [String: GraphQLSchema.TypeDefinition.Kind] = [
            "OBJECT": .object, "INTERFACE": .interface, "UNION": .union, "ENUM": .enumeration, "INPUT_OBJECT": .input,
        ]
        var type = GraphQLSchema.TypeDefinition(kind: kinds[kind] ?? .scalar)
        for field in fields ?? [] {
            type.fields[field.name] = .init(type: field.type.reference, arguments: definitions(field.args))
        }
        type.inputs = definitions(inputFields)
        type.isOneOf = isOneOf ?? false
        type.possible = possibleTypes?.compactMap(\.name) ?? []
        type.values = enumValues?.map(\.name) ?? []
        return type
    }

    private func definitions(_ inputs: [Input]?) -> [String: GraphQLSchema.InputDefinition] {
        Dictionary((inputs ?? []).map { ($0.name, $0.definition) }) { $1 }
    }
}
