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
    /// - Parameter raw: The JSON that was read.
    /// - Returns: The unknown keys, each once.
    fileprivate func unknownKeys(in raw: Json) -> [UnknownKey] {
        lazy var unread = UnreadParts(of: raw)
        var found: Set<JsonPath> = []
        return
            objects
            .filter { $0.rule != .ignore }
            .flatMap { object in
                let keys = object.unknownKeys
                // The path is made only if needed, because making the path takes time.
                if keys.isEmpty { return [UnknownKey]() }
                let path = path(of: object, in: raw)
                let value = raw.value(at: path)
                return keys.flatMap { key in
                    unread.parts(of: value?[key], at: path.appending(.key(key)))
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

    /// Returns the path of an object with the keys of the JSON in place of property names.
    private func path(of object: Object, in raw: Json) -> JsonPath {
        guard let naming else { return object.path }
        var issue = MappingIssue(.unknownKey, path: object.path)
        issue.nameKeys(by: naming, in: raw)
        return issue.localPath
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
        return (value, record.unknownKeys(in: self))
    }
}
