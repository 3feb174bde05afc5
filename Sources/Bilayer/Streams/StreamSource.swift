import Foundation

/// The stages of a client's call for an iteration of a stream, with their types erased.
struct StreamSource<Response: Sendable>: Sendable {
    let format: StreamFormat
    let policy: ElementPolicy
    let makeContext: @Sendable () -> CallContext
    /// Opens a connection at a position.
    let open: @Sendable (StreamPosition?, CallContext) async throws -> HTTPResponse
    /// Maps the element with this index.
    let map: @Sendable (StreamedElement, Int, HTTPResponse, CallContext) async throws -> Response
}

extension Client {
    /// Returns the source of a stream of elements that these stages map. A source makes no call by itself: each
    /// iteration opens its own connection with it.
    func streamSource<Stages: ResponseStages>(
        of route: Route<Stages.Response>,
        through stages: Stages,
        as format: StreamFormat,
        _ policy: ElementPolicy,
        makeContext: @escaping @Sendable () -> CallContext
    ) -> StreamSource<Stages.Response> {
        let call = typedPipeline(for: route, through: stages)
        let accepted = stages.rawMapping.mediaType
        let mediaType = format.mediaType ?? accepted
        // An element has the first type of the list.
        let elementType = accepted?.split(separator: ",").first.map(String.init)
        return StreamSource(
            format: format,
            policy: policy,
            makeContext: makeContext,
            open: { position, context in
                try await openStream(of: route, accepting: mediaType, in: context) { request, _ in
                    if let problem = format.problem { throw problem }
                    var request = request
                    if let id = position?.lastEventID { request.headers["Last-Event-ID"] = id }
                    return request
                } checking: { response in
                    try format.check(response)
                }
            },
            map: { element, index, head, context in
                let context = context.ofElement(at: format.path.appending(.index(index)))
                let response = head.with(body: element.body, of: format, elementType)
                return try await call.map(response, element.fault, in: context)
            }
        )
    }
}

extension Pipeline {
    /// Runs the last two stages for an element of a stream.
    /// - Parameters:
    ///   - element: The response with the element as its body.
    ///   - fault: The error of an incomplete element; `nil` for an element that is mapped.
    ///   - context: The context of the element.
    /// - Returns: The model.
    /// - Throws: ``CallError``, or `CancellationError`.
    fileprivate func map(
        _ element: HTTPResponse,
        _ fault: String?,
        in context: CallContext
    ) async throws -> Conversion.Output {
        var stage = CallStage.rawMapping
        do {
            context.recordReceived(element)
            if let fault { throw StreamFormatError(fault) }
            let dto = try await rawMapping.process(element, in: context)
            stage = .dtoConversion
            let model = try await dtoConversion.process(dto, in: context)
            context.deliverReport(of: .response)
            return model
        } catch {
            throw context.end(with: error, in: stage)
        }
    }
}

extension HTTPResponse {
    /// Returns the head with the body of an element. The media type of the format is replaced with the type of an
    /// element, or removed if every type is accepted. The charset is removed, unless the elements of the format have
    /// it. A media type whose charset stays is never removed.
    fileprivate func with(body: Data, of format: StreamFormat, _ elementType: String?) -> HTTPResponse {
        var response = self
        response.body = body
        guard let mediaType else { return response }
        let charset = mediaType.parameters["charset"]
        let essence = mediaType.essence == format.mediaType ? elementType : mediaType.essence
        if format.content == .own, let charset {
            response.headers[.contentType] = "\(essence ?? mediaType.essence); charset=\(charset)"
        } else if charset != nil || essence != mediaType.essence {
            response.headers[.contentType] = essence
        }
        return response
    }
}

extension StreamFormat {
    /// Throws for a response whose media type does not fit the content. Also throws for a 204, which has no body,
    /// unless the format is server-sent events.
    fileprivate func check(_ response: HTTPResponse) throws {
        if response.status == 204 {
            // Only this format defines a 204: there is no stream, now and later (WHATWG HTML §9.2.3).
            if case .events = content { return }
            throw StreamFormatError("found 204 without a body, expected \(mediaType ?? Json.mediaType)")
        }
        let found = response.mediaType?.essence
        let fits =
            switch content {
            case .own, .utf8: true
            case .events: found == mediaType
            // Servers announce JSON as text, as bytes, or not at all.
            case .json: found != "text/html" && found != "application/xhtml+xml"
            }
        if fits { return }
        throw StreamFormatError("found \(found ?? "no content type"), expected \(mediaType ?? Json.mediaType)")
    }
}
