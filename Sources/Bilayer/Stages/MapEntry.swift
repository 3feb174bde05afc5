/// Converts an entry to its raw value: the second step of the request encoding.
public struct MapEntry<Entry: RawEncodable & Sendable>: Node where Entry.Raw: Sendable {
    /// Makes the node.
    public init() {}

    /// Converts the entry on the concurrent pool.
    /// - Returns: The raw value.
    /// - Throws: ``MappingError``, or the entry's own error.
    @concurrent
    public func process(_ entry: Entry, in context: CallContext) async throws -> Entry.Raw {
        do {
            return try context.mapping { try entry.toRaw() }
        } catch {
            throw MappingError.owned(error, by: typeName(Entry.self))
        }
    }
}

extension MapEntry: CustomStringConvertible {
    /// The stage's name.
    public var description: String { typeName(Self.self) }
}
