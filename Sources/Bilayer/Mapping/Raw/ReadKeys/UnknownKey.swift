/// A key that the entry did not read.
struct UnknownKey {
    var issue: MappingIssue
    let rule: MappingPolicy.UnknownKeys
}

extension MappingIssue {
    static func unknownKey(_ part: UnreadParts.Part) -> MappingIssue {
        MappingIssue(.unknownKey, severity: .warning, path: part.path, found: part.found)
    }

    /// Reports unknown keys. Throws those that are errors under their rule.
    static func reportOrThrow(_ keys: [UnknownKey]) throws {
        if let error = MappingError(refusing: reportReturningErrors(keys)) { throw error }
    }

    /// Reports unknown keys.
    /// - Returns: The issues of the keys that are errors. They are not reported.
    static func reportReturningErrors(_ keys: [UnknownKey]) -> [MappingIssue] {
        for key in keys where key.rule == .report { key.issue.report() }
        return MappingError(refusing: keys.filter { $0.rule == .fail }.map(\.issue))?.issues ?? []
    }
}

extension KeyRecord {
    /// - Returns: The unknown keys, each once.
    fileprivate var unknownKeysOfAllObjects: [UnknownKey] {
        lazy var unread = UnreadParts(of: raw)
        var found: Set<JsonPath> = []
        return
            objects
            .filter { $0.rule != .ignore }
            .flatMap { object -> [UnknownKey] in
                let keys = object.unknownKeys
                if keys.isEmpty { return [] }
                let value = raw.value(at: object.path)
                return keys.flatMap { key in
                    unread.parts(of: value?[key], at: object.path.appending(.key(key)))
                        .map { part in
                            var issue = MappingIssue.unknownKey(part)
                            if naming != nil { issue.namedComponents = issue.path.components.count }
                            issue.owner = object.owner
                            return UnknownKey(issue: issue, rule: object.rule)
                        }
                }
            }
            .filter { found.insert($0.issue.path).inserted }
    }
}

extension Json {
    /// Reads a `Codable` type and finds the keys that it did not request.
    /// - Returns: The value, and the unknown keys with the rule for each.
    func decodeRecordingKeys<Value: Decodable>(
        _ type: Value.Type,
        _ rule: MappingPolicy.UnknownKeys,
        using settings: JsonDecoder
    ) throws -> (value: Value, unknownKeys: [UnknownKey]) {
        let record = KeyRecord(rule, of: self, settings)
        var decoder = settings
        if let key = KeyRecord.userInfoKey { decoder.userInfo[key] = record }
        let value = try decoder.decode(Recorded<Value>.self, from: self).value
        return (value, record.unknownKeysOfAllObjects)
    }
}
