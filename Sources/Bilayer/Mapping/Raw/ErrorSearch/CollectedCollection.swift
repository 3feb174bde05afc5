/// A collection with parts that are read one by one for their errors.
protocol CollectedCollection {
    /// Reads the collection for the errors of its parts; returns `nil` if the decoder's value is no such collection.
    static func collected(from decoder: any Decoder) throws -> Collected<Any>?
}

/// An entry, element or member in a reading for errors. Decoding it never fails, so the other parts are read, too.
enum CollectedPart<Value: Decodable>: Decodable {
    // Indirect, so that many failures of a large type take no memory for its values.
    indirect case read(Collected<Value>)
    case skipped

    init(from decoder: any Decoder) throws {
        guard let key = Collecting.userInfoKey, let collecting = decoder.userInfo[key] as? Collecting else {
            self = .read(.value(try decoder.singleValueContainer().decode(Value.self)))
            return
        }
        let decoder = (decoder as? RecordingDecoder)?.reading(Value.self) ?? decoder
        let result = try collecting.read(Value.self, of: decoder)
        if case .skipped = result {
            self = .skipped
        } else {
            self = .read(result)
        }
    }

    var result: Collected<Value> {
        switch self {
        case .read(let result): result
        case .skipped: .skipped
        }
    }
}

extension Decoder {
    /// Reads the parts of the decoder's collection; returns `nil` if the value is no such collection.
    func collect<Parts: Decodable>(_ type: Parts.Type) throws -> Parts? {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            if error is CancellationError { throw error }
            return nil
        }
    }
}

extension Array: CollectedCollection where Element: Decodable {
    static func collected(from decoder: any Decoder) throws -> Collected<Any>? {
        try decoder.collect([CollectedPart<Element>].self)
            .map { parts in Collected(joining: parts.lazy.map(\.result)) { $0 } }
    }
}

extension Set: CollectedCollection where Element: Decodable {
    static func collected(from decoder: any Decoder) throws -> Collected<Any>? {
        try decoder.collect([CollectedPart<Element>].self)
            .map { parts in Collected(joining: parts.lazy.map(\.result)) { Set($0) } }
    }
}

extension Dictionary: CollectedCollection where Key: CodingKeyRepresentable, Value: Decodable {
    static func collected(from decoder: any Decoder) throws -> Collected<Any>? {
        // Sorted, because a dictionary has no order and a report must be deterministic.
        let parts = try decoder.collect([String: CollectedPart<Value>].self)?.sorted { $0.key < $1.key }
        guard let members = try parts?.map({ try collected($0.key, $0.value.result, in: decoder) }) else { return nil }
        return Collected(joining: members) { [Key: Value]($0) { first, _ in first } }
    }

    private static func collected(
        _ name: String,
        _ result: Collected<Value>,
        in decoder: any Decoder
    ) throws -> Collected<(Key, Value)> {
        guard case .value(let value) = result else { return result.map { _ in nil } }
        let path = JsonPath(decoder.codingPath).appending(.entry(name))
        do {
            return .value((try Key.read(name, at: path), value))
        } catch let error as MappingError {
            return .failure(Failure(error: error, issues: error.issues, placeholder: nil))
        }
    }
}
