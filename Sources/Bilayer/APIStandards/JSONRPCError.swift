/// The error object of JSON-RPC 2.0 (§5.1).
public struct JSONRPCError: Error, Sendable, Hashable, RawDecodable {
    /// The kind of error, for example `-32601` for a method that does not exist.
    public let code: Int
    /// A short description.
    public let message: String
    /// More about the error, in a form that the server defines; `nil` if the server sent no `data`.
    public let data: Json?

    /// Reads an error object, or the error object in a response object.
    /// - Throws: ``MappingError`` if the value is not an object, or has no integer `code` or no string `message`.
    public static func from(raw: Json) throws -> JSONRPCError {
        try raw.requireObject()
        if raw["jsonrpc"] != nil, let error = raw["error"] {
            return try locating(at: .key("error")) { try from(raw: error) }
        }
        return JSONRPCError(code: try raw.decode("code"), message: try raw.decode("message"), data: raw["data"])
    }
}

extension JSONRPCError: Redacted {
    /// The code: `JSONRPCError(-32601)`.
    public var description: String { "JSONRPCError(\(code))" }
}
