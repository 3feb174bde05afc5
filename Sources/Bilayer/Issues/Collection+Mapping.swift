// Element-wise mapping, for example for the default conformances of both layers. The index or key of a failing element
// is prepended to the path of its error.

extension Collection {
    /// Maps the elements in order. The index and the field's name `key` are prepended to the paths of reported issues.
    /// Only the index is prepended to the path of an error; the caller adds the field's name. The function is
    /// inlinable, so that an app's own types get specialized code.
    @inlinable
    @inline(__always)
    func mapElements<Mapped>(
        at key: String? = nil,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        if let log = IssueLog.current {
            return try mapElements(in: log, at: key, owner: owner(), transform)
        }
        var result: [Mapped] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Element.self, to: Mapped.self))
        do {
            try forEachBorrowed { element in
                result.append(try transform(element))
            }
        } catch {
            throw MappingError.owned(MappingError.located(error, at: .index(result.count)), by: owner())
        }
        return result
    }

    /// The variant for a mapping with an issue log. A separate function keeps the inlined function small.
    @inlinable
    @inline(never)
    func mapElements<Mapped>(
        in log: IssueLog,
        at key: String?,
        owner: @autoclosure () -> String?,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        let visitor = ElementVisitor(log)
        let mark = visitor.mark
        defer {
            if let key, log.hasAdditions(since: mark) { log.prefix(since: mark, by: .key(key)) }
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
        try forEachBorrowed { element in
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
        // A dictionary has no order, but reports and errors must be deterministic. Without a report only the error
        // matters, and the members need no sorting.
        guard visitor != nil || IssueLog.current != nil else { return try mapUnreported(owner: owner(), transform) }
        let members = try inOrder.mapMembers(
            count: count,
            owner: owner(),
            visitor: visitor,
            name: \.codingKey.stringValue,
            transform: { try transform($1) }
        )
        return [Key: Mapped](uniqueKeysWithValues: members.lazy.map { ($0.key, $0.value) })
    }

    /// Maps the members without a log, in any order and each at most once. After a failure, only members with smaller
    /// names are mapped. So the thrown error belongs to the failing member with the smallest name. Only a
    /// `CancellationError` is thrown at once.
    private func mapUnreported<Mapped>(
        owner: @autoclosure () -> String?,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        var members: [(Key, Mapped)] = []
        members.reserveCapacity(Reservation.capacity(for: count, mapping: Value.self, to: (Key, Mapped).self))
        var failure: (name: String, error: any Error)?
        for (key, value) in self {
            if let failure, key.codingKey.stringValue >= failure.name { continue }
            do {
                members.append((key, try transform(value)))
            } catch {
                if error is CancellationError { throw error }
                failure = (key.codingKey.stringValue, error)
            }
        }
        if let failure {
            throw MappingError.located(MappingError.owned(failure.error, by: owner()), at: .entry(failure.name))
        }
        return [Key: Mapped](uniqueKeysWithValues: members)
    }

    private var inOrder: [Element] {
        map { (name: $0.key.codingKey.stringValue, member: $0) }.sorted { $0.name < $1.name }.map(\.member)
    }
}

extension Reservation {
    /// Returns the capacity for elements that are mapped from source elements. ``Reservation`` limits it by the size of
    /// the source: the memory of its elements, or two bytes of text for each ``Json``.
    @usableFromInline
    static func capacity<Source, Mapped>(for count: Int, mapping source: Source.Type, to type: Mapped.Type) -> Int {
        let textBytes = source == Json.self ? 2 : MemoryLayout<Source>.stride
        return capacity(for: count, stride: MemoryLayout<Mapped>.stride, textBytes: count &* textBytes)
    }
}
