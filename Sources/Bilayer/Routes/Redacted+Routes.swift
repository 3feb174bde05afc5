import Foundation

// The descriptions of a client and its routes contain no headers, no bodies and no nodes.

extension Client: Redacted {
    /// The base address without user info and query values: `Client(https://api.example.com/v1)`.
    public var description: String { "Client(\(redactedAddress(baseURL.absoluteString)))" }
}

extension Answer: Redacted {
    /// The value's type and the response: `Array<User>: 200 OK, 18.4 kB, application/json`.
    public var description: String {
        "\(typeName(Value.self))\(response.map { ": \($0)" } ?? "")"
    }
}

extension Route: Redacted {
    /// The endpoint's name and the response's type: `GET users/{id} -> User?`.
    public var description: String { "\(endpoint.name) -> \(typeName(Response.self))" }
}

extension RouteVerb: Redacted {
    /// The method and the response's type: `GET -> User?`.
    public var description: String { "\(method) -> \(typeName(Response.self))" }
}

extension CallHandle: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

#if canImport(Combine)
extension CallPublisher: Redacted {
    /// The type with its output.
    public var description: String { typeName(Self.self) }
}
#endif
