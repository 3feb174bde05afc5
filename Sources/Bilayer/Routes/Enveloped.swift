/// A response together with the envelope around it: a page of models and its paging.
///
/// ```swift
/// struct SearchInfo: Codable, RawMappable, Sendable { let totalCount: Int }
///
/// extension Route where Response == Enveloped<[User], SearchInfo> {
///     static func users(named name: String) -> Route {              // {"totalCount":7,"items":[…]}
///         Route<[User]>.get("search/users", query: ["q": name]).at("items", in: SearchInfo.self)
///     }
/// }
/// let found = try await client.fetch(.users(named: "Ada"))
/// print(found.value.count, found.envelope.totalCount)
/// ```
public struct Enveloped<Value, Envelope> {
    /// The response.
    public var value: Value
    /// What is around it.
    public var envelope: Envelope

    /// Makes a value with its envelope, for tests.
    public init(_ value: Value, in envelope: Envelope) {
        self.value = value
        self.envelope = envelope
    }
}

extension Enveloped: Sendable where Value: Sendable, Envelope: Sendable {}
extension Enveloped: Equatable where Value: Equatable, Envelope: Equatable {}
extension Enveloped: Hashable where Value: Hashable, Envelope: Hashable {}

extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw == Json {
    /// Returns a route whose response is the value at a path of the JSON, together with what is around it.
    ///
    /// Paths and policies are as for `at(_:)`. The envelope is an entry, read from the whole JSON; a key that only the
    /// path reads is not unknown to it.
    /// - Parameters:
    ///   - path: Keys and indices, as ``Json/path(_:)`` reads them.
    ///   - type: The entry for the rest of the JSON: paging, counts, links.
    /// - Returns: The route, with the nodes of this one.
    public func at<Envelope: RawDecodable & Sendable>(
        _ path: String,
        in type: Envelope.Type
    ) -> Route<Enveloped<Response, Envelope>> where Envelope.Raw == Json {
        enveloped(at: path, in: type, ConvertAtPath<Response>(path: path))
    }
}

extension Route where Response: RawDecodable, Response.Raw == Json {
    /// Returns a route whose response is the entry at a path of the JSON, together with what is around it.
    /// - Parameters:
    ///   - path: Keys and indices, as ``Json/path(_:)`` reads them.
    ///   - type: The entry for the rest of the JSON.
    /// - Returns: The route, with the nodes of this one.
    @_disfavoredOverload
    public func at<Envelope: RawDecodable & Sendable>(
        _ path: String,
        in type: Envelope.Type
    ) -> Route<Enveloped<Response, Envelope>> where Envelope.Raw == Json {
        enveloped(at: path, in: type, Identity<Response>())
    }
}

extension Route {
    private func enveloped<Entry: RawDecodable & Sendable, Envelope: RawDecodable & Sendable>(
        at path: String,
        in type: Envelope.Type,
        _ conversion: some Node<Entry, Response>
    ) -> Route<Enveloped<Response, Envelope>> where Entry.Raw == Json, Envelope.Raw == Json {
        let inner = ConvertAnswer(
            conversion: conversion,
            client: PassthroughList(),
            route: stages.model
        )
        return Route<Enveloped<Response, Envelope>>(
            self,
            stages: TypedStages(
                reading: ReadEnvelope<Entry, Envelope>(
                    path: path,
                    entry: (stages as? TypedStages<Entry, Response>)?.entry
                ),
                ConvertEnveloped(conversion: inner)
            )
        )
        .refusingToSend(without: path)
    }
}

/// Parses the body, runs the app's nodes, and maps the envelope and the value at a path in it.
private struct ReadEnvelope<
    Entry: RawDecodable & Sendable,
    Envelope: RawDecodable & Sendable
>: ResponseReading, ReadsPart
where Entry.Raw == Json, Envelope.Raw == Json {
    let path: String
    /// The nodes of the route for the entry.
    let entry: NodeList<Entry>?

    var mediaType: String? { Json.mediaType }

    func read(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> Enveloped<Entry, Envelope> {
        var read = try await ParseAndMap<WholeJson>().read(response, through: nodes, in: context)
            .mapping(in: context) { json in
                let (envelope, value) = try gathering(
                    { try Envelope.read(from: json, besides: path) },
                    { try locating(at: nil, owner: typeName(Entry.self)) { try json.decode(path: path) as Entry } }
                )
                return Enveloped(value, in: envelope)
            }
        if let node = entry?.node { read.value = try await node.process(read.value, in: context) }
        return read
    }

    func stageNames(with nodes: RawNodes) -> [String] {
        ParseAndMap<Entry>().stageNames(with: nodes) + (entry?.stageNames ?? [])
    }
}

extension RawDecodable where Raw == Json {
    /// Reads an envelope. Where unknown keys are looked for, without the value at a path, which others read.
    fileprivate static func read(from json: Json, besides path: String) throws -> Self {
        let looksForKeys = (IssueLog.current?.policy.unknownKeys ?? .ignore) != .ignore
        let rest = looksForKeys ? json.removing(JsonPath(path)?.components[...] ?? []) : json
        return try locating(at: nil, owner: typeName(Self.self)) { try from(raw: rest) }
    }
}

extension Json {
    /// The value without a member that is some keys deep, and without the objects that have no other member.
    fileprivate func removing(_ path: ArraySlice<JsonPath.Component>) -> Json {
        guard case .key(let key)? = path.first, let member = self[key] else { return self }
        var rest = self
        let remaining = path.count == 1 ? .none : Optional.some(member.removing(path.dropFirst()))
        rest[key] = remaining == [:] ? .none : remaining
        return rest
    }
}

/// Converts the value in an envelope.
private struct ConvertEnveloped<Entry: Sendable, Response: Sendable, Envelope: Sendable>: Node, NodeDescribing {
    let conversion: ConvertAnswer<Entry, Response>

    func process(
        _ entry: Enveloped<Entry, Envelope>,
        in context: CallContext
    ) async throws -> Enveloped<Response, Envelope> {
        Enveloped(try await conversion.process(entry.value, in: context), in: entry.envelope)
    }

    var stageNames: [String] { conversion.stageNames }
}
