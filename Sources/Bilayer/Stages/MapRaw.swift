/// Makes an entry out of its raw value: the first of the two mapping steps.
public struct MapRaw<Entry: RawDecodable & Sendable>: Node where Entry.Raw: Sendable {
    /// Makes the stage.
    public init() {}

    /// Reads the entry, away from the caller's actor.
    /// - Returns: The entry.
    /// - Throws: ``MappingError``. A cancelled task changes nothing: mapping is synchronous and does not look at it.
    @concurrent
    public func process(_ raw: Entry.Raw, in context: CallContext) async throws -> Entry {
        do {
            return try context.mapping {
                MappingSession.inProgress?.document = raw as? Json
                return try locating(at: nil, owner: typeName(Entry.self)) { try Entry.from(raw: raw) }
            }
        } catch {
            throw nameEmptyBody(error, in: context)
        }
    }

    /// A response without a body reads as `null`; the error tells what really came.
    private func nameEmptyBody(_ error: any Error, in context: CallContext) -> any Error {
        guard let error = error as? MappingError, context.receivedResponse?.body.isEmpty == true else { return error }
        return error.updatingIssues { issue in
            if issue.path.isRoot { issue.found = MappingIssue.Found(type: "an empty body") }
        }
    }
}

extension MapRaw: CustomStringConvertible {
    /// The stage's name.
    public var description: String { typeName(Self.self) }
}
