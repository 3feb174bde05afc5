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
        do {
            return try context.mappingResponse {
                context.begin(mapping: raw as? Json)
                return try locating(at: nil, of: raw as? Json, owner: typeName(Entry.self)) { try Entry.from(raw: raw) }
            }
        } catch {
            throw context.namingEmptyBody(error)
        }
    }
}

extension CallContext {
    /// Returns the error of a raw mapping with "an empty body" as the value that was found. An empty body is read as
    /// `null`, so the error would name `null` otherwise.
    func namingEmptyBody(_ error: any Error) -> any Error {
        guard let error = error as? MappingError, receivedResponse?.body.isEmpty == true else { return error }
        return error.updatingIssues { issue in
            if issue.path.isRoot { issue.found = MappingIssue.Found(type: "an empty body") }
        }
    }
}

extension MapRaw: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
