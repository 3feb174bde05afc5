/// A collection with parts that are read one by one for their errors.
protocol ErrorSearchable {
    /// Reads the collection for the errors of its parts; returns `nil` if the decoder's value is no such collection.
    static func searched(from decoder: any Decoder) throws -> SearchResult<Any>?
}

/// An entry, element or member in a search for errors. Decoding it throws only a cancellation, so the other parts are
/// read, too.
enum SearchedPart<Value: Decodable>: Decodable {
    // Indirect, so that many failures of a large type take no memory for its values.
    indirect case read(SearchResult<Value>)
    case skipped

    init(from decoder: any Decoder) throws {
        guard let key = ErrorSearch.userInfoKey, let search = decoder.userInfo[key] as? ErrorSearch else {
            self = .read(.value(try decoder.singleValueContainer().decode(Value.self)))
            return
        }
        let decoder = (decoder as? RecordingDecoder)?.reading(Value.self) ?? decoder
        let result = try search.read(Value.self, of: decoder)
        if case .skipped = result {
            self = .skipped
        } else {
            self = .read(result)
        }
    }

    var result: SearchResult<Value> {
        switch self {
        case .read(let result): result
        case .skipped: .skipped
        }
    }
}

extension Decoder {
    /// Reads the parts of the decoder's collection; returns `nil` if the value is no such collection.
    func searchParts<Parts: Decodable>(_ type: Parts.Type) throws -> Parts? {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            if error is CancellationError { throw error }
            return nil
        }
    }
}

extension Array: ErrorSearchable where Element: Decodable {
    static func searched(from decoder: any Decoder) throws -> SearchResult<Any>? {
        try decoder.searchParts([SearchedPart<Element>].self)
            .map { parts in SearchResult(joining: parts.lazy.map(\.result)) { $0 } }
    }
}

extension Set: ErrorSearchable where Element: Decodable {
    static func searched(from decoder: any Decoder) throws -> SearchResult<Any>? {
        try decoder.searchParts([SearchedPart<Element>].self)
            .map { parts in SearchResult(joining: parts.lazy.map(\.result)) { Set($0) } }
    }
}

extension Dictionary: ErrorSearchable where Key: CodingKeyRepresentable, Value: Decodable {
    static func searched(from decoder: any Decoder) throws -> SearchResult<Any>? {
        // Sorted, because a dictionary has no order and a report must be deterministic.
        let parts = try decoder.searchParts([String: SearchedPart<Value>].self)?.sorted { $0.key < $1.key }
        // Lazily, because an array of the results would have room for a value of each member, even of one without a
        // value.
        return parts.map { parts in
            SearchResult(joining: parts.lazy.map { searched($0.key, $0.value.result, in: decoder) }) {
                [Key: Value]($0) { first, _ in first }
            }
        }
    }

    private static func searched(
        _ name: String,
        _ result: SearchResult<Value>,
        in decoder: any Decoder
    ) -> SearchResult<(Key, Value)> {
        guard case .value(let value) = result else { return result.map { _ in nil } }
        let path = JsonPath(decoder.codingPath).appending(.entry(name))
        do {
            return .value((try Key.read(name, at: path), value))
        } catch {
            return .failure(Failure(error: error, issues: MappingError(wrapping: error).issues, placeholder: nil))
        }
    }
}
