import Foundation

/// Makes the call of one page, and reads from its response the whole JSON and the number of elements.
struct PageCall<Response: Sendable>: Sendable {
    var client: Client
    let route: Route<Response>
    let strategy: PageStrategy
    let reporter: (any MappingReporter)?
    let mapping: MappingPolicy?
    /// Returns the number of elements of a response.
    let count: @Sendable (Response) -> Int

    /// Returns a copy that makes the calls of all pages for the users that are signed in now.
    func forUsersNow() -> PageCall {
        var call = self
        call.client = client.forUsersNow()
        return call
    }

    /// Fetches the page at a position.
    /// - Throws: ``PageError``, or `CancellationError`.
    @concurrent
    func page(at state: PageState) async throws -> Page<Response> {
        var answer: Answer<Response>?
        do {
            return try await page(at: state, &answer)
        } catch let error as PageError where error.kind.isOfResponse {
            report(error, of: answer)
            throw error
        }
    }

    private func page(at state: PageState, _ received: inout Answer<Response>?) async throws -> Page<Response> {
        let route = try strategy.route(route, to: state, from: client.baseURL)
        let seen = Locked(RecordedJson())
        let answer: Answer<Response>
        do {
            answer = try await watched(seen)
                .send(
                    watched(route, at: state, seen),
                    reporter: reporter,
                    mapping: mapping
                )
        } catch {
            throw error is CancellationError ? error : PageError(.call, before: state, of: route.endpoint, error)
        }
        received = answer
        let facts = facts(of: answer, seen.withLock { $0 })
        let next: PageState
        let isBounded: Bool
        do {
            next = try strategy.state(after: state, facts)
            isBounded = try strategy.isBounded(by: facts)
        } catch {
            throw PageError(.paging, before: state, of: route.endpoint, error)
        }
        if strategy.computesPositions, !isBounded, state.lastListHash == facts.listHash, facts.count > 0 {
            throw PageError(.repeatedPage, before: state, of: route.endpoint)
        }
        return Page(value: answer.value, number: next.pageCount, response: answer.response, next: next)
    }

    /// Reports a position that cannot be read, or that leads nowhere. The page's call has succeeded, so it has not
    /// reported it.
    /// - Parameters:
    ///   - error: The error.
    ///   - answer: The response with the position; `nil` if the position comes from the page before.
    private func report(_ error: PageError, of answer: Answer<Response>?) {
        let session = MappingSession(policy: mapping ?? route.mappingPolicy ?? client.mappingPolicy)
        let call = ReportedCall(
            id: answer?.callID ?? UUID(),
            endpoint: route.endpoint,
            response: answer?.response
        )
        (reporter ?? client.reporter)?
            .deliver(session, failure: error.underlyingError as? MappingError ?? error, subject: nil, call: call)
    }

    /// The values that the nodes of a running call record for the strategy.
    private struct RecordedJson {
        var url: URL?
        /// The whole JSON of the response, before any node changes it.
        var document: Json?
        /// The JSON after all nodes, from which the entry is mapped.
        var mapped: Json?
    }

    /// Returns the client with an additional first node, which records the whole JSON before the other nodes change it.
    private func watched(_ seen: Locked<RecordedJson>) -> Client {
        var client = client
        client.raw = NodeList()
        client.raw.append { json, _ in
            seen.withLock { $0.document = json }
            return json
        }
        if let node = self.client.raw.node { client.raw.append(node) }
        return client
    }

    /// Returns the route with one more request node and one more raw node after its other nodes. They record the
    /// address of the request and the JSON that is mapped.
    private func watched(
        _ route: Route<Response>,
        at state: PageState,
        _ seen: Locked<RecordedJson>
    ) -> Route<Response> {
        var route = route
        let number = state.pageCount + 1
        route.request.append { request, context in
            context.note("page \(number)")
            seen.withLock { $0.url = request.url }
            return request
        }
        route.raw.append { json, _ in
            seen.withLock { $0.mapped = json }
            return json
        }
        return route
    }

    /// Returns what the strategy needs from a response to find the next page.
    private func facts(of answer: Answer<Response>, _ seen: RecordedJson) -> PageFacts {
        let body = answer.response?.body ?? Data()
        let list = sentList(seen.mapped)
        return PageFacts(
            // If the route has a custom raw mapping stage, the raw nodes do not run, so no JSON was recorded.
            document: seen.document ?? (try? Json(parsing: body)),
            headers: answer.response?.headers ?? [:],
            url: answer.response?.target ?? seen.url,
            count: list?.count ?? count(answer.value),
            // Only the list is hashed: members beside it, such as a time or a request id, can change from response to
            // response.
            listHash: stableHash(of: list?.serialized() ?? body)
        )
    }

    /// Returns the JSON list that is mapped, with the elements that the mapping drops. Returns `nil` if the mapped
    /// value is no JSON list.
    private func sentList(_ mapped: Json?) -> Json? {
        let list = mapped?.value(at: route.stages.rawMapping.path ?? .root)
        return list?.kind == .array ? list : nil
    }
}

extension PageError.Kind {
    /// Whether the error is one of a response that could be mapped: of its position of the next page.
    fileprivate var isOfResponse: Bool {
        switch self {
        case .paging, .repeatedCursor, .repeatedPage, .foreignOrigin, .invalidLink: true
        case .call, .invalidPath, .foreignState: false
        }
    }
}

extension PageStrategy {
    /// Whether the client computes the position of the next page. A server can ignore such a position.
    fileprivate var computesPositions: Bool {
        switch kind {
        case .offset, .number: true
        default: false
        }
    }
}
