import Bilayer

/// A server's GraphQL schema. ``expectDocument(of:matches:scalars:strict:conventions:)`` checks operations against it.
///
/// ```swift
/// let schema = try GraphQLSchema(sdl: "type Query { trip(id: ID!): Trip } type Trip { id: ID!, name: String! }")
/// ```
public struct GraphQLSchema: Sendable {
    var types: [String: TypeDefinition] = [:]
    var roots: [GraphQLOperationKind: String] = [.query: "Query", .mutation: "Mutation", .subscription: "Subscription"]

    /// The known directives, and whether each is repeatable.
    var repeatableDirectives = ["include": false, "skip": false, "defer": false, "stream": false]

    struct TypeDefinition: Sendable {
        enum Kind: Sendable {
            case scalar, object, interface, union, enumeration, input
        }

        let kind: Kind
        var fields: [String: FieldDefinition] = [:]
        var inputs: [String: InputDefinition] = [:]
        /// Whether exactly one of the input's fields must be given (`@oneOf`).
        var isOneOf = false
        /// The object types that an interface or a union can be.
        var possible: [String] = []
        /// The values of an enum.
        var values: [String] = []

        var isLeaf: Bool { kind == .scalar || kind == .enumeration }
    }

    struct FieldDefinition: Sendable {
        let type: GraphQLTypeReference
        var arguments: [String: InputDefinition] = [:]
    }

    struct InputDefinition: Sendable {
        let type: GraphQLTypeReference
        let hasDefault: Bool

        var isRequired: Bool { type.isNonNull && !hasDefault }
    }

    /// The scalars that every schema has (GraphQL §3.5).
    static let builtIn: [String: TypeDefinition] = Dictionary(
        uniqueKeysWithValues: ["Int", "Float", "String", "Boolean", "ID"].map { ($0, TypeDefinition(kind: .scalar)) }
    )

    /// The field `__typename`, which every composite type has (GraphQL §4.1).
    static let typename = FieldDefinition(type: .nonNull(.named("String")))

    /// Returns the object types that a value of a type can have.
    func possibleTypes(of name: String) -> [String] {
        guard let type = types[name] else { return [] }
        return type.kind == .object ? [name] : type.possible
    }

    func field(_ name: String, of type: String) -> FieldDefinition? {
        name == "__typename" ? Self.typename : types[type]?.fields[name]
    }
}
