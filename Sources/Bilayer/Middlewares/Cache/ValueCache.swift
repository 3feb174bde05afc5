/// A middleware that stores the results of a stage, so that an input that did not change is not mapped again.
///
/// Choose it for large responses that are requested often, together with an ``HTTPCache`` whose stored responses the
/// server mostly confirms with 304. The middleware can surround any stage: bytes to entry, raw to entry, entry to
/// model.
///
/// ```swift
/// let known = ValueCache<HTTPResponse, HTTPResponse, [UserEntry]>(by: \.content)
/// let pipeline = client.pipeline(for: .users)
/// let remembering = pipeline.replacing(rawMapping: pipeline.rawMapping.wrapped(by: known))
/// let users = try await remembering.process()
/// ```
///
/// Use one object for one stage of one route. Errors are not stored. The mapping issues of a stored result were
/// reported when it was mapped, and are not reported again.
public final class ValueCache<Input, Key: Hashable & Sendable, Output: Sendable>: Middleware {
    /// The number of results to keep; the least recently used are removed.
    public let capacity: Int
    private let key: @Sendable (Input) -> Key
    /// The results in the order of their last use, the most recent at the end.
    private let results = Locked<[(key: Key, output: Output)]>([])

    /// Makes an empty cache.
    /// - Parameters:
    ///   - capacity: The number of results to keep.
    ///   - key: Returns the part of an input that the result depends on. For responses use ``HTTPResponse/content``.
    public init(capacity: Int = 4, by key: @escaping @Sendable (Input) -> Key) {
        self.capacity = max(capacity, 1)
        self.key = key
    }

    /// Returns the stored result, or the result of `next`.
    /// - Throws: The error of `next`.
    public func intercept(
        _ input: Input,
        in context: CallContext,
        next: some Node<Input, Output>
    ) async throws -> Output {
        let key = key(input)
        if let output = known(key) {
            context.note("value cache: hit")
            return output
        }
        let output = try await next.process(input, in: context)
        store(output, for: key)
        return output
    }

    /// Removes all results.
    public func removeAll() {
        var none: [(key: Key, output: Output)] = []
        results.withLock { swap(&$0, &none) }
    }

    private func known(_ key: Key) -> Output? {
        results.withLock { results in
            guard let index = results.firstIndex(where: { $0.key == key }) else { return nil }
            let result = results.remove(at: index)
            results.append(result)
            return result.output
        }
    }

    private func store(_ output: Output, for key: Key) {
        var forgotten: [(key: Key, output: Output)] = []
        results.withLock { results in
            forgotten = results.filter { $0.key == key }
            results.removeAll { $0.key == key }
            if results.count == capacity { forgotten.append(results.removeFirst()) }
            results.append((key, output))
        }
    }
}

extension HTTPResponse {
    /// The parts of the response that a mapping depends on: status, media type and body. Fields such as `Date` and
    /// `Age` differ in responses that are otherwise equal.
    public var content: HTTPResponse {
        var headers: HTTPHeaders = [:]
        headers[.contentType] = self.headers[.contentType]
        return HTTPResponse(status: status, headers: headers, body: body)
    }
}

extension ValueCache: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
