/// A call of JSON-RPC 2.0: a method by name, its parameters, and an id.
///
/// ```swift
/// extension Route where Response == Int {
///     static func difference(_ one: Int, _ other: Int) -> Route {
///         .jsonRPC("rpc", JSONRPCCall("subtract", [Json(one), Json(other)]))
///     }
/// }
/// ```
public struct JSONRPCCall: Sendable, Hashable {
    /// The method.
    public let method: String
    /// The parameters, an array or an object; `nil` for none.
    public let parameters: Json?
    /// The id, by which a response is found in a batch.
    public let id: Int

    /// Makes a call.
    /// - Parameters:
    ///   - method: The method.
    ///   - parameters: An array or an object.
    ///   - id: The id; different for each call of a batch.
    public init(_ method: String, _ parameters: Json? = nil, id: Int = 1) {
        self.method = method
        self.parameters = parameters
        self.id = id
    }

    /// The request object (§4).
    public var json: Json {
        var json: Json = ["jsonrpc": "2.0", "method": Json(method)]
        if let parameters { json["params"] = parameters }
        json["id"] = Json(id)
        return json
    }

    /// Reads the response object to this call (§5).
    /// - Parameter response: The response object.
    /// - Returns: The result.
    /// - Throws: ``JSONRPCError`` if the server returned one; ``MappingError`` if the response is none, or belongs
    ///   to another call.
    public func result(in response: Json) throws -> Json {
        try response.requireObject()
        guard response["jsonrpc"]?.string == "2.0" else {
            throw MappingError(
                MappingIssue(.invalidValue, path: JsonPath([.key("jsonrpc")]), expected: "the version 2.0")
            )
        }
        // The id of an error is null if the server could not read that of the request.
        if let error = response["error"], !error.isNull {
            throw try locating(at: .key("error"), owner: "JSONRPCError") { try JSONRPCError.from(raw: error) }
        }
        guard response["id"]?.int == id else {
            throw MappingError(
                MappingIssue(.invalidValue, path: JsonPath([.key("id")]), expected: "the id of the request")
            )
        }
        return try response.decode("result")
    }
}

extension JSONRPCCall: Redacted {
    /// The id: `JSONRPCCall(1)`.
    public var description: String { "JSONRPCCall(\(id))" }
}
