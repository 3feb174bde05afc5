/// Several calls of JSON-RPC 2.0 in one request (§6).
///
/// ```swift
/// let batch = JSONRPCBatch([JSONRPCCall("sum", [1, 2], id: 1), JSONRPCCall("version", id: 2)])
/// let results = try await client.fetch(.jsonRPC("rpc", batch))
/// print(try results[0].get(), try results[1].get())
/// ```
public struct JSONRPCBatch: Sendable, Hashable {
    /// The calls. Each needs an id of its own. If the batch has no calls or has an id twice, the call of its route
    /// fails.
    public let calls: [JSONRPCCall]

    /// Makes a batch.
    public init(_ calls: [JSONRPCCall]) { self.calls = calls }

    /// The array of request objects, as it is sent.
    public var json: Json { Json(calls.map(\.json)) }

    /// Reads the responses to the calls. The server may send them in any order.
    /// - Parameter responses: The array of response objects, or an error for the whole batch.
    /// - Returns: The result or the error of each call, in the order of the calls. If a call has no response, its
    ///   result is the first error response whose id is `null`. The server sends `null` if it could not read the id of
    ///   a call (§5). If there is no such response, the result is a ``MappingError``.
    /// - Throws: ``JSONRPCError`` if the server failed the whole batch. ``MappingError`` if its error has another form,
    ///   if the value is not an array, or if two responses have the same id.
    public func results(in responses: Json) throws -> [Result<Json, any Error>] {
        let responses = try Self.checked(responses)
        try responses.requireArray()
        var found: [Int: (index: Int, json: Json)] = [:]
        var unassigned: (index: Int, json: Json)?
        for (index, json) in responses.elements.enumerated() {
            if let id = json["id"]?.int, found.updateValue((index, json), forKey: id) != nil {
                throw MappingError(
                    MappingIssue(
                        .invalidValue,
                        path: JsonPath([.index(index), .key("id")]),
                        expected: "one response for each id"
                    )
                )
            }
            if unassigned == nil, json["id"]?.isNull == true, json["error"]?.isNull == false {
                unassigned = (index, json)
            }
        }
        return calls.map { call in
            Result {
                guard let (index, json) = found[call.id] ?? unassigned else {
                    throw MappingError(
                        MappingIssue(.missing, expected: "a response to the call with the id \(call.id)")
                    )
                }
                do {
                    return try call.result(in: json)
                } catch let error as MappingError {
                    throw error.prefixed(by: .index(index))
                }
            }
        }
    }

    /// Checks that servers accept the batch (§6), and that its responses can be distinguished.
    /// - Throws: ``MappingError`` if the batch has no calls, or if two calls have the same id.
    func check() throws {
        if calls.isEmpty {
            throw MappingError(
                MappingIssue(.brokenRule, expected: "at least one call", found: .init(type: "array", length: 0))
            )
        }
        var ids: Set<Int> = []
        guard let index = calls.firstIndex(where: { !ids.insert($0.id).inserted }) else { return }
        throw MappingError(
            MappingIssue(
                .brokenRule,
                path: JsonPath([.index(index), .key("id")]),
                expected: "another id for each call"
            )
        )
    }

    /// Returns the responses, or throws the server's error for the whole batch.
    static func checked(_ responses: Json) throws -> Json {
        guard let error = responses["error"] else { return responses }
        throw try locating(at: .key("error"), owner: "JSONRPCError") { try JSONRPCError.from(raw: error) }
    }
}

extension JSONRPCBatch: Redacted {
    /// The number of calls: `JSONRPCBatch(2 calls)`.
    public var description: String { "JSONRPCBatch(\(calls.count) calls)" }
}
