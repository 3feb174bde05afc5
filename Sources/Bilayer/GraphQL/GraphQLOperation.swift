/// A GraphQL operation as a value: its document, its variables, and the entry of its response.
///
/// Write a type for each operation, or generate the types. A route makes the call, so the operation determines the type
/// of the result at compile time:
///
/// ```swift
/// struct TripOperation: GraphQLOperation {
///     static let document = "query Trip($id: ID!) { trip(id: $id) { id name } }"
///     struct Variables: Codable, RawMappable { let id: String; var after: Field<String> = .absent }
///     struct Data: Codable, RawMappable { let trip: TripFields? }
///     let variables: Variables
/// }
/// struct TripFields: Codable, RawMappable { let id: String; let name: String }
///
/// extension Route where Response == TripFields? {
///     static func tripFields(_ id: String) -> Route { .graphQL(TripOperation(variables: .init(id: id)), at: \.trip) }
/// }
/// let trip = try await client.fetch(.tripFields("7"))
/// ```
/// For a variable that can be absent, `null` or a value, use ``Field``. For a file, use ``GraphQLFile``. Scalars are
/// read and written in the client's formats (``CodingConventions``), or as types of their own (``CustomScalar``).
///
/// If the document has several operations, write a type for each of them, and set its `name`.
public protocol GraphQLOperation: Sendable {
    /// The type of the variables, which are written as an object.
    associatedtype Variables: RawEncodable & Sendable = NoVariables where Variables.Raw == Json
    /// The entry that the response's `data` is read as.
    associatedtype Data: RawDecodable & Sendable where Data.Raw == Json

    /// The text of the operation and its fragments.
    static var document: String { get }
    /// The name of the operation; by default the name of the first operation in the document. In a document with
    /// several operations, the name chooses the operation that is executed.
    static var name: String? { get }
    /// The kind of the operation; by default its kind in the document.
    static var kind: GraphQLOperationKind { get }
    /// The path of the server's endpoint below the client's base address; `graphql` by default.
    static var path: String { get }

    /// The variables.
    var variables: Variables { get }
    /// The `extensions` of the request; empty by default.
    var extensions: [String: Json] { get }
}

extension GraphQLOperation {
    /// The name of the first operation in the document.
    public static var name: String? { OperationHead(of: document).name }
    /// The kind that the operation with the `name` has in the document. If no operation has the name, the kind of the
    /// first operation.
    public static var kind: GraphQLOperationKind { OperationHead(of: document, named: name).kind }
    /// The default: `graphql`.
    public static var path: String { "graphql" }
    /// No extensions.
    public var extensions: [String: Json] { [:] }
}

extension GraphQLOperation where Variables == NoVariables {
    /// No variables: none are sent.
    public var variables: NoVariables { NoVariables() }
}

/// The `Variables` of a ``GraphQLOperation`` that has none.
public struct NoVariables: Sendable, Hashable, RawEncodable {
    /// Makes the value.
    public init() {}

    /// Returns an empty object, which is not sent.
    public func toRaw() -> Json { [:] }
}
