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
/// A member that has another type than the RFC defines is ignored (§3.1). Read members that the RFC does not define
/// from ``json``. Every JSON object is accepted, whatever the media type of the body. If it has none of the members,
/// ``type`` is `about:blank`, and the others are `nil`.
public struct ProblemDetails: Sendable, Hashable, RawDecodable {
    /// The kind of problem, a URI reference. It is `about:blank` if the server sends no type (§3.1.1).
    public let type: String
    /// The HTTP status that the server generated (§3.1.2).
    public let status: Int?
    /// A summary of the kind of problem (§3.1.3).
    public let title: String?
    /// The description of this occurrence (§3.1.4).
    public let detail: String?
    /// The URI reference that identifies this occurrence (§3.1.5).
    public let instance: String?
    /// All members, including the server's extensions (§3.2).
    public let json: Json

    /// Reads the members.
    /// - Throws: ``MappingError`` if the value is not an object.
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
    /// The HTTP status: `ProblemDetails(404)`.
    public var description: String { "ProblemDetails(\(status.map(String.init) ?? "no status"))" }
}
