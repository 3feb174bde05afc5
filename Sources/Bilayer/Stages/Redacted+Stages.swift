// The descriptions of the stages are their types, that of a body is its size. They can hold credentials and payload.

extension BuildRequest: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension CheckStatus: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension RequestBody: Redacted {
    /// Size and media type: `18 B, application/json`.
    public var description: String {
        "\(content), \(MediaType(mediaType)?.essence ?? "no media type")"
    }
}
