extension IssueLog {
    /// Removes repeated key clashes since a mark: each keyed container of an object reports the object's clashes.
    /// - Throws: ``MappingError`` with the clashes, under a policy that treats warnings as errors.
    func settleClashes(since mark: Mark) throws {
        guard hasAdditions(since: mark) else { return }
        removeInEachPart(since: mark) { Self.isRepeatedClash() }
        guard policy.treatsWarningsAsErrors else { return }
        let clashes = remove(since: mark) { $0.kind == .keyClash } + takeOmittedClashes(since: mark)
        // The clashes of values that have failed are no warnings beside the error.
        removeInEachPart(since: mark) { { $0.kind == .keyClash } }
        let isRepeated = Self.isRepeatedClash()
        if let error = MappingError(refusing: clashes.filter { !isRepeated($0) }) { throw error }
    }

    /// Makes a condition that is true of a key clash if an earlier call had the same clash.
    private static func isRepeatedClash() -> (MappingIssue) -> Bool {
        var found: [JsonPath: Set<String>] = [:]
        return { $0.kind == .keyClash && !found[$0.localPath, default: []].insert($0.detail ?? "").inserted }
    }
}
