import Foundation

/// What an iteration of a stream calls: the stages of a client's call, with their types erased.
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
    func streamSource<Stages: ResponseStages>(
        of route: Route<Stages.Response>,
        through stages: Stages,
        as format: StreamFormat,
        _ policy: ElementPolicy,
        makeContext: @escaping @Sendable () -> CallContext
    ) -> StreamSource<Stages.Response> {
        let call = typedPipeline(for: route, through: stages)
        let mediaType = format.mediaType ?? stages.rawMapping.mediaType
        return StreamSource(
            format: format,
            policy: policy,
            makeContext: makeContext,
            open: { position, context in
                try await openStream(of: route, accepting: mediaType, in: context) { request in
                    var request = request
                    if let id = position?.lastEventID { request.headers["Last-Event-ID"] = id }
                    return request
                } checking: { response in
                    try format.check(response)
                }
            },
            map: { element, index, head, context in
                var context = context
                context.elementPath = format.path.appending(.index(index))
                return try await call.map(head.with(body: element.body), in: context)
            }
        )
    }
}

extension Pipeline {
    /// The last two stages, for an element of a stream.
    fileprivate func map(_ element: HTTPResponse, in context: CallContext) async throws -> Conversion.Output {
        var stage = CallStage.rawMapping
        do {
            context.recordReceived(element)
            let dto = try await rawMapping.process(element, in: context)
            stage = .dtoConversion
            let model = try await dtoConversion.process(dto, in: context)
            context.deliverReport(of: .response)
            return model
        } catch {
            throw fail(with: error, in: stage, of: context)
        }
    }
}

extension HTTPResponse {
    fileprivate func with(body: Data) -> HTTPResponse {
        var response = self
        response.body = body
        return response
    }
}

extension StreamFormat {
    /// Refuses a response of another media type, if the format has one that is required.
    fileprivate func check(_ response: HTTPResponse) throws {
        if let problem { throw problem }
        guard requiresMediaType, let mediaType, response.status != 204, response.mediaType?.essence != mediaType else {
            return
        }
        let found = response.mediaType?.essence ?? "no content type"
        throw StreamFormatError("found \(found), expected \(mediaType)")
    }
}
