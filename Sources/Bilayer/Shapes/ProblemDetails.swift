/// A server's description of a failure: `application/problem+json` (RFC 9457).
///
/// ```swift
/// let route = Route<[User]>.get("users").failing(with: ProblemDetails.self)
/// do {
///     _ = try await client.fetch(route)
/// } catch let error as CallError {
///     print(error.failure(as: ProblemDetails.self)?.title ?? "unknown")
/// }
/// ```
/// A member of another type than the RFC's is ignored (§3.1). Read further members from ``json``.
public struct ProblemDetails: Sendable, Hashable, RawDecodable {
    /// The kind of problem, a URI reference; `about:blank` if the server names none (§3.1.1).
    public let type: String
    /// The status that the server generated (§3.1.2).
    public let status: Int?
    /// A summary of the kind of problem (§3.1.3).
    public let title: String?
    /// The description of this occurrence (§3.1.4).
    public let detail: String?
    /// The occurrence of the problem, a URI reference (§3.1.5).
    public let instance: String?
    /// All members, with those of the server's extensions (§3.2).
    public let json: Json

    /// Reads the members.
    /// - Throws: ``MappingError`` if the value is no object.
    public static func from(raw: Json) throws -> ProblemDetails {
        try raw.requireObject()
        return ProblemDetails(
            type: raw["type"]?.string ?? "about:blank",
            status: raw["status"]?.int,
            title: raw["title"]?.string,
            detail: raw["detail"]?.string,
            instance: raw["instance"]?.string,
            json: raw
        )
    }
}

extension ProblemDetails: Redacted {
    /// The type with the status: `ProblemDetails(404)`.
    public var description: String { "ProblemDetails(\(status.map(String.init) ?? "no status"))" }
}
