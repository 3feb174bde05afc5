// Two values are equal if they have equal meanings by RFC 8259: members in any order, numbers by value. A list stores
// the remaining comparisons, so nesting costs memory, not stack.
extension Json: Hashable {
    /// Whether two values are equal.
    ///
    /// Strings and keys are compared by their UTF-8 bytes after escapes are resolved. Numbers are compared by their
    /// exact value: `1 == 1.0 == 1e0`, but `0.1` is not `0.1000000000000000055`. A number made from a `Double` or
    /// `Float` has the value of its shortest text. The order of members does not matter. Of members with equal keys,
    /// only the member that look-up finds is compared.
    public static func == (left: Json, right: Json) -> Bool {
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            switch (left.resolved, right.resolved) {
            case (.view(let document, let position), .view(let other, let otherPosition)):
                if !document.isEqual(at: position, to: other, at: otherPosition) { return false }
            default:
                guard let parts = partsToCompare(left, right) else { return false }
                pending.append(contentsOf: parts)
            }
        }
        return true
    }

    /// Returns the pairs of inner values that must also be equal: none for equal scalars. Returns nil if the two values
    /// already differ without their inner values.
    private static func partsToCompare(_ left: Json, _ right: Json) -> [(Json, Json)]? {
        guard left.kind == right.kind else { return nil }
        switch left.kind {
        case .null: return []
        case .bool: return left.bool == right.bool ? [] : nil
        case .number: return left.number == right.number ? [] : nil
        case .string: return left.hasSameText(as: right) ? [] : nil
        case .array: return left.count == right.count ? Array(zip(left.elements, right.elements)) : nil
        case .object:
            if case .object(let object) = left.storage { return pairedMembers(object, right) }
            return pairedMembers(right.storedMembers, left)
        }
    }

    /// Returns the pairs of values with equal keys; nil if one of the objects has a key that the other lacks.
    private static func pairedMembers(_ object: JsonObject, _ other: Json) -> [(Json, Json)]? {
        let slots = object.slots
        var values = [Json?](repeating: nil, count: slots.count)
        var count = 0
        for (key, value) in other.members {
            guard let slot = object.slot(of: key) else { return nil }
            if values[slot] == nil { count += 1 }
            if values[slot] == nil || other.lastOfEqualKeysCounts { values[slot] = value }
        }
        guard count == object.count else { return nil }
        return zip(slots, values)
            .compactMap { member, value in
                guard let member, let value else { return nil }
                return (member.value, value)
            }
    }

    /// Whether look-up finds the last of several members with equal keys. The parsing options decide this.
    @usableFromInline
    var lastOfEqualKeysCounts: Bool {
        if case .view(let document, _) = resolved { return document.repeatedKeys == .lastWins }
        return false
    }

    private func hasSameText(as other: Json) -> Bool {
        guard let text = string, let otherText = other.string else { return false }
        return text.hasSameBytes(as: otherText)
    }

    /// The number in its normal form; nil if the value is not a number.
    var number: JsonNumber? { numberText.map { JsonNumber(text: $0.utf8) } }

    /// Feeds the value to a hasher. Equal values have equal hashes. Values that differ only in deep levels can also
    /// have equal hashes.
    public func hash(into hasher: inout Hasher) {
        combine(into: &hasher, levels: 4)
    }

    /// Feeds the value to a hasher: containers with their counts, and their children down to `levels` more levels.
    fileprivate func combine(into hasher: inout Hasher, levels: Int) {
        hasher.combine(kind)
        switch kind {
        case .null: break
        case .bool: hasher.combine(bool)
        case .number: hasher.combine(number)
        case .string: hasher.combine(JsonKey(text: string ?? ""))
        case .array:
            hasher.combine(count)
            if levels > 0 { for element in elements { element.combine(into: &hasher, levels: levels - 1) } }
        case .object:
            let object = storedMembers
            hasher.combine(object.count)
            if levels > 0 { hasher.combine(object.members.reduce(0) { $0 ^ $1.hash(levels: levels) }) }
        }
    }
}

extension JsonObject.Member {
    /// Returns the hash of one member. An object combines the hashes of its members independently of their order.
    fileprivate func hash(levels: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(JsonKey(text: key))
        value.combine(into: &hasher, levels: levels - 1)
        return hasher.finalize()
    }
}

extension JsonDocument {
    /// Whether the value at a position equals a value of this or another document.
    fileprivate func isEqual(at position: Int, to other: JsonDocument, at otherPosition: Int) -> Bool {
        if self === other && position == otherPosition { return true }
        return withNodes { left in
            other.withNodes { right in
                var equality = NodesEquality(
                    left,
                    lastWins: repeatedKeys == .lastWins,
                    right,
                    lastWins: other.repeatedKeys == .lastWins
                )
                return equality.areEqual(position, otherPosition)
            }
        }
    }
}
