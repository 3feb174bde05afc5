/// A response and the envelope around it, such as a page of models and its paging.
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
    /// The envelope around it.
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

extension ResponseStages {
    /// Returns stages that read the value of these stages at a path, and the envelope around it.
    func enveloped<Envelope: RawDecodable & Sendable>(
        in type: Envelope.Type,
        at path: JsonPath
    ) throws(PathRefusal) -> any ResponseStages<Enveloped<Response, Envelope>> where Envelope.Raw == Json {
        inside(try ReadEnvelope<Entry, Envelope>(whole: rawMapping, at: path), at: \.value) { outer, value in
            Enveloped(value, in: outer.envelope)
        }
    }
}

/// Parses the body, runs the app's nodes, and maps the envelope and the value at a path in it.
private struct ReadEnvelope<Entry: Sendable, Envelope: RawDecodable & Sendable>: JsonReading
where Envelope.Raw == Json {
    /// The raw mapping of the route before an envelope was declared. Its path is the path of the envelope.
    private let whole: any ResponseReading<Entry>
    private let part: JsonPath
    private let inner: any JsonReading<Entry>

    /// - Parameters:
    ///   - whole: The reading of the value without an envelope.
    ///   - part: The path of the value in the envelope.
    /// - Throws: ``PathRefusal`` if `whole` reads neither JSON nor text, or cannot begin at a path.
    init(whole: any ResponseReading<Entry>, at part: JsonPath) throws(PathRefusal) {
        self.whole = whole
        self.part = part
        inner = try whole.reading(at: part)
    }

    var path: JsonPath? { inner.path }

    func entry(in json: Json) throws -> Enveloped<Entry, Envelope> {
        let (envelope, value) = try gathering(
            {
                try json.read(whole.path ?? .root, expecting: typeName(Envelope.self)) {
                    try Envelope.read(from: $0, besides: part)
                }
            },
            {
                try IssueLog.apart {
                    let value = try inner.entry(in: json)
                    try MappingSession.inProgress?.checkResponse(value, at: path ?? .root)
                    return value
                }
            }
        )
        return Enveloped(value, in: envelope)
    }

    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Enveloped<Entry, Envelope>> {
        try ReadEnvelope(whole: whole.reading(at: path), at: part)
    }

    func stageNames(with nodes: RawNodes) -> [String] { inner.stageNames(with: nodes) }
}

extension RawDecodable where Raw == Json {
    /// Reads an envelope. If the type or the policy looks for unknown keys, the value at `path` is removed first:
    /// another type reads that value, so its key is not unknown.
    fileprivate static func read(from json: Json, besides path: JsonPath) throws -> Self {
        let ownRule = (Self.self as? any ChecksUnknownKeys.Type)?.unknownKeys
        let looksForKeys = (ownRule ?? IssueLog.current?.policy.unknownKeys ?? .ignore) != .ignore
        let rest = looksForKeys ? json.removing(path.components[...]) ?? [:] : json
        return try locating(at: nil, owner: typeName(Self.self)) { try from(raw: rest) }
    }
}

extension Json {
    /// Returns the value without the part at a path, and without the objects and arrays that contain nothing else.
    /// Returns `nil` if nothing is left: `.none` in the code, because the literal `nil` would be a JSON `null` here.
    fileprivate func removing(_ path: ArraySlice<JsonPath.Component>) -> Json? {
        switch path.first {
        case nil:
            return .none
        case .index(let index)?:
            var list = Array(elements)
            guard list.indices.contains(index) else { return self }
            list.replaceSubrange(index...index, with: list[index].removing(path.dropFirst()).map { [$0] } ?? [])
            return list.isEmpty ? Optional.none : Json(list)
        case .key(let key)?, .entry(let key)?:
            guard let member = self[key] else { return self }
            var rest = self
            rest[key] = member.removing(path.dropFirst())
            return rest == [:] ? Optional.none : rest
        }
    }
}
