/// Makes an entry from its raw value: the first of the two mapping steps.
public struct MapRaw<Entry: RawDecodable & Sendable>: Node where Entry.Raw: Sendable {
    /// Makes the node.
    public init() {}

    /// Makes the entry on the concurrent pool.
    /// - Returns: The entry.
    /// - Throws: ``MappingError``, or a `CancellationError` of the app's code. Mapping is synchronous and does not
    ///   check for cancellation.
    @concurrent
    public func process(_ raw: Entry.Raw, in context: CallContext) async throws -> Entry {
        try context.mappingResponse {
            context.begin(mapping: raw as? Json)
            return try locating(at: nil, of: raw as? Json, owner: typeName(Entry.self)) { try Entry.from(raw: raw) }
        }
    }
}

extension MapRaw: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
