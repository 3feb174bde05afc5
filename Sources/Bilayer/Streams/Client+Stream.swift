extension Client {
    /// Returns the elements of a stream, each as soon as it is complete. An element is mapped through the same stages
    /// as the response of a call.
    ///
    /// ```swift
    /// let added = Route<Photo>.get("added")
    /// for try await photo in client.stream(added, as: .serverSentEvents) { print(photo) }
    /// for try await user in client.stream(Route<User>.get("users"), as: .array, onInvalid: .skip) { print(user.name) }
    /// ```
    ///
    /// The route's response is the type of an element. Policies, conventions, nodes and the reporter are those of a
    /// call; paths begin with the path of the element: `$[17].price`. If the transport streams, middlewares around it
    /// receive only the head of a 2xx response. So the time limit of a ``Deadline`` ends when the head has arrived. A
    /// cache and a deduplication pass the request on unchanged.
    ///
    /// The memory in use does not grow with the stream, because the transport waits for the reader.
    /// ``URLSessionTransport`` on Linux cannot wait, and a transport that does not stream
    /// (``Transport/streamsResponses``) receives the whole response first.
    /// - Parameters:
    ///   - route: The route to call. Its response is the type of an element.
    ///   - format: The format of the stream, from which the elements are read.
    ///   - policy: How the stream treats an element that cannot be mapped.
    ///   - reporter: Receives the issues of this stream, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping is, instead of the route's and the client's policy.
    /// - Returns: A sequence. Each iteration opens the stream.
    public func stream<Response>(
        _ route: Route<Response>,
        as format: StreamFormat,
        onInvalid policy: ElementPolicy = .fail,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> ModelStream<Response> {
        let makeContext: @Sendable () -> CallContext = { context(for: route, reporter: reporter, mapping: mapping) }
        return ModelStream(events: events(of: route, through: route.stages, as: format, policy, makeContext))
    }

    private func events<Stages: ResponseStages>(
        of route: Route<Stages.Response>,
        through stages: Stages,
        as format: StreamFormat,
        _ policy: ElementPolicy,
        _ makeContext: @escaping @Sendable () -> CallContext
    ) -> EventStream<Stages.Response> {
        EventStream(
            source: streamSource(of: route, through: stages, as: format, policy, makeContext: makeContext)
        )
    }
}
