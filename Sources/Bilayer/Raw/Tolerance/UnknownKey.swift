/// A key that the entry did not read.
struct UnknownKey {
    var issue: MappingIssue
    let choice: MappingPolicy.UnknownKeys
}

extension MappingIssue {
    static func unknownKey(_ key: String, found: Found?) -> MappingIssue {
        MappingIssue(.unknownKey, severity: .warning, path: [.key(key)], found: found)
    }

    /// Reports unknown keys, or fails with those that are errors.
    static func settle(_ keys: [UnknownKey]) throws {
        let errors = report(keys)
        if let first = errors.first { throw MappingError(first, Array(errors.dropFirst())) }
    }

    /// Reports unknown keys.
    /// - Returns: Those that are errors, which are not reported.
    static func report(_ keys: [UnknownKey]) -> [MappingIssue] {
        for key in keys where key.choice == .report { key.issue.report() }
        return keys.filter { $0.choice == .fail }
            .map { key in
                var issue = key.issue
                issue.severity = .error
                return issue
            }
    }
}

extension KeyRecord {
    /// - Parameters:
    ///   - raw: The JSON that was read.
    ///   - dropped: The paths of the values that were left out, whose keys do not count.
    /// - Returns: The unknown keys.
    fileprivate func unknownKeys(in raw: Json, outside dropped: [JsonPath]) -> [UnknownKey] {
        objects
            .filter { object in
                object.choice != .ignore
                    && !dropped.contains { object.path.components.starts(with: $0.components) }
            }
            .flatMap { object in
                object.unknownKeys.map { UnknownKey(issue: issue(key: $0, of: object, in: raw), choice: object.choice) }
            }
    }

    private func issue(key: String, of object: Object, in raw: Json) -> MappingIssue {
        var issue = MappingIssue.unknownKey(key, found: nil)
        issue.prefix(by: object.path)
        if let naming = MappingSession.inProgress?.conventions.keys { issue.nameKeys(by: naming, in: raw) }
        issue.found = raw.value(at: issue.path)?.found
        issue.owner = object.owner
        return issue
    }
}

extension Json {
    /// Reads a `Codable` type and finds the keys that it did not request.
    /// - Returns: The value, and the unknown keys with the rule for each.
    func decodeRecordingKeys<Value: Decodable>(
        _ type: Value.Type,
        _ choice: MappingPolicy.UnknownKeys,
        using settings: JsonDecoder
    ) throws -> (value: Value, unknownKeys: [UnknownKey]) {
        let record = KeyRecord(choice, settings)
        var decoder = settings
        if let key = KeyRecord.userInfoKey { decoder.userInfo[key] = record }
        let mark = IssueLog.current?.mark ?? 0
        let value = try decoder.decode(Recorded<Value>.self, from: self).value
        let dropped = settings.tolerance == nil ? [] : IssueLog.current?.droppedPaths(since: mark) ?? []
        return (value, record.unknownKeys(in: self, outside: dropped))
    }
}
