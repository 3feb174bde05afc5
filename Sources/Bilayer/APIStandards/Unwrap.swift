/// A node that removes the envelope from a response, and throws the failure that the envelope describes.
///
/// ```swift
/// var client = client
/// client.raw.append(Unwrap("data"))            // {"status":"success","data":[…]} -> […]
/// ```
/// Add the node to a client if all its routes have the envelope, or to a single route. Mapping errors have paths from
/// the root of the response: `$.data[3].name`. A failure ends the call: the underlying error of its ``CallError`` is a
/// ``StatusError`` with the response's status and a ``ServiceFailure``.
public struct Unwrap: Node {
    private let path: String
    private let status: String
    private let failures: Set<String>

    /// Makes the node.
    /// - Parameters:
    ///   - path: The path of the value in the envelope.
    ///   - status: The key of the member that says whether the call failed.
    ///   - failures: The strings of this member that mean a failure. The JSON value `false` means a failure, too.
    public init(_ path: String, status: String = "status", failures: Set<String> = ["error", "fail", "failure"]) {
        self.path = path
        self.status = status
        self.failures = failures
    }

    /// Returns the value in the envelope, or throws the failure.
    /// - Returns: The value at the path.
    /// - Throws: ``StatusError`` with a ``ServiceFailure`` if the envelope describes a failure. ``MappingError`` if the
    ///   envelope is no object or has no value at the path, or if the failure has another form.
    public func process(_ json: Json, in context: CallContext) async throws -> Json {
        try locating(at: nil, owner: "Unwrap") { try json.requireObject() }
        if let word = json[status], word.bool == false || word.string.map(failures.contains) ?? false {
            throw StatusError(
                context.receivedResponse?.status ?? 200,
                failure: try ServiceFailure.from(raw: json)
            )
        }
        return try locating(at: nil, owner: "Unwrap") { try json.decode(path: path) }
    }
}

extension Unwrap: Redacted {}
