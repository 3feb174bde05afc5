import Bilayer

/// The fields that a check ignores. Each is named by its path in the JSON or in Swift.
///
/// A JSON path and a Swift path name the same field if a changed value at the JSON path changes only the property at
/// the Swift path.
struct IgnoredFields {
    /// The paths in the JSON, including the paths of fields that are named in Swift.
    private(set) var jsonPaths: Set<String>
    /// The names that match no field.
    private(set) var problems: [ContractError.Problem] = []
    private var properties: Set<String> = []

    /// Finds the ignored fields.
    /// - Parameters:
    ///   - names: The paths of the fields, from the root.
    ///   - sample: The JSON of the sample.
    ///   - read: Reads the entry.
    init(_ names: Set<String>, in sample: Json, reading read: (Json) throws -> Any) {
        jsonPaths = names
        if names.isEmpty { return }
        guard let entry = try? read(sample) else { return }
        let fields = SwiftFields(of: entry)
        let paths = sample.paths()
        let known = Set(paths.flatMap { [$0.withoutIndices, $0.description] })
        for name in names.sorted() where !known.contains(name) {
            if fields.all.contains(name) {
                properties.insert(name)
            } else if !find(name, in: sample, entry, read) {
                problems.append(.init(path: name, text: "is ignored, but neither the JSON nor the entry has it"))
            }
        }
        if properties.isEmpty { return }
        for place in paths where !place.isRoot {
            for value in Self.values {
                var changed = sample
                guard changed.set(value, at: place), let other = try? read(changed) else { continue }
                let properties = SwiftFields.changed(from: entry, to: other)
                if !properties.isEmpty, properties.allSatisfy(covers) { jsonPaths.insert(place.withoutIndices) }
            }
        }
    }

    /// Whether the property, or a property that contains it, is ignored.
    func covers(_ property: String) -> Bool {
        jsonPaths.contains(property) || properties.contains { property == $0 || property.hasPrefix($0 + ".") }
            || properties.contains { property.hasPrefix($0 + "[") }
    }

    /// Finds a field that is missing in the sample, by its path in the JSON.
    private mutating func find(_ name: String, in sample: Json, _ entry: Any, _ read: (Json) throws -> Any) -> Bool {
        var isFound = false
        for place in sample.paths(named: name) {
            for value in Self.values {
                var changed = sample
                guard changed.set(value, at: place) else { continue }
                do {
                    let found = SwiftFields.changed(from: entry, to: try read(changed))
                    properties.formUnion(found)
                    isFound = isFound || !found.isEmpty
                } catch let error as MappingError {
                    // The entry reads the field, but the type of the field does not accept this value.
                    isFound = isFound || error.issues.contains { $0.path.components.starts(with: place.components) }
                } catch {}
            }
        }
        return isFound
    }

    private static let values: [Json] = [
        "x", "2001-02-03T04:05:06Z", "2001-02-03", "https://example.org/other", "17",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "AAEC", 17, 0.5, true, false, [], [:],
    ]
}

extension Json {
    /// The paths of this value and all values inside it.
    fileprivate func paths(at path: JsonPath = .root) -> [JsonPath] {
        let inner =
            switch kind {
            case .object: members.flatMap { $0.value.paths(at: path.appending(.key($0.key))) }
            case .array: elements.enumerated().flatMap { $1.paths(at: path.appending(.index($0))) }
            default: [JsonPath]()
            }
        return [path] + inner
    }

    /// The paths that a name without indices represents. Each array on the path gives one path for each of its
    /// elements.
    fileprivate func paths(named name: String) -> [JsonPath] {
        var paths = [JsonPath.root]
        for (index, part) in name.split(separator: "[]", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                paths = paths.flatMap { place in
                    (0..<(value(at: place)?.count ?? 0)).map { place.appending(.index($0)) }
                }
            }
            if part.isEmpty { continue }
            let text = part.hasPrefix("$") ? String(part) : "$" + part
            guard let steps = JsonPath(text) else { return [] }
            paths = paths.map { steps.prefixed(by: $0) }
        }
        return paths
    }
}
