// Element-wise mapping for the default conformances of both layers: the index or key of a failing element goes in front
// of its error's path.

extension Collection {
    /// Maps the elements in order. Reported issues get the index and the field's name in front of their paths; errors
    /// get the index, and the name from the caller. Inlinable, so that an app's own types are converted by code made
    /// for them.
    @inlinable
    @inline(__always)
    func mapElements<Mapped>(
        at key: String? = nil,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        if let session = IssueLog.current {
            return try mapElements(in: session, at: key, owner: owner(), transform)
        }
        var result: [Mapped] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Element.self, to: Mapped.self))
        do {
            try lendEach { element in
                result.append(try transform(element))
            }
        } catch {
            throw MappingError.owned(MappingError.located(error, at: .index(result.count)), by: owner())
        }
        return result
    }

    /// The variant with an issue log, or under a policy that goes on after a failure. A function of its own keeps the
    /// inlined one small.
    @inlinable
    @inline(never)
    func mapElements<Mapped>(
        in session: IssueLog,
        at key: String?,
        owner: @autoclosure () -> String?,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        let visitor = ElementVisitor(session)
        let mark = visitor.mark
        defer {
            if let key, session.mark > mark { session.relocate(since: mark, to: .key(key)) }
        }
        return try mapElements(visitor: visitor, owner: owner(), transform)
    }

    /// Maps the elements with a visitor of the caller's choice.
    @inlinable
    func mapElements<Mapped>(
        visitor given: ElementVisitor,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        var result: [Mapped] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Element.self, to: Mapped.self))
        var visitor = given
        var position = 0
        try lendEach { element in
            if let mapped = try visitor.visit(.index(position), owner: owner(), { try transform(element) }) {
                result.append(mapped)
            }
            position += 1
        }
        try visitor.finish(count: position)
        return result
    }
}

extension Sequence {
    /// Maps the members of an object or of a dictionary, each under its name.
    func mapMembers<Key: Hashable, Value, Mapped>(
        count: Int,
        owner: @autoclosure () -> String? = nil,
        visitor given: ElementVisitor? = nil,
        name: (Key) -> String,
        transform: (Key, Value) throws -> Mapped
    ) throws -> [(key: Key, value: Mapped)] where Element == (key: Key, value: Value) {
        var result: [(key: Key, value: Mapped)] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Value.self, to: (Key, Mapped).self))
        var visitor = given ?? ElementVisitor(IssueLog.current)
        var position = 0
        for (key, value) in self {
            let mapped = try visitor.visit(.entry(name(key)), owner: owner()) { try transform(key, value) }
            if let mapped { result.append((key, mapped)) }
            position += 1
        }
        try visitor.finish(count: position)
        return result
    }
}

extension Dictionary where Key: CodingKeyRepresentable {
    @usableFromInline
    func mapMembers<Mapped>(
        owner: @autoclosure () -> String? = nil,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        try mapMembers(visitor: nil, owner: owner(), transform)
    }

    func mapMembers<Mapped>(
        visitor: ElementVisitor?,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        let members = try mapMembers(
            count: count,
            owner: owner(),
            visitor: visitor,
            name: \.codingKey.stringValue,
            transform: { try transform($1) }
        )
        return [Key: Mapped](uniqueKeysWithValues: members.lazy.map { ($0.key, $0.value) })
    }
}

/// A coding key that is just a name.
struct NamedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}
