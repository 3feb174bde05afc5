extension RouteBody {
    /// Makes a JSON body from a model, through both layers.
    ///
    /// ```swift
    /// let route = Route<Json>.put("me", body: .json(["name": "Ada"] as Json, format: .sortedKeys))
    /// ```
    /// Use this function instead of `body: value` for another layout, other conventions or another media type.
    /// - Parameters:
    ///   - value: A model.
    ///   - format: The layout, such as sorted keys.
    ///   - mediaType: The value of `Content-Type`, such as `application/vnd.api+json`.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    public static func json<Model: DTOEncodable & Sendable>(
        _ value: Model,
        format: Json.Format = .compact,
        mediaType: String = Json.mediaType,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        json(BodyValue(model: value), format, mediaType, conventions)
    }

    /// Makes a JSON body from an entry.
    /// - Parameters:
    ///   - value: An entry.
    ///   - format: The layout, such as sorted keys.
    ///   - mediaType: The value of `Content-Type`, such as `application/vnd.api+json`.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func json<Entry: RawEncodable & Sendable>(
        _ value: Entry,
        format: Json.Format = .compact,
        mediaType: String = Json.mediaType,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Entry.Raw == Json {
        json(BodyValue(entry: value), format, mediaType, conventions)
    }

    /// Makes a JSON body from a value that is only `Encodable`.
    /// - Parameters:
    ///   - value: A value.
    ///   - format: The layout, such as sorted keys.
    ///   - mediaType: The value of `Content-Type`, such as `application/vnd.api+json`.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func json<Value: Encodable & Sendable>(
        _ value: Value,
        format: Json.Format = .compact,
        mediaType: String = Json.mediaType,
        conventions: CodingConventions? = nil
    ) -> RouteBody {
        json(BodyValue(encoding: value), format, mediaType, conventions)
    }

    /// Makes a JSON body from a `Codable` entry.
    /// - Parameters:
    ///   - value: An entry.
    ///   - format: The layout, such as sorted keys.
    ///   - mediaType: The value of `Content-Type`, such as `application/vnd.api+json`.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func json<Entry: Encodable & RawEncodable & Sendable>(
        _ value: Entry,
        format: Json.Format = .compact,
        mediaType: String = Json.mediaType,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Entry.Raw == Json {
        json(BodyValue(entry: value), format, mediaType, conventions)
    }

    private static func json(
        _ value: BodyValue,
        _ format: Json.Format,
        _ mediaType: String,
        _ conventions: CodingConventions?
    ) -> RouteBody {
        RouteBody(named: "WriteJson", value, conventions) { RequestBody($0.serialized(format), mediaType: mediaType) }
    }
}
