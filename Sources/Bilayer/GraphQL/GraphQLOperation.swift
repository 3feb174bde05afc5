/// An operation of GraphQL as a value: its document, its variables, and the entry of its response.
///
/// Write one for each operation, or let a generator do it. A route makes the call, so the result's type is bound to the
/// operation at compile time:
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
/// A variable that may be absent, `null` or a value is a ``Field``. A file is a ``GraphQLFile``. Formats of scalars are
/// those of the client (``CodingConventions``), or types of their own (``CustomScalar``).
public protocol GraphQLOperation: Sendable {
    /// The variables, written as an object.
    associatedtype Variables: RawEncodable & Sendable = NoVariables where Variables.Raw == Json
    /// The entry of the response's `data`.
    associatedtype Data: RawDecodable & Sendable where Data.Raw == Json

    /// The text of the operation with its fragments.
    static var document: String { get }
    /// The name of the operation in the document; by default that of the first one.
    static var name: String? { get }
    /// Query, mutation or subscription; by default the kind of the first operation of the document.
    static var kind: GraphQLOperationKind { get }
    /// The path of the server's endpoint below the client's base address; `graphql` by default.
    static var path: String { get }

    /// The variables.
    var variables: Variables { get }
    /// The `extensions` of the request; none by default.
    var extensions: [String: Json] { get }
}

extension GraphQLOperation {
    /// The name of the document's first operation.
    public static var name: String? { OperationHead(of: document).name }
    /// The kind of the document's first operation.
    public static var kind: GraphQLOperationKind { OperationHead(of: document).kind }
    /// `graphql`
    public static var path: String { "graphql" }
    /// No extensions.
    public var extensions: [String: Json] { [:] }
}

extension GraphQLOperation where Variables == NoVariables {
    /// An operation without variables.
    public var variables: NoVariables { NoVariables() }
}

/// The variables of an operation that has none.
public struct NoVariables: Sendable, Hashable, RawEncodable {
    /// Makes the one value.
    public init() {}

    /// An empty object, which is not sent.
    public func toRaw() -> Json { [:] }
}
