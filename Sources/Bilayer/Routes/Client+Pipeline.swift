/// The pipeline of a client's call: four stages with erased types.
public typealias CallPipeline<Entry, Response> = Pipeline<
    AnyNode<Void, HTTPRequest>, AnyNode<HTTPRequest, HTTPResponse>, AnyNode<HTTPResponse, Entry>,
    AnyNode<Entry, Response>
>

typealias TypedCallPipeline<Entry: Sendable, Response: Sendable> = Pipeline<
    EncodeCall, AnyNode<HTTPRequest, HTTPResponse>, ReadAnswer<Entry>, ConvertAnswer<Entry, Response>
>

extension Client {
    /// The four stages of a route's call, to print them or to replace one for one call.
    ///
    /// ```swift
    /// let pipeline = client.pipeline(for: .users)
    /// print(pipeline)
    /// let offline = pipeline.replacing(transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) })
    /// let users = try await offline.process()
    /// ```
    /// - Parameter route: An endpoint of both layers.
    /// - Returns: The stages.
    public func pipeline<Response>(for route: Route<Response>) -> CallPipeline<Response.DTO, Response>
    where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
        let stages = route.stages as? TypedStages<Response.DTO, Response>
        return pipeline(for: route, through: stages ?? .unavailable(for: route.endpoint))
    }

    /// The four stages of a route's call, to print them or to replace one for one call.
    /// - Parameter route: An endpoint of one layer or none; the DTO conversion is the identity.
    /// - Returns: The stages.
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
        return CallPipeline(
            requestEncoding: AnyNode(typed.requestEncoding),
            transport: typed.transport,
            rawMapping: AnyNode(typed.rawMapping),
            dtoConversion: AnyNode(typed.dtoConversion)
        )
    }

    /// The stages of a call, with their types.
    func typedPipeline<Stages: ResponseStages>(
        for route: Route<Stages.Response>,
        through stages: Stages
    ) -> TypedCallPipeline<Stages.Entry, Stages.Response> {
        TypedCallPipeline(
            requestEncoding: requestEncoding(of: route, accepting: stages.rawMapping.mediaType),
            transport: transport,
            rawMapping: ReadAnswer(
                check: checkStatus(of: route),
                reading: stages.rawMapping,
                raw: RawNodes(client: raw, route: route.raw),
                client: entry,
                route: stages.entry
            ),
            dtoConversion: ConvertAnswer(conversion: stages.dtoConversion, client: model, route: stages.model)
        )
    }

    private func requestEncoding<Response>(of route: Route<Response>, accepting mediaType: String?) -> EncodeCall {
        var headers = headers.replacing(with: route.headers)
        if let mediaType, headers[.accept] == nil { headers.append(mediaType, for: .accept) }
        let timeout = route.timeout ?? timeout
        let build = BuildRequest(route.endpoint, baseURL: baseURL, headers: headers, timeout: timeout)
        return EncodeCall(body: route.body, build: build, route: route.request, client: request)
    }

    private func checkStatus<Response>(of route: Route<Response>) -> CheckStatus {
        route.failure.map { CheckStatus(failure: $0) } ?? CheckStatus()
    }
}
