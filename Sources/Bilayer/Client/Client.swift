public import Foundation

/// The app's access to a server: its address, its transport, and the settings and nodes (``Node``) of every call.
///
/// ```swift
/// let client = Client(baseURL: URL(string: "https://api.example.com/v1")!)
/// let users = try await client.fetch(.users)                       // [User], by inference
/// ```
///
/// A client is a value: copy it and change the copy, for one screen or one test.
///
/// ```swift
/// var client = client
/// client.request.append { request, _ in                            // HTTPRequest -> HTTPRequest
///     var request = request
///     request.headers[.userAgent] = "App/1"
///     return request
/// }
/// client.raw.append { json, _ in json["data"] ?? json }            // Json -> Json: unwrap an envelope
/// client.entry.append(CountEntries())                              // any entry -> the same entry
/// client.model.append(CountEntries())                              // any model -> the same model
/// ```
public struct Client: Sendable {
    /// The base address. The path of a route is appended to it.
    public var baseURL: URL
    /// The transport; wrap it to add retries, deadlines, measurements.
    public var transport: AnyNode<HTTPRequest, HTTPResponse> {
        didSet { sendsForUser = !transport.userMarks.isEmpty }
    }
    /// Whether a middleware around the transport sends requests for a user (``SendsForUser``). The user can change.
    private var sendsForUser: Bool
    /// The users for whom all calls are made. If `nil`, each call is made for the users at its start.
    private var users: Set<UserMark>?
    /// The headers of every request. A field of the route replaces the field of the same name here.
    public var headers: HTTPHeaders = [:]
    /// The longest time that the transport waits for the next byte (``HTTPRequest/timeout``), for routes without a
    /// timeout. `nil` uses the transport's default.
    public var timeout: Duration?
    /// The clock for the waits of a call. Objects that several calls share have their own clocks, for example
    /// ``BearerTokens``, ``CircuitBreaker`` and ``RateLimit``.
    public var clock: any Clock<Duration>

    /// Receives the mapping issues and the failure of each call; `nil` disables reporting.
    public var reporter: (any MappingReporter)?
    /// Receives the events of each call: for logs, metrics and traces. With `nil`, a call makes no events except notes.
    public var observer: (any CallObserver)?
    /// How strict the mapping of responses and request bodies is.
    public var mappingPolicy = MappingPolicy.standard
    /// The server's conventions for keys and formats of `Codable` entries.
    public var conventions = CodingConventions()
    /// Settings of every call for its nodes and middlewares. An option of the route replaces the option of the same
    /// type here.
    public var options = CallOptions()

    /// Decodes the bodies of failed responses (`failing(with:)`).
    var failure: AnyNode<HTTPResponse, any Sendable>?

    /// Nodes for every request. They run after the request nodes of the route.
    public var request = NodeList<HTTPRequest>()
    /// Nodes for the JSON of every successful response, before it is mapped. They also run for GraphQL routes, which
    /// read `data` and `errors` from the JSON that the nodes return. They do not run for a route that reads no JSON or
    /// has a custom raw mapping.
    public var raw = NodeList<Json>()
    /// Nodes for entries of every type, before they are converted.
    public var entry = PassthroughList()
    /// Nodes for models of every type.
    public var model = PassthroughList()

    /// Makes a client.
    /// - Parameters:
    ///   - baseURL: The base address. The path of a route is appended to it. The path and query of the base address are
    ///     kept. With an empty path, the request's address is the base address byte for byte, followed by the query
    ///     items. Only a missing path of the base address becomes `/`.
    ///   - transport: The transport.
    ///   - clock: The clock for the waits of a call.
    public init(
        baseURL: URL,
        transport: some Node<HTTPRequest, HTTPResponse> = DefaultTransport(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.baseURL = baseURL
        self.transport = AnyNode(transport)
        self.clock = clock
        sendsForUser = !self.transport.userMarks.isEmpty
    }

    /// Returns a copy of the client. All calls of the copy belong together: they are made for the users at this moment.
    /// Code that makes several calls, or makes its call later, calls this function before it leaves the caller's actor,
    /// because another user may sign in after that. For a single call, ``context(for:reporter:mapping:)`` records the
    /// users.
    func forUsersNow() -> Client {
        guard sendsForUser, users == nil else { return self }
        var client = self
        client.users = transport.userMarks
        return client
    }

    /// Whether the transport streams responses (``Transport/streamsResponses``). If it does not, a call receives the
    /// elements of a stream, or the bytes of a download, only after the whole body. `nil` means unknown, for example
    /// for a closure.
    ///
    /// ```swift
    /// if client.streamsResponses == false { print("ask for changes every minute instead") }
    /// ```
    public var streamsResponses: Bool? { transport.streamsResponses }

    /// Makes the call of a route and returns its response.
    ///
    /// The call begins on the caller's actor, for the user of this moment. All stages and nodes run on the concurrent
    /// pool, so the call leaves the actor once and returns to it once.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The route's response.
    /// - Throws: ``CallError``, or `CancellationError` if the calling task was cancelled or a stage threw one.
    public func fetch<Response>(
        _ route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Response {
        let context = context(for: route, reporter: reporter, mapping: mapping)
        return try await process(route, through: route.stages, in: context)
    }

    /// Makes the call of a route and returns the value with the HTTP response's status and headers.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The route's response, and the HTTP response.
    /// - Throws: ``CallError``, or `CancellationError` if the calling task was cancelled or a stage threw one.
    @discardableResult
    public func send<Response>(
        _ route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Answer<Response> {
        let context = context(for: route, reporter: reporter, mapping: mapping)
        let value = try await process(route, through: route.stages, in: context)
        return Answer(value: value, response: context.receivedResponse, context: context)
    }

    /// Returns the context of a new call of a route, for a pipeline that is run by hand.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The context of a new call.
    public func context<Response>(
        for route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> CallContext {
        var context = CallContext(
            endpoint: route.endpoint,
            clock: clock,
            reporter: reporter ?? self.reporter,
            mapping: mapping ?? route.mappingPolicy ?? mappingPolicy,
            conventions: route.conventions ?? conventions,
            options: options.replacing(with: route.options),
            observer: observer
        )
        context.baseURL = baseURL
        if sendsForUser { context.recordUsers(users ?? transport.userMarks) }
        return context
    }

    /// Runs the stages of a call that has begun.
    @concurrent
    private func process<Stages: ResponseStages>(
        _ route: Route<Stages.Response>,
        through stages: Stages,
        in context: CallContext
    ) async throws -> Stages.Response {
        let pipeline = typedPipeline(for: route, through: stages)
        guard let deadline = context.options[Deadline.self] else { return try await pipeline.process((), in: context) }
        let limited = pipeline.replacing(transport: AnyNode(StoredAtDeadline(transport: pipeline.transport)))
        return try await context.withinDeadline(deadline.limit) { try await limited.process((), in: $0) }
    }
}

/// The result of a call: the route's response, and the HTTP response.
public struct Answer<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The HTTP response, with status, headers and body. `nil` only if a node of the app has sent another request in
    /// the context of this call after the response.
    public let response: HTTPResponse?
    /// The call's id.
    public var callID: UUID { context.id }
    /// The notes of the call, oldest first, and all other events if the client has an observer; at most the last 256.
    public var events: [CallEvent] { context.events }
    /// The measurements of the transport, one for each exchange; at most the last 64. A cancelled exchange may have
    /// none. Empty if the transport does not measure.
    public var transferMetrics: [TransferMetrics] { context.transferMetrics }
    private let context: CallContext

    init(value: Value, response: HTTPResponse?, context: CallContext) {
        self.value = value
        self.response = response
        self.context = context
    }
}

/// The pipeline of a client's call: four stages with erased types.
public typealias CallPipeline<Entry, Response> = Pipeline<
    AnyNode<Void, HTTPRequest>, AnyNode<HTTPRequest, HTTPResponse>, AnyNode<HTTPResponse, Entry>,
    AnyNode<Entry, Response>
>

typealias TypedCallPipeline<Entry: Sendable, Response: Sendable> = Pipeline<
    EncodeCall, AnyNode<HTTPRequest, HTTPResponse>, ReadResponse<Entry>, ConvertResponse<Entry, Response>
>

extension Client {
    /// Returns the four stages of a route's call, to print them or to replace one of them for one call.
    ///
    /// ```swift
    /// let pipeline = client.pipeline(for: .users)
    /// print(pipeline)
    /// let offline = pipeline.replacing(
    ///     transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) })
    /// let users = try await offline.process()
    /// ```
    /// - Parameter route: A route of both layers: its entry is converted to a model.
    /// - Returns: The stages. If the route reads another entry type than `Response.DTO`, a call fails with a
    ///   ``RouteError`` as the underlying error.
    public func pipeline<Response>(for route: Route<Response>) -> CallPipeline<Response.DTO, Response>
    where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
        let stages = route.stages as? TypedStages<Response.DTO, Response>
        return pipeline(for: route, through: stages ?? .unavailable(for: route.endpoint))
    }

    /// Returns the four stages of a route's call, to print them or to replace one of them for one call.
    /// - Parameter route: A route without a model, of one layer or none. Its DTO conversion returns the entry
    ///   unchanged, unless a closure converts it (``Route/converting(_:)``).
    /// - Returns: The stages. If the route reads another entry type than `Response`, a call fails with a ``RouteError``
    ///   as the underlying error.
    @_disfavoredOverload
    public func pipeline<Response>(for route: Route<Response>) -> CallPipeline<Response, Response>
    where Response: RawDecodable, Response.Raw: RawBody {
        let stages = route.stages as? TypedStages<Response, Response>
        return pipeline(for: route, through: stages ?? .unavailable(for: route.endpoint))
    }

    private func pipeline<Entry, Response>(
        for route: Route<Response>,
        through stages: TypedStages<Entry, Response>
    ) -> CallPipeline<Entry, Response> {
        let typed = typedPipeline(for: route, through: stages)
        var pipeline = CallPipeline(
            requestEncoding: AnyNode(typed.requestEncoding),
            transport: typed.transport,
            rawMapping: AnyNode(typed.rawMapping),
            dtoConversion: AnyNode(typed.dtoConversion)
        )
        pipeline.makeContext = { context(for: route) }
        return pipeline
    }

    /// Returns the stages of a call, without type erasure.
    func typedPipeline<Stages: ResponseStages>(
        for route: Route<Stages.Response>,
        through stages: Stages
    ) -> TypedCallPipeline<Stages.Entry, Stages.Response> {
        TypedCallPipeline(
            requestEncoding: requestEncoding(of: route, accepting: stages.rawMapping.mediaType),
            transport: transport,
            rawMapping: ReadResponse(
                check: check(of: route),
                reading: stages.rawMapping,
                raw: RawNodes(client: raw, route: route.raw),
                client: entry,
                route: stages.entry
            ),
            dtoConversion: ConvertResponse(
                conversion: stages.dtoConversion,
                client: model,
                route: stages.model
            )
        )
    }

    /// Returns the check of a route's response. It decodes the body of a failed response as the route declares, or else
    /// as the client declares.
    func check<Response>(of route: Route<Response>) -> CheckStatus {
        var check = route.check
        check.failure = check.failure ?? failure
        return check
    }

    func requestEncoding<Response>(of route: Route<Response>, accepting mediaType: String?) -> EncodeCall {
        var headers = headers.replacing(with: route.headers)
        if let mediaType, headers[.accept] == nil { headers.append(mediaType, for: .accept) }
        let timeout = route.timeout ?? timeout
        let build = BuildRequest(route.endpoint, baseURL: baseURL, headers: headers, timeout: timeout)
        return EncodeCall(body: route.body, build: build, route: route.request, client: request)
    }
}

extension Client: Redacted {
    /// The base address without user info and query values: `Client(https://api.example.com/v1)`.
    public var description: String { "Client(\(redactedAddress(baseURL.absoluteString)))" }
}

extension Answer: Redacted {
    /// The value's type and the response: `Array<User>: 200 OK, 18.4 kB, application/json`.
    public var description: String {
        "\(typeName(Value.self))\(response.map { ": \($0)" } ?? "")"
    }
}
