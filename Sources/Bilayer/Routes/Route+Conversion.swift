// Conversions that belong to a route, for a model that is made from several entry types. The model needs no DTO type.

extension Route {
    /// Returns a route that converts the response with a closure.
    ///
    /// Choose it for a model that several endpoints send in different forms. The method also works for a route with a
    /// body:
    ///
    /// ```swift
    /// struct Game: Sendable { let id: Int }
    /// struct GameEntry: Codable, RawMappable, Sendable { let gameId: Int? }
    ///
    /// extension Route where Response == Game {
    ///     static func add(_ game: GameEntry) -> Route {
    ///         Route<GameEntry>.post("games", body: game).converting { try Game(id: $0.gameId.require("gameId")) }
    ///     }
    /// }
    /// ```
    /// The closure is the DTO conversion of the call: policies, reports and paths are as for ``DTODecodable``. The new
    /// route keeps the nodes of this route.
    /// - Parameter conversion: Makes the new route's response from this route's response.
    /// - Returns: The new route.
    public func converting<Model: Sendable>(
        _ conversion: @escaping @Sendable (Response) throws -> Model
    ) -> Route<Model> {
        converting(stages, conversion)
    }

    private func converting<Stages: ResponseStages, Model: Sendable>(
        _ stages: Stages,
        _ conversion: @escaping @Sendable (Response) throws -> Model
    ) -> Route<Model> where Stages.Response == Response {
        let inner = ConvertResponse(conversion: stages.dtoConversion, client: PassthroughList(), route: stages.model)
        let convert = ConvertBy(inner: inner, conversion: conversion)
        var new = TypedStages<Stages.Entry, Model>(reading: stages.rawMapping, convert)
        new.entry = stages.entry
        return Route<Model>(self, stages: new)
    }
}

/// Runs a route's conversion, and then a closure that converts its response.
private struct ConvertBy<Entry: Sendable, Value: Sendable, Model: Sendable>: Node, NodeDescribing {
    let inner: ConvertResponse<Entry, Value>
    let conversion: @Sendable (Value) throws -> Model

    func process(_ entry: Entry, in context: CallContext) async throws -> Model {
        try await convert(inner.process(entry, in: context), in: context)
    }

    @concurrent
    private func convert(_ value: Value, in context: CallContext) async throws -> Model {
        try context.mappingResponse {
            try locating(at: nil, owner: "\(typeName(Value.self)) -> \(typeName(Model.self))") {
                try conversion(value)
            }
        }
    }

    var stageNames: [String] { inner.stageNames + ["Convert<\(typeName(Model.self))>"] }
}

// MARK: - Routes without a body

extension Route {
    /// Makes a `GET` route with a closure that makes the response from an entry.
    ///
    /// ```swift
    /// struct Game: Sendable { let id: Int }
    /// struct GameEntry: Codable, RawMappable, Sendable { let gameId: Int? }
    ///
    /// extension Route where Response == Game {
    ///     static func game(_ id: Int) -> Route {
    ///         .get("games/{id}", ["id": id]) { (entry: GameEntry) in try Game(id: entry.gameId.require("gameId")) }
    ///     }
    /// }
    /// ```
    /// Errors and issues of the closure have paths of the response, as in ``DTODecodable/from(dto:)``. See
    /// ``converting(_:)`` for a route with a body, and ``at(_:)`` for an entry at a path of the JSON.
    /// - Parameters:
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone.
    ///   - conversion: Makes the model from the entry.
    /// - Returns: The route.
    public static func get<Entry: RawDecodable & Sendable>(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        _ conversion: @escaping @Sendable (Entry) throws -> Response
    ) -> Route where Entry.Raw: RawBody {
        method(.get, path, arguments, query: query, headers: headers, conversion)
    }

    /// Makes a route of any method, with a closure that makes the response from an entry:
    /// `.method(.post, "games/{id}/close") { … }`.
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone.
    ///   - conversion: Makes the model from the entry.
    /// - Returns: The route.
    public static func method<Entry: RawDecodable & Sendable>(
        _ method: HTTPMethod,
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        _ conversion: @escaping @Sendable (Entry) throws -> Response
    ) -> Route where Entry.Raw: RawBody {
        let stages = TypedStages<Entry, Entry>.oneLayer()
        let endpoint = Endpoint(method, path, arguments: arguments, query: query)
        return Route<Entry>(endpoint, headers: headers, body: nil, stages: stages).converting(conversion)
    }
}
