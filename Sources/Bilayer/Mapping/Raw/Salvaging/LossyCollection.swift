/// A collection that ``Lossy`` can read without its invalid elements: an array, a set, a dictionary, or an optional of
/// these.
///
/// Under a policy that treats warnings as errors nothing is left out. Unless the policy also collects all errors, the
/// collection is then read as without ``Lossy``.
public protocol LossyCollection {
    /// Reads the elements that can be read, and reports the others.
    /// - Parameters:
    ///   - decoder: The decoder at the collection's coding path.
    ///   - loss: The fraction that may be left out, from 0 to 1. If the policy allows less, the policy's limit applies.
    /// - Returns: The collection.
    /// - Throws: The decoder's error if there is no collection; ``MappingError`` if the loss exceeds the limit or all
    ///   elements are lost. Under a policy that treats warnings as errors, an invalid element is an error.
    static func lossy(from decoder: any Decoder, tolerating loss: Double) throws -> Self

    /// The value to use for a missing collection; `nil` if a missing collection is an error.
    static var valueIfMissing: Self? { get }
}

extension LossyCollection {
    /// A missing collection is an error.
    public static var valueIfMissing: Self? { nil }
}

extension Array: LossyCollection where Element: Decodable {
    /// Reads the elements that can be read.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more is lost than is tolerated. Under a
    ///   policy that treats warnings as errors, also the error of an invalid element.
    public static func lossy(from decoder: any Decoder, tolerating loss: Double) throws -> [Element] {
        let visitor = ElementVisitor.salvaging(loss, in: decoder)
        if visitor.stopsAtErrors { return try decoder.singleValueContainer().decode([Element].self) }
        return try DecodingAttempt<Element>.values(in: decoder, of: Self.self, visitor)
    }
}

extension Set: LossyCollection where Element: Decodable {
    /// Reads the elements that can be read.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more is lost than is tolerated. Under a
    ///   policy that treats warnings as errors, also the error of an invalid element.
    public static func lossy(from decoder: any Decoder, tolerating loss: Double) throws -> Set<Element> {
        let visitor = ElementVisitor.salvaging(loss, in: decoder)
        if visitor.stopsAtErrors { return try decoder.singleValueContainer().decode(Set<Element>.self) }
        return Set(try DecodingAttempt<Element>.values(in: decoder, of: Self.self, visitor))
    }
}

extension Dictionary: LossyCollection where Key: CodingKeyRepresentable, Value: Decodable {
    /// Reads the members that can be read. The decoder's key strategy does not change their keys.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more is lost than is tolerated. Under a
    ///   policy that treats warnings as errors, also the error of an invalid element.
    public static func lossy(from decoder: any Decoder, tolerating loss: Double) throws -> [Key: Value] {
        let visitor = ElementVisitor.salvaging(loss, in: decoder)
        return try visitor.stopsAtErrors ? allMembers(in: decoder, visitor) : members(in: decoder, visitor)
    }

    /// Reads all members.
    private static func allMembers(in decoder: any Decoder, _ given: ElementVisitor) throws -> [Key: Value] {
        let values = try decoder.singleValueContainer().decode([String: Value].self)
        if let values = values as? [Key: Value] { return values }
        var visitor = given
        visitor.mark = IssueLog.current?.mark ?? .start
        var members: [Key: Value] = [:]
        for (name, value) in inOrder(values, of: decoder) {
            let key = try visitor.visit(.entry(name), owner: ownerName(of: Value.self)) {
                try Key.read(name, at: JsonPath(decoder.codingPath).appending(.entry(name)))
            }
            if let key { members[key] = value }
        }
        try visitor.finish(count: values.count)
        return members
    }

    /// Reads the members. The visitor decides about those that cannot be read.
    static func members(in decoder: any Decoder, _ given: ElementVisitor) throws -> [Key: Value] {
        var visitor = given
        let keys = KeyRecord.inProgress(in: decoder)?.mark
        let outcomes = try DecodingAttempt<Value>.members(in: decoder, of: Self.self)
        let log = IssueLog.current
        // The members have already added their issues to the log.
        let end = log?.mark ?? .start
        if let log, end != visitor.mark {
            // Issues of a member are removed if the member's name is no key of the dictionary's key type.
            let base = JsonPath(decoder.codingPath)
            let names = outcomes.keys.filter { (try? Key.read($0, at: base)) == nil }
            // Issues of the keys are removed, because the keys are read again below.
            log.remove(since: end)
            let refused = PathTree(names.map { base.appending(.entry($0)) })
            log.remove(since: visitor.mark, at: refused.encloses)
            visitor.mark = log.mark
        }
        var members: [Key: Value] = [:]
        var leftOut: [JsonPath] = []
        // Keys that are strings all differ, so the order of the members has no effect unless a member has an error.
        let isAnyOrder = Key.self == String.self && outcomes.values.allSatisfy(\.isValue)
        for (name, outcome) in isAnyOrder ? Array(outcomes) : inOrder(outcomes, of: decoder) {
            let member = try visitor.visit(.entry(name), owner: ownerName(of: Value.self)) {
                let path = JsonPath(decoder.codingPath).appending(.entry(name))
                do {
                    return (key: try Key.read(name, at: path), try outcome.get())
                } catch {
                    leftOut.append(path)
                    throw error
                }
            }
            if let member { members[member.key] = member.1 }
        }
        try visitor.finish(count: outcomes.count)
        if !leftOut.isEmpty, let keys {
            KeyRecord.inProgress(in: decoder)?.leaveOut(leftOut, of: JsonPath(decoder.codingPath), since: keys)
        }
        return members
    }

    /// Returns the members in the order of the text. Different names may be equal keys: `1` and `01` are the same
    /// integer. Then the last member counts. For a decoder without a text the members are sorted, because the result
    /// must not depend on the random seed of hashing.
    private static func inOrder<Part>(
        _ members: [String: Part],
        of decoder: any Decoder
    ) -> [(key: String, value: Part)] {
        guard members.count > 1, let object = try? Json(from: decoder), case .view = object.resolved else {
            return members.sorted { $0.key < $1.key }
        }
        var rest = members
        return object.effectiveMembers.compactMap { member in
            rest.removeValue(forKey: member.key).map { (member.key, $0) }
        }
    }
}

extension Optional: LossyCollection where Wrapped: LossyCollection {
    /// Reads `null` as `nil`.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more is lost than is tolerated. Under a
    ///   policy that treats warnings as errors, also the error of an invalid element.
    public static func lossy(from decoder: any Decoder, tolerating loss: Double) throws -> Wrapped? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.lossy(from: decoder, tolerating: loss)
    }

    /// A missing collection is `nil`.
    public static var valueIfMissing: Wrapped?? { .some(nil) }
}
