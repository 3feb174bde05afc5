/// A call of JSON-RPC 2.0: the name of a method, its parameters, and an id.
///
/// ```swift
/// extension Route where Response == Int {
///     static func difference(_ one: Int, _ other: Int) -> Route {
///         .jsonRPC("rpc", JSONRPCCall("subtract", [Json(one), Json(other)]))
///     }
/// }
/// ```
public struct JSONRPCCall: Sendable, Hashable {
    /// The name of the method.
    public let method: String
    /// The parameters: an array, an object, or `nil` for none.
    public let parameters: Json?
    /// The id. The response repeats it, so that each response of a batch can be assigned to its call.
    public let id: Int

    /// Makes a call.
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - parameters: An array, an object, or `nil` for none.
    ///   - id: The id. The calls of a batch need different ids.
    public init(_ method: String, _ parameters: Json? = nil, id: Int = 1) {
        self.method = method
        self.parameters = parameters
        self.id = id
    }

    /// The request object, as it is sent (§4).
    public var json: Json {
        var json: Json = ["jsonrpc": "2.0", "method": Json(method)]
        if let parameters { json["params"] = parameters }
        json["id"] = Json(id)
        return json
    }

    /// Returns the result in the response object of this call (§5).
    /// - Parameter response: The response object.
    /// - Returns: The result.
    /// - Throws: ``JSONRPCError`` if the server returned an error. ``MappingError`` if the value is not a response
    ///   object, or if it is the response to another call.
    public func result(in response: Json) throws -> Json {
        let owner = typeName(Self.self)
        try locating(at: nil, owner: owner) { try response.requireObject() }
        guard response["jsonrpc"]?.string == "2.0" else {
            throw MappingError(
                MappingIssue(.invalidValue, path: [.key("jsonrpc")], expected: "the version 2.0", owner: owner)
            )
        }
        // An error is accepted with any id: its id is null if the server could not read the id of the request.
        if let error = response["error"], !error.isNull {
            throw try locating(at: .key("error"), owner: "JSONRPCError") { try JSONRPCError.from(raw: error) }
        }
        guard response["id"]?.int == id else {
            throw MappingError(
                MappingIssue(.invalidValue, path: [.key("id")], expected: "the id of the request", owner: owner)
            )
        }
        return try locating(at: nil, owner: owner) { try response.decode("result") }
    }
}

extension JSONRPCCall: Redacted {
    /// The id: `JSONRPCCall(1)`.
    public var description: String { "JSONRPCCall(\(id))" }
}
