/// Whether the server's value always follows the stored value, in ``Client/values(of:cache:reporter:mapping:)``.
public enum CacheUpdates: Sendable, Hashable {
    /// The stored value if there is one, then the server's value in any case.
    case cacheThenNetwork
    /// The stored value if there is one, then the server's value if its status or body differs.
    case cacheThenChanges
}

/// The stored value of a route and then the server's value, as a sequence. Made by
/// ``Client/values(of:cache:reporter:mapping:)``.
///
/// The first value is the stored one, whatever its age. If no response is stored, or if the stored response has a
/// refused status or cannot be mapped, the only value is the server's. A request is sent only when the server's value
/// is requested. If the stored response has validators, the request has them, too, so an unchanged response costs a 304
/// without a body.
///
/// An error of the server's call is thrown after the stored value, which stays valid. The sequence starts no task. If
/// the loop ends, no work is left. If the task of the loop is cancelled, the call is cancelled. Without an
/// ``HTTPCache`` around the transport, the sequence has one value. If a response is stored, an observer
/// (``CallObserver``) receives the look-up as a separate call, when the look-up ends.
public struct CachedValues<Value: Sendable>: AsyncSequence, Sendable {
    /// The values.
    public typealias Element = Value

    var client: Client
    let route: Route<Value>
    let updates: CacheUpdates
    let reporter: (any MappingReporter)?
    let mapping: MappingPolicy?

    /// The iterator of the sequence. It makes at most two calls: the look-up, and the call of the server.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What the next call of ``next()`` does.
        private enum Step {
            /// Looks up the stored value.
            case stored
            /// Calls the server. The response is that of the stored value; `nil` if nothing is stored.
            case server(after: HTTPResponse?)
            /// Returns `nil`.
            case end
        }

        private let values: CachedValues
        private var step = Step.stored

        init(_ values: CachedValues) {
            var values = values
            values.client = values.client.forUsersNow()
            self.values = values
        }

        /// The next value.
        /// - Returns: The value, or `nil` after the last one.
        /// - Throws: ``CallError``, or `CancellationError` when the calling task was cancelled.
        public mutating func next() async throws -> Value? {
            if case .stored = step {
                step = .server(after: nil)
                if let answer = try await stored() {
                    // Without a cache, the app's own transport has called the server. There is no other value then.
                    step = answer.response?.cacheStatus.map { _ in .server(after: answer.response) } ?? .end
                    return answer.value
                }
            }
            guard case .server(let previous) = step else { return nil }
            step = .end
            let answer = try await call(values.client, .revalidate)
            return isChanged(answer.response, from: previous) ? answer.value : nil
        }

        /// Returns the stored value; `nil` if there is none, or if its status is refused or it cannot be mapped.
        private func stored() async throws -> Answer<Value>? {
            var client = values.client
            client.observer = client.observer.map(LookUpObserver.init)
            do {
                return try await call(client, .cacheOnly)
            } catch let error as CallError {
                if error.underlyingError is CacheMissError || error.response?.cacheStatus != nil { return nil }
                throw error
            }
        }

        private func call(_ client: Client, _ policy: CachePolicy) async throws -> Answer<Value> {
            let route = values.route.with(option: policy)
            return try await client.send(route, reporter: values.reporter, mapping: values.mapping)
        }

        private func isChanged(_ response: HTTPResponse?, from previous: HTTPResponse?) -> Bool {
            guard values.updates == .cacheThenChanges, let previous, let response else { return true }
            return response.status != previous.status || response.body != previous.body
        }
    }

    /// Makes an iterator. Each iterator makes calls of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension CachedValues: Redacted {
    /// The route: `GET users/{id} -> User?`.
    public var description: String { route.description }
}

extension CachedValues.AsyncIterator: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
