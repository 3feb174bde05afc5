/// A tag that a ``Discriminator`` has read in an object. A variant is then read from the object, or from a part of the
/// object. The tag does not count as an unknown key of the variant.
final class ReadTag: Sendable {
    /// The tag of the variant in progress.
    @TaskLocal private static var innermost: ReadTag?

    private let object: Json
    private let path: JsonPath
    /// The tag of the variant around this variant.
    private let outer: ReadTag?

    private init(at path: JsonPath, of object: Json, in outer: ReadTag?) {
        self.object = object
        self.path = path
        self.outer = outer
    }

    /// Reads a variant from an object, with the tag at `path` in that object.
    static func with<Value>(_ path: JsonPath, of object: Json, _ read: (Json) throws -> Value) rethrows -> Value {
        try $innermost.withValue(ReadTag(at: path, of: object, in: innermost)) { try read(object) }
    }

    /// Returns the paths of the tags in a value, relative to the value.
    fileprivate static func paths(in value: Json) -> [JsonPath] {
        var paths: [JsonPath] = []
        var next = innermost
        while let tag = next {
            if let path = tag.path(from: value) { paths.append(path) }
            next = tag.outer
        }
        return paths
    }

    /// Returns the path of the tag relative to a value. Returns `nil` unless the value is the object, a changed copy of
    /// it with the tag, or a part of the object that contains the tag.
    private func path(from value: Json) -> JsonPath? {
        let steps = path.components
        var part: Json? = object
        for count in steps.indices {
            guard let container = part else { return nil }
            if let isSame = container.isSamePart(as: value) {
                if isSame { return JsonPath(Array(steps.dropFirst(count))) }
            } else if count == 0, let tag = value.value(at: path), tag == object.value(at: path) {
                // `value` is a changed copy of the object.
                return path
            }
            part = container.value(at: JsonPath([steps[count]]))
        }
        return nil
    }
}

extension Json {
    /// Whether two parts of the same text are at the same position; `nil` if they are not parts of the same text.
    fileprivate func isSamePart(as other: Json) -> Bool? {
        guard case .view(let document, let position) = storage,
            case .view(let otherDocument, let place) = other.storage,
            document === otherDocument
        else { return nil }
        return position == place
    }
}

/// Finds the parts of a value that an entry has not read. Tags that a ``Discriminator`` has read do not count as
/// unread.
struct UnreadParts {
    /// A part that was not read.
    struct Part {
        var path: JsonPath
        let found: MappingIssue.Found?
    }

    private let tags: [JsonPath]

    /// - Parameter value: The value that an entry was read from.
    init(of value: Json) { tags = ReadTag.paths(in: value) }

    /// Returns the unread parts of a member that the entry has not requested.
    /// - Parameters:
    ///   - member: The member.
    ///   - path: The member's path in the value.
    /// - Returns: The member itself. If the member contains a tag, the other parts of the member.
    func parts(of member: Json?, at path: JsonPath) -> [Part] {
        let steps = path.components
        let inside = tags.filter { $0.components.starts(with: steps) }
        guard let member, !inside.isEmpty else { return [Part(path: path, found: member?.found)] }
        return Self.parts(of: member, at: path, beside: inside.map { $0.components.dropFirst(steps.count) })
    }

    private static func parts(
        of value: Json,
        at path: JsonPath,
        beside tags: [ArraySlice<JsonPath.Component>]
    ) -> [Part] {
        if tags.contains(where: \.isEmpty) { return [] }
        let isObject = value.kind == .object
        let steps: [(step: JsonPath.Component, value: Json)] =
            isObject
            ? value.effectiveMembers.map { (.key($0.key), $0.value) }
            : value.elements.enumerated().map { (.index($0.offset), $0.element) }
        return steps.flatMap { step, value in
            let path = path.appending(step)
            let inside = tags.filter { $0.first == step }
            if !inside.isEmpty { return parts(of: value, at: path, beside: inside.map { $0.dropFirst() }) }
            // Elements of an array are not reported, because they have no keys.
            return isObject ? [Part(path: path, found: value.found)] : []
        }
    }
}
