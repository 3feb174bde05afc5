/// Makes JSON Patch documents (RFC 6902).
enum JsonPatch {
    /// Returns the operations that change `old` to `new`, in their order.
    ///
    /// In two arrays, equal elements at the beginning and at the end are kept, so one inserted element is one
    /// operation. The elements between them are changed in place. If one array has more of them, the surplus is removed
    /// or inserted.
    /// - Throws: ``MappingError`` if the values are too deep for the stack.
    static func changes(from old: Json, to new: Json) throws -> Json {
        var operations: [Json] = []
        var path: [String] = []
        try append(from: old, to: new, at: &path, &operations)
        return Json(operations)
    }

    /// Appends the operations of a value: none if both values are equal.
    private static func append(
        from old: Json,
        to new: Json,
        at path: inout [String],
        _ operations: inout [Json]
    ) throws {
        if old.isEqualAtCheckedLevel(to: new, level: path.count) { return }
        try StackSpace.check()
        switch (old.kind, new.kind) {
        case (.object, .object): try appendMembers(from: old, to: new, at: &path, &operations)
        case (.array, .array): try appendElements(from: old, to: new, at: &path, &operations)
        default: if old != new { operations.append(operation("replace", path, new)) }
        }
    }

    /// Appends the operations of two objects: the removed keys first, then the changed and the added ones.
    private static func appendMembers(
        from old: Json,
        to new: Json,
        at path: inout [String],
        _ operations: inout [Json]
    ) throws {
        for (key, _) in old.effectiveMembers where new[key] == nil {
            operations.append(operation("remove", path + [key]))
        }
        for (key, value) in new.effectiveMembers {
            path.append(key)
            defer { path.removeLast() }
            if let before = old[key] {
                try append(from: before, to: value, at: &path, &operations)
            } else {
                operations.append(operation("add", path, value))
            }
        }
    }

    /// Appends the operations of two arrays: the changes in place, then the removals or the insertions.
    private static func appendElements(
        from old: Json,
        to new: Json,
        at path: inout [String],
        _ operations: inout [Json]
    ) throws {
        let (before, after) = (Array(old.elements), Array(new.elements))
        let shorter = min(before.count, after.count)
        let unchanged = operations.count
        // The index of the first element that differs. The comparison has already appended the operations for this
        // element.
        var start = 0
        while start < shorter {
            try appendElement(start, from: before, to: after, at: &path, &operations)
            if operations.count > unchanged { break }
            start += 1
        }
        // Arrays of equal lengths are compared in place, element by element.
        var end = 0
        if before.count != after.count {
            while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        }
        let (oldEnd, newEnd) = (before.count - end, after.count - end)
        let changedEnd = min(oldEnd, newEnd)
        // If only insertions or removals are needed, the operations for the element at `start` are dropped again.
        if start >= changedEnd { operations.removeSubrange(unchanged...) }
        for index in stride(from: start + 1, to: changedEnd, by: 1) {
            try appendElement(index, from: before, to: after, at: &path, &operations)
        }
        // Elements are removed from the last one on, so that the indices of the other elements stay valid.
        for index in stride(from: oldEnd - 1, through: newEnd, by: -1) {
            operations.append(operation("remove", path + ["\(index)"]))
        }
        for index in stride(from: oldEnd, to: newEnd, by: 1) {
            operations.append(operation("add", path + ["\(index)"], after[index]))
        }
    }

    /// Appends the operations of the elements at an index of both arrays.
    private static func appendElement(
        _ index: Int,
        from old: [Json],
        to new: [Json],
        at path: inout [String],
        _ operations: inout [Json]
    ) throws {
        path.append("\(index)")
        defer { path.removeLast() }
        try append(from: old[index], to: new[index], at: &path, &operations)
    }

    /// Returns an operation. The path is written as a JSON Pointer (RFC 6901). `value` is `nil` for a `remove`.
    private static func operation(_ name: String, _ path: [String], _ value: Json? = nil) -> Json {
        let pointer = path.map(escaped).joined()
        var members = [(key: "op", value: Json(name)), (key: "path", value: Json(pointer))]
        if let value { members.append((key: "value", value: value)) }
        return Json(members: members)
    }

    /// Returns a key as a step of a JSON Pointer (RFC 6901 §3).
    private static func escaped(_ key: String) -> String {
        var step = "/"
        for character in key.unicodeScalars {
            switch character {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(character)
            }
        }
        return step
    }
}
