/// The pipeline of a client's call: four stages, their insides left out.
public typealias CallPipeline<Entry, Response> = Pipeline<
    AnyNode<Void, HTTPRequest>, AnyNode<HTTPRequest, HTTPResponse>, AnyNode<HTTPResponse, Entry>,
    AnyNode<Entry, Response>
>

extension Client {
    /// The four stages that a call of a route runs through, to look at or to change for one call.
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

    /// The four stages that a call of a route runs through, to look at or to change for one call.
    /// - Parameter route: An endpoint of one layer or none; the DTO conversion is the identity.
    /// - Returns: The stages.
    @_disfavoredOverload
    public func pipeline<Response>(for route: Route<Response>) -> CallPipeline<Response, Response>
    where Response: RawDecodable, Response.Raw: RawBody {
        let stages = route.stages as? TypedStages<Response, Response>
        return pipeline(for: route, through: stages ?? .unavailable(for: route.endpoint))
    }

    func pipeline<Stages: ResponseStages>(
        for route: Route<Stages.Response>,
        through stages: Stages
    ) -> CallPipeline<Stages.Entry, Stages.Response> {
        CallPipeline(
            requestEncoding: requestEncoding(of: route, accepting: stages.mediaType),
            transport: transport,
            rawMapping: adding(
                [entry.node(for: Stages.Entry.self), stages.entry.node],
                to: AnyNode(checkStatus(of: route).then(stages.rawMapping([raw, route.raw])))
            ),
            dtoConversion: adding(
                [model.node(for: Stages.Response.self), stages.model.node],
                to: stages.dtoConversion
            )
        )
    }

    private func requestEncoding<Response>(
        of route: Route<Response>,
        accepting mediaType: String?
    ) -> AnyNode<Void, HTTPRequest> {
        var headers = headers.replacing(with: route.headers)
        if headers[.accept] == nil { headers[.accept] = mediaType }
        let body = route.body?.node ?? AnyNode(named: "NoBody") { _, _ in nil }
        let build = BuildRequest(
            route.endpoint,
            baseURL: baseURL,
            headers: headers,
            timeout: route.timeout ?? timeout
        )
        return adding([route.request.node, request.node], to: AnyNode(body.then(build)))
    }

    private func checkStatus<Response>(of route: Route<Response>) -> CheckStatus {
        route.failure.map { CheckStatus(failure: $0) } ?? CheckStatus()
    }

    private func adding<Input, Value>(
        _ nodes: [AnyNode<Value, Value>?],
        to start: AnyNode<Input, Value>
    ) -> AnyNode<Input, Value> {
        nodes.compactMap(\.self).reduce(start) { AnyNode($0.then($1)) }
    }
}

extension HTTPHeaders {
    /// These headers, with every name that `others` has taken from there.
    func replacing(with others: HTTPHeaders) -> HTTPHeaders {
        var headers = self
        for field in others { headers.remove(field.name) }
        for field in others { headers.append(field.value, for: field.name) }
        return headers
    }
}
