/// Reads the members of an object and the values nested in them, for keys with paths (``PathCodingKey``).
struct PathReading<Key: CodingKey>: OptionalReading {
    private let base: KeyedDecodingContainer<PathStep>
    private let memberPaths: MemberPaths
    /// The reader of the object that `base` reads; `nil` if another decoder or container reads it.
    private let reader: KeyedReader?
    private let tolerance: (any DecodingTolerance)?

    init(
        _ base: KeyedDecodingContainer<PathStep>,
        _ memberPaths: MemberPaths,
        _ reader: KeyedReader? = nil,
        tolerance: (any DecodingTolerance)?
    ) {
        self.base = base
        self.memberPaths = memberPaths
        self.reader = memberPaths.brokenText == nil ? reader : nil
        self.tolerance = tolerance
    }

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        let own = base.allKeys.map(\.stringValue)
        return (memberPaths.names + own.filter { !memberPaths.names.contains($0) })
            .compactMap(Key.init(stringValue:)).filter(contains)
    }

    /// Whether one of the key's paths leads to a value or a `null`. Also true if the search fails, for example because
    /// a path leads through a string. Reading the key then throws the error.
    func contains(_ key: Key) -> Bool {
        if let found = reader.flatMap({ found(key, by: $0) }) {
            if case .missing = found { return false } else { return true }
        }
        do {
            return try destination(of: key) != nil
        } catch {
            return true
        }
    }

    /// A path can lead through a value that has no members. This is not `null`: reading the key then throws the error.
    func decodeNil(forKey key: Key) throws -> Bool {
        switch reader.flatMap({ found(key, by: $0) }) {
        case .value: return false
        case .null: return true
        case .missing, nil: break
        }
        do { return try find(key).isNull } catch DecodingError.typeMismatch { return false }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let reader, case .value(let position, let path)? = found(key, by: reader) {
            return try value(type, of: key, at: position, on: path, by: reader)
        }
        return try reading(key) { try $0.decode(type) }
    }

    func optional<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        if tolerance == nil, let reader, let found = found(key, by: reader) {
            guard case .value(let position, let path) = found else { return nil }
            return try value(type, of: key, at: position, on: path, by: reader)
        }
        let read = {
            guard contains(key) else { return Value?.none }
            return try reading(key) { try $0.decodeIfPresent(type) }
        }
        guard let tolerance else { return try read() }
        let place = (try? destination(of: key))?.path ?? codingPath + [key]
        return try namingProperty(key.stringValue, at: JsonPath(place)) {
            try tolerance.optional(Value?.self, at: place, read) ?? nil
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: keys)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try base.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder { try find(key).decoder() }
}

// MARK: - Following paths in the index

extension PathReading {
    /// What the paths of a key lead to.
    private enum Found {
        /// A value at an index position, and the path to it.
        case value(Int, on: [PathStep])
        case null
        case missing
    }

    /// Looks for a key's value in the index. Returns `nil` if that does not decide what is read: for example, if a path
    /// leads through a string, or if two paths have values that may clash. Then the paths are followed step by step.
    private func found(_ key: Key, by reader: KeyedReader) -> Found? {
        guard reader.followsPaths else { return nil }
        guard let paths = memberPaths.steps(of: key) else {
            let path = [memberPaths.step(to: key)]
            return reader.end(of: path).map { found($0, on: path) }
        }
        var first = Found.missing
        for path in paths {
            guard let end = reader.end(of: path) else { return nil }
            switch (first, end) {
            case (_, .missing), (.value, .null): break
            case (.value, .value): return nil
            case (.null, _), (.missing, _): first = found(end, on: path)
            }
        }
        return first
    }

    private func found(_ end: KeyedReader.PathEnd, on path: [PathStep]) -> Found {
        switch end {
        case .value(let position): .value(position, on: path)
        case .null: .null
        case .missing: .missing
        }
    }

    private func value<Value: Decodable>(
        _ type: Value.Type,
        of key: Key,
        at position: Int,
        on path: [PathStep],
        by reader: KeyedReader
    ) throws -> Value {
        guard IssueLog.mayBeBound else { return try reader.value(type, of: path, at: position) }
        return try namingProperty(key.stringValue, at: JsonPath(codingPath + path as [any CodingKey])) {
            try reader.value(type, of: path, at: position)
        }
    }
}

// MARK: - Following paths step by step

/// The end of a path in a decoder.
private enum Destination {
    case member(KeyedDecodingContainer<PathStep>, PathStep)
    case element(any Decoder)
    /// A value before the end of the path is `null`. The associated value is the path of the `null`.
    case null([any CodingKey])
    /// A value on the path is missing. The associated values are the path before it and its key.
    case missing(after: [any CodingKey], PathStep)

    var isNull: Bool {
        switch self {
        case .missing: false
        case .member(let container, let key): (try? container.decodeNil(forKey: key)) ?? false
        case .element(let decoder): (try? decoder.singleValueContainer().decodeNil()) ?? false
        case .null: true
        }
    }

    var path: [any CodingKey] {
        switch self {
        case .member(let container, let key): container.codingPath + [key]
        case .element(let decoder): decoder.codingPath
        case .null(let path): path
        case .missing(let path, let key): path + [key]
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch self {
        case .member(let container, let key): try container.decode(type, forKey: key)
        case .element(let decoder): try decoder.singleValueContainer().decode(type)
        case .null, .missing: throw failure
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        if case .member(let container, let key) = self { return try container.decodeIfPresent(type, forKey: key) }
        return isNull ? nil : try decode(type)
    }

    func decoder() throws -> any Decoder {
        switch self {
        case .member(let container, let key): try container.superDecoder(forKey: key)
        case .element(let decoder): decoder
        case .null, .missing: throw failure
        }
    }

    /// The error for a missing value, or for a `null` before the end of the path.
    var failure: DecodingError {
        if case .missing(let path, let key) = self {
            let remark = key.remark.map { ", " + $0 } ?? ""
            let description = "There is no \(JsonPath([key])) here\(remark)."
            return .keyNotFound(key, .init(codingPath: path, debugDescription: description))
        }
        let description = "Expected an object or an array, found null."
        let type = KeyedDecodingContainer<PathStep>.self
        return .valueNotFound(type, .init(codingPath: path, debugDescription: description))
    }
}

extension PathReading {
    /// Reads the value of a key from its destination.
    private func reading<Value>(_ key: Key, _ read: (Destination) throws -> Value) throws -> Value {
        try settingAsideOnFailure {
            let destination = try find(key, reportsClashes: true)
            return try namingProperty(key.stringValue, at: JsonPath(destination.path)) { try read(destination) }
        }
    }

    /// Returns the destination of a key. Throws if the search fails, or if a value is missing on each of the key's
    /// paths.
    private func find(_ key: Key, reportsClashes: Bool = false) throws -> Destination {
        if let found = try destination(of: key, reportsClashes: reportsClashes) { return found }
        let paths = memberPaths.paths(of: key)
        let others = paths.dropFirst().map(\.fromHere).joined(separator: ", ")
        throw try walk(paths.first ?? .root, to: key, remark: others.isEmpty ? nil : "nor is there \(others)")
            .failure
    }

    private func destination(of key: Key, reportsClashes: Bool = false) throws -> Destination? {
        if let text = memberPaths.brokenText { throw MappingError(.noPath(text)) }
        let paths = memberPaths.paths(of: key)
        do {
            return try destination(of: key, at: paths, reportsClashes: reportsClashes)
        } catch {
            // A container that records the requested keys reports all others as unknown. So the keys on the later
            // paths are requested, too, although the result is not needed.
            for path in paths { _ = try? walk(path, to: key) }
            throw error
        }
    }

    private func destination(of key: Key, at paths: [JsonPath], reportsClashes: Bool) throws -> Destination? {
        // A `null` before the end of a path counts only if no path has a value or a `null` at its end.
        var nullOnTheWay: Destination?
        let found = try firstPresent(of: paths) { path -> Destination? in
            let destination = try walk(path, to: key)
            switch destination {
            case .missing: return nil
            case .null:
                nullOnTheWay = nullOnTheWay ?? destination
                return nil
            case .member, .element: return destination
            }
        } isNull: {
            $0.isNull
        } clash: { chosen, other in
            guard reportsClashes, IssueLog.current != nil, let json = try? other.found.decode(Json.self),
                json != (try? chosen.found.decode(Json.self))
            else { return nil }
            let path = JsonPath(other.found.path)
            var issue = MappingIssue.keyClash(at: path, found: json.found, read: chosen.location.fromHere)
            issue.nameProperty(key.stringValue)
            return issue
        }
        return found?.found ?? nullOnTheWay
    }

    private func walk(_ path: JsonPath, to key: Key, remark: String? = nil) throws -> Destination {
        var here: Destination?
        for component in path.components {
            if let here, here.isNull { return .null(here.path) }
            var step = PathStep(component, of: memberPaths.property(of: key))
            step.remark = remark
            switch component {
            case .key, .entry:
                let container = try here?.decoder().container(keyedBy: PathStep.self) ?? base
                guard container.contains(step) else { return .missing(after: container.codingPath, step) }
                here = .member(container, step)
            case .index(let index):
                guard let element = try here?.decoder().element(index) else {
                    return .missing(after: here?.path ?? codingPath, step)
                }
                here = .element(element)
            }
        }
        return here ?? .null(codingPath)
    }
}

extension JsonPath {
    /// The text of the path, relative to the object that is read: `meta.next`.
    fileprivate var fromHere: String { String("\(self)".drop { "$.".contains($0) }) }
}

extension Decoder {
    /// Returns the decoder of an element; `nil` if the array is shorter.
    fileprivate func element(_ index: Int) throws -> (any Decoder)? {
        var elements = try unkeyedContainer()
        for _ in 0..<index where !elements.isAtEnd { _ = try elements.superDecoder() }
        return elements.isAtEnd ? nil : try elements.superDecoder()
    }
}
