import Foundation

/// The call of one page: a call of the route, of which the whole JSON and the number of elements are read, too.
struct PageCall<Response: Sendable>: Sendable {
    var client: Client
    let route: Route<Response>
    let strategy: PageStrategy
    let reporter: (any MappingReporter)?
    let mapping: MappingPolicy?
    /// The number of elements of a response.
    let count: @Sendable (Response) -> Int

    /// The call of all pages for the users now.
    func forUsersNow() -> PageCall {
        var call = self
        call.client = client.forUsersNow()
        return call
    }

    /// Fetches the page at a position.
    /// - Throws: ``PageError``, or `CancellationError`.
    @concurrent
    func page(at state: PageState) async throws -> Page<Response> {
        let route = try strategy.route(route, to: state, from: client.baseURL)
        let seen = Locked(Seen())
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
        let facts = facts(of: answer, seen.withLock { $0 })
        let next: PageState
        let isBounded: Bool
        do {
            next = try strategy.state(after: state, facts)
            isBounded = try strategy.isBounded(by: facts)
        } catch {
            throw PageError(.paging, before: state, of: route.endpoint, error)
        }
        if strategy.countsPages, !isBounded, state.lastBody == facts.body, facts.count > 0 {
            throw PageError(.repeatedPage, before: state, of: route.endpoint)
        }
        return Page(value: answer.value, number: next.pageCount, response: answer.response, next: next)
    }

    /// The facts that nodes record while the call runs.
    private struct Seen {
        var url: URL?
        /// The whole JSON, before any node.
        var document: Json?
        /// The JSON that is mapped, after all nodes.
        var mapped: Json?
    }

    /// The client with a node that sees the whole JSON, before its other nodes.
    private func watched(_ seen: Locked<Seen>) -> Client {
        var client = client
        client.raw = NodeList()
        client.raw.append { json, _ in
            seen.withLock { $0.document = json }
            return json
        }
        if let node = self.client.raw.node { client.raw.append(node) }
        return client
    }

    private func watched(_ route: Route<Response>, at state: PageState, _ seen: Locked<Seen>) -> Route<Response> {
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

    private func facts(of answer: Answer<Response>, _ seen: Seen) -> PageFacts {
        let body = answer.response?.body ?? Data()
        let list = sentList(seen.mapped)
        return PageFacts(
            // Custom stages have no raw value.
            document: seen.document ?? (try? Json(parsing: body)),
            headers: answer.response?.headers ?? [:],
            url: answer.response?.target ?? seen.url,
            count: list?.count ?? count(answer.value),
            // The members around the list may change from response to response: a time, an id of the request.
            body: stableHash(of: list?.serialized() ?? body)
        )
    }

    /// The list that is mapped, as the server sent it; `nil` if the mapped value is no list.
    private func sentList(_ mapped: Json?) -> Json? {
        let list = mapped?.value(at: route.stages.rawMapping.path ?? .root)
        return list?.kind == .array ? list : nil
    }
}

extension PageStrategy {
    /// Whether the client counts, so that a server can ignore the count.
    fileprivate var countsPages: Bool {
        switch kind {
        case .offset, .number: true
        default: false
        }
    }
}
