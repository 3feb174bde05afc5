/// A model with two sources: the route that the app uses today, and the route that replaces it.
///
/// Declare it beside the routes. A ``Migrator`` decides which source a call uses, so the app's screens do not change:
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
/// Models need not be `Equatable`. They are compared field by field (``ComparisonRules``); fields of superclasses are
/// included. If the stored fields do not describe a model completely, pass a `compare` closure.
public struct Migration<Model: Sendable>: Sendable {
    /// The name in counts, reports and flags. By default it is the name of the model.
    public let name: String
    /// The mode of this migration; `nil` uses the migrator's mode. A flag of the migrator takes precedence.
    public var mode: MigrationMode?
    /// Whether the call only reads, so that both sources can be called. A call that writes has no shadow call and no
    /// fallback, because neither may repeat an order or a payment.
    public let isRead: Bool

    let old: @Sendable (Client) async throws -> Model
    let new: @Sendable (Client) async throws -> Model
    let compare: @Sendable (_ old: Model, _ new: Model) -> ModelDifferences
    /// The rules of the comparison; ``ComparisonRules/exact`` if a closure compares the models.
    let rules: ComparisonRules

    /// Makes a migration between two routes whose models are compared field by field.
    /// - Parameters:
    ///   - old: The route that is used today, called through the migrator's old client.
    ///   - new: The route that replaces it, called through the migrator's new client.
    ///   - name: The name in counts, reports and flags; `nil` uses the name of the model.
    ///   - isRead: Whether the call only reads. With `nil`, the call is a read under two conditions. At least one route
    ///     is a GET, a HEAD or a GraphQL query. Neither route is a GraphQL mutation, a PUT, a PATCH or a DELETE.
    ///   - rules: The differences to accept.
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
    ///   - name: The name in counts, reports and flags; `nil` uses the name of the model.
    ///   - isRead: Whether the call only reads. With `nil`, the call is a read under two conditions. At least one route
    ///     is a GET, a HEAD or a GraphQL query. Neither route is a GraphQL mutation, a PUT, a PATCH or a DELETE.
    ///   - compare: Returns the paths of the fields that differ; an empty list if the models agree. The closure runs in
    ///     the shadow call, outside the app's call.
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

    /// Makes a migration between two sources that need not be routes. For example, one can be a client made by a code
    /// generator.
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
    ///   - isRead: Whether the call only reads. There is no default, because there are no routes to derive it from.
    ///   - rules: The differences to accept.
    ///   - old: Calls the source that is used today. Receives the migrator's old client.
    ///   - new: Calls the source that replaces it. Receives the migrator's new client.
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

    /// Returns a copy with a mode of its own.
    /// - Parameter mode: The mode, used instead of the migrator's mode.
    /// - Returns: The changed migration.
    public func with(mode: MigrationMode) -> Migration {
        var migration = self
        migration.mode = mode
        return migration
    }
}

extension Route {
    /// Whether the request only reads: a `GET`, a `HEAD` or a GraphQL query with any method. The other safe methods,
    /// `OPTIONS` and `TRACE` (RFC 9110 §9.2.1), do not read the resource.
    fileprivate var isRead: Bool {
        endpoint.method == .get || endpoint.method == .head || options[GraphQLCall.self]?.kind == .query
    }

    /// Whether the request certainly changes something. A `POST` does not prove it: searches and GraphQL queries use
    /// it, too.
    fileprivate var isChange: Bool {
        options[GraphQLCall.self]?.kind == .mutation || [.put, .patch, .delete].contains(endpoint.method)
    }
}

extension Migration: Redacted {
    /// The name of the migration: `Migration(GameInfo)`.
    public var description: String { "Migration(\(name))" }
}
