// Element-wise mapping for the default conformances of both layers: the index or key of a failing element goes in front of its
// error's path, and a cancelled task stops between elements.

extension Collection {
    func mapElements<Mapped>(
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        var result: [Mapped] = []
        result.reserveCapacity(count)
        var visitor = MappingSession.current.map { ElementVisitor($0) }
        var position = 0
        for element in self {
            if position % elementsBetweenCancellationChecks == 0 { try Task.checkCancellation() }
            if let mapped = try visitor?.visit(.index(position), owner: owner(), { try transform(element) }) {
                result.append(mapped)
            } else if visitor == nil {
                do {
                    result.append(try transform(element))
                } catch {
                    throw MappingError.owned(MappingError.located(error, at: .index(position)), by: owner())
                }
            }
            position += 1
        }
        try visitor?.finish()
        return result
    }
}

extension Sequence {
    /// Maps the members of an object or of a dictionary, each under its name.
    func mapMembers<Key: Hashable, Value, Mapped>(
        count: Int,
        owner: @autoclosure () -> String? = nil,
        name: (Key) -> String,
        transform: (Key, Value) throws -> Mapped
    ) throws -> [(key: Key, value: Mapped)] where Element == (key: Key, value: Value) {
        var result: [(key: Key, value: Mapped)] = []
        result.reserveCapacity(count)
        var visitor = ElementVisitor(MappingSession.current)
        for (key, value) in self {
            if result.count % elementsBetweenCancellationChecks == 0 { try Task.checkCancellation() }
            let mapped = try visitor.visit(.key(name(key)), owner: owner()) { try transform(key, value) }
            if let mapped { result.append((key, mapped)) }
        }
        try visitor.finish()
        return result
    }
}

extension Dictionary where Key: CodingKeyRepresentable {
    func mapMembers<Mapped>(
        owner: @autoclosure () -> String? = nil,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        let members = try mapMembers(
            count: count,
            owner: owner(),
            name: \.codingKey.stringValue,
            transform: { try transform($1) }
        )
        return [Key: Mapped](uniqueKeysWithValues: members.lazy.map { ($0.key, $0.value) })
    }
}

/// A look at the task costs some nanoseconds, an element some hundred: one look for this many is not seen.
private let elementsBetweenCancellationChecks = 64

/// A coding key that is just a name.
struct NamedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}
