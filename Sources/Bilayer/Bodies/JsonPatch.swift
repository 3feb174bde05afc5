/// JSON Patch documents (RFC 6902).
enum JsonPatch {
    /// The operations that make `new` of `old`, in their order.
    ///
    /// Common elements at the beginning and the end of an array are kept, and those between are changed in place, so
    /// that one inserted element is one operation.
    /// - Throws: ``MappingError`` if the values are too deep for the stack.
    static func changes(from old: Json, to new: Json) throws -> Json {
        var operations: [Json] = []
        try append(from: old, to: new, at: "", &operations)
        return Json(operations)
    }

    private static func append(from old: Json, to new: Json, at pointer: String, _ operations: inout [Json]) throws {
        if old == new { return }
        try StackRoom.check()
        switch (old.kind, new.kind) {
        case (.object, .object): try appendMembers(from: old, to: new, at: pointer, &operations)
        case (.array, .array): try appendElements(from: old, to: new, at: pointer, &operations)
        default: operations.append(operation("replace", pointer, new))
        }
    }

    private static func appendMembers(
        from old: Json,
        to new: Json,
        at pointer: String,
        _ operations: inout [Json]
    ) throws {
        for (key, _) in old.countingMembers where new[key] == nil {
            operations.append(operation("remove", pointer + escaped(key)))
        }
        for (key, value) in new.countingMembers {
            let childPointer = pointer + escaped(key)
            if let before = old[key] {
                try append(from: before, to: value, at: childPointer, &operations)
            } else {
                operations.append(operation("add", childPointer, value))
            }
        }
    }

    private static func appendElements(
        from old: Json,
        to new: Json,
        at pointer: String,
        _ operations: inout [Json]
    ) throws {
        let (before, after) = (Array(old.elements), Array(new.elements))
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start] == after[start] { start += 1 }
        var end = 0
        while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        let (oldEnd, newEnd) = (before.count - end, after.count - end)
        for index in start..<min(oldEnd, newEnd) {
            try append(from: before[index], to: after[index], at: "\(pointer)/\(index)", &operations)
        }
        // The last one first, so that the indices of the others stay.
        for index in stride(from: oldEnd - 1, through: newEnd, by: -1) {
            operations.append(operation("remove", "\(pointer)/\(index)"))
        }
        for index in stride(from: oldEnd, to: newEnd, by: 1) {
            operations.append(operation("add", "\(pointer)/\(index)", after[index]))
        }
    }

    private static func operation(_ name: String, _ pointer: String, _ value: Json? = nil) -> Json {
        var members = [(key: "op", value: Json(name)), (key: "path", value: Json(pointer))]
        if let value { members.append((key: "value", value: value)) }
        return Json(members: members)
    }

    /// A key as a step of a JSON Pointer (RFC 6901 §4).
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
