// In this room, because the keys of a dictionary are read by the mapping layer.

extension Dictionary: CollectedCollection where Key: CodingKeyRepresentable, Value: Decodable {
    static func collected(from decoder: any Decoder) throws -> Collected<Any>? {
        // Sorted: a dictionary has no order, a report must have one.
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
            return .failure(Failure(error: error, issues: error.issues, standIn: nil))
        }
    }
}
