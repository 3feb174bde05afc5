// Equal values mean the same to whoever reads them by the standard: members in any order, numbers by value. Depth costs memory,
// not stack: what is still to compare is on a list.
extension Json: Hashable {
    /// Whether two values mean the same.
    ///
    /// Strings and keys are compared by their UTF-8 bytes after escapes are resolved, numbers by their exact value
    /// (`1 == 1.0 == 1e0`, but `0.1` is not `0.1000000000000000055`; a number made from a `Double` is the one its shortest text
    /// spells), objects without regard to the order of their members. Of members with the same key the one that look-up finds counts.
    public static func == (left: Json, right: Json) -> Bool {
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            guard left.kind == right.kind else { return false }
            switch left.kind {
            case .null: break
            case .bool: if left.bool != right.bool { return false }
            case .number: if left.number != right.number { return false }
            case .string: if !left.hasSameText(as: right) { return false }
            case .array:
                if left.count != right.count { return false }
                pending.append(contentsOf: zip(left.elements, right.elements))
            case .object:
                guard let pairs = pairedMembers(left, right) else { return false }
                pending.append(contentsOf: pairs)
            }
        }
        return true
    }

    /// The values of equal keys, nil if a key is in one object only.
    private static func pairedMembers(_ left: Json, _ right: Json) -> [(Json, Json)]? {
        let left = left.storedMembers
        let right = right.storedMembers
        guard left.count == right.count else { return nil }
        var pairs: [(Json, Json)] = []
        for member in left.members {
            guard let other = right[member.key] else { return nil }
            pairs.append((member.value, other))
        }
        return pairs
    }

    private func hasSameText(as other: Json) -> Bool {
        guard let text = string, let otherText = other.string else { return false }
        return text.hasSameBytes(as: otherText)
    }

    /// The number in its normal form.
    var number: JsonNumber? { numberText.map { JsonNumber(text: $0.utf8) } }

    /// Feeds the value to a hasher. Equal values have equal hashes; values that differ only deep inside may have equal hashes too.
    public func hash(into hasher: inout Hasher) {
        combine(into: &hasher, levels: 4)
    }

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
    /// A hash of the member alone: those of an object are combined in a way that does not depend on their order.
    fileprivate func hash(levels: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(JsonKey(text: key))
        value.combine(into: &hasher, levels: levels - 1)
        return hasher.finalize()
    }
}
