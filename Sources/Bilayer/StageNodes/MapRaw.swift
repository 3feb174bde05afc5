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
            throw nameEmptyBody(error, in: context)
        }
    }

    /// Returns the error with "an empty body" as the value that was found. An empty body is read as `null`, so the
    /// error would name `null` otherwise.
    private func nameEmptyBody(_ error: any Error, in context: CallContext) -> any Error {
        guard let error = error as? MappingError, context.receivedResponse?.body.isEmpty == true else { return error }
        return error.updatingIssues { issue in
            if issue.path.isRoot { issue.found = MappingIssue.Found(type: "an empty body") }
        }
    }
}

extension MapRaw: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
