/// One model with two sources: the route that the app uses today, and the one that replaces it.
///
/// Declare it beside the routes. A ``Migrator`` decides which of them a call uses, so a screen does not change:
///
/// ```swift
/// struct Game: Hashable, Sendable { let id: Int }                             // the app's model
/// struct GameEntry: Codable, RawMappable, Sendable { let gameId: Int }        // the old server's
/// struct GameFragment: Codable, RawMappable, Sendable { let id: String }      // the new server's
///
/// extension Migration where Model == Game {
///     static func game(_ id: Int) -> Migration {
///         Migration(
///             from: .get("games/{id}", ["id": id]) { (entry: GameEntry) in Game(id: entry.gameId) },
///             to: .get("graph/games/{id}", ["id": id]) { (game: GameFragment) in
///                 try Game(id: game.id.parsed(as: .quoted, "id"))
///             })
///     }
/// }
/// ```
/// Models need not be `Equatable`: they are compared field by field (``ComparisonRules``), also those of an open class
/// with its superclasses' fields. Pass a `compare` closure for a model whose fields do not say what it is.
public struct Migration<Model: Sendable>: Sendable {
    /// The name in counts, reports and flags: that of the model, unless another was given.
    public let name: String
    /// The switch of this model; `nil` for the migrator's mode. A flag of the migrator takes precedence.
    public var mode: MigrationMode?
    /// Whether a call changes nothing on the server, so that both sources may be called. Otherwise there is no shadow
    /// call and no fallback: neither may repeat an order or a payment.
    public let isRead: Bool

    let old: @Sendable (Client) async throws -> Model
    let new: @Sendable (Client) async throws -> Model
    let compare: @Sendable (_ old: Model, _ new: Model) -> ModelDifferences
    /// The rules of the comparison; none for a closure.
    let rules: ComparisonRules

    /// Makes a migration between two routes whose models are compared field by field.
    /// - Parameters:
    ///   - old: The route that is used today, called through the migrator's old client.
    ///   - new: The route that replaces it, called through the migrator's new client.
    ///   - name: The name in counts, reports and flags; that of the model if left out.
    ///   - isRead: Whether a call changes nothing on the server. If left out, it is a read if either route's method is
    ///     GET or HEAD, or its operation a GraphQL query, and neither is a mutation, PUT, PATCH or DELETE.
    ///   - rules: What does not count as a difference.
    public init(
        from old: Route<Model>,
        to new: Route<Model>,
        named name: String? = nil,
        isRead: Bool? = nil,
        comparing rules: ComparisonRules = .exact
    ) {
        self.init(
            named: name ?? typeName(Model.self),
            isRead: isRead ?? ((old.isRead || new.isRead) && !old.isChange && !new.isChange),
            comparing: rules,
            old: { try await $0.fetch(old) },
            new: { try await $0.fetch(new) }
        )
    }

    /// Makes a migration between two routes whose models are compared by a closure.
    /// - Parameters:
    ///   - old: The route that is used today, called through the migrator's old client.
    ///   - new: The route that replaces it, called through the migrator's new client.
    ///   - name: The name in counts, reports and flags; that of the model if left out.
    ///   - isRead: Whether a call changes nothing on the server. If left out, it is a read if either route's method is
    ///     GET or HEAD, or its operation a GraphQL query, and neither is a mutation, PUT, PATCH or DELETE.
    ///   - compare: Returns the paths of the fields that differ; none if the models agree. Runs outside of the call.
    public init(
        from old: Route<Model>,
        to new: Route<Model>,
        named name: String? = nil,
        isRead: Bool? = nil,
        compare: @escaping @Sendable (_ old: Model, _ new: Model) -> [JsonPath]
    ) {
        let fetched = Migration(from: old, to: new, named: name, isRead: isRead)
        self.init(fetched.name, fetched.isRead, .exact, fetched.old, fetched.new) { old, new in
            ModelDifferences(compare(old, new).map { ModelDifference($0, .value) })
        }
    }

    /// Makes a migration between two sources that need not be routes, such as a client that a generator brings.
    ///
    /// ```swift
    /// struct Game: Sendable { let id: Int }
    /// let game = Migration<Game>(
    ///     named: "Game",
    ///     isRead: true,
    ///     old: { rest in try await rest.fetch(.get("games/7") { (id: Int) in Game(id: id) }) },
    ///     new: { _ in Game(id: 7) })                      // calls another client
    /// ```
    /// - Parameters:
    ///   - name: The name in counts, reports and flags.
    ///   - isRead: Whether a call changes nothing on the server. It cannot be derived without routes.
    ///   - rules: What does not count as a difference.
    ///   - old: Calls the source that is used today. The client is the migrator's old one.
    ///   - new: Calls the source that replaces it. The client is the migrator's new one.
    public init(
        named name: String,
        isRead: Bool,
        comparing rules: ComparisonRules = .exact,
        old: @escaping @Sendable (Client) async throws -> Model,
        new: @escaping @Sendable (Client) async throws -> Model
    ) {
        self.init(name, isRead, rules, old, new) { ModelComparer.differences($0, $1, by: rules) }
    }

    private init(
        _ name: String,
        _ isRead: Bool,
        _ rules: ComparisonRules,
        _ old: @escaping @Sendable (Client) async throws -> Model,
        _ new: @escaping @Sendable (Client) async throws -> Model,
        _ compare: @escaping @Sendable (Model, Model) -> ModelDifferences
    ) {
        self.name = name
        self.isRead = isRead
        self.old = old
        self.new = new
        self.compare = compare
        self.rules = rules
    }

    /// Returns a copy with the switch of this model.
    /// - Parameter mode: The source that calls use, instead of the migrator's mode.
    /// - Returns: The changed migration.
    public func with(mode: MigrationMode) -> Migration {
        var migration = self
        migration.mode = mode
        return migration
    }
}

extension Route {
    /// RFC 9110 §9.2.1: safe methods. Only those that return a representation can be those of a model. A GraphQL query
    /// changes nothing, by whatever method it is sent.
    fileprivate var isRead: Bool {
        endpoint.method == .get || endpoint.method == .head || options[GraphQLCall.self]?.kind == .query
    }

    /// A `POST` alone says nothing: searches and GraphQL use it, too.
    fileprivate var isChange: Bool {
        options[GraphQLCall.self]?.kind == .mutation || [.put, .patch, .delete].contains(endpoint.method)
    }
}

extension Migration: Redacted {
    /// The name: `Migration(GameInfo)`.
    public var description: String { "Migration(\(name))" }
}
