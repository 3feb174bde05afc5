// # How a list is read while an issue log is bound
//
// The elements of a `Codable` type after the first are read in one `DecodingSession`, each directly into the array's
// memory. An element that fails is handled as if it were read alone. The list
//
//     [{"id":7},{"id":"x"},{"id":9}]
//
// is read as `[OrderEntry]`, with `let id: Int`. For each element, the list takes a *mark* of the log: issues that are
// added later belong to the element. Element 0 and element 2 are read and add no issues, so nothing else happens. For
// element 1, the policy decides. The visitor is the ``ElementVisitor`` of the list, and `finish` is its last step:
//
//     standard        read         fails at `id`
//                     visitor      sets its issues aside, puts [1] in front of all paths, throws
//                                  -> the error `$[1].id: wrong type`; element 2 is not read
//
//     collectingAll   trial        fails at `id`
//                     remove       what the trial has added since the mark
//                     read again   by `ErrorSearch`, for all errors of the entry
//                     visitor      puts [1] in front, keeps the error, goes on with element 2
//                     finish       throws all kept errors
//
//     salvaging       trial        fails at `id`
//                     remove       what the trial has added since the mark
//                     read again   with the tolerance of `Salvaging`: `id` is not optional, so this fails, too
//                     visitor      removes what this has added, adds one warning `$[1]: dropped` with the error as its
//                                  cause, goes on with element 2
//                     finish       throws if more is lost than is tolerated, else records the loss of [1]
//                                  -> the orders 7 and 9
//
// If `id` were an `Int?`, the second reading under `salvaging` would succeed, with a warning `$.id: dropped`. The *end
// of the entry* would then add the type's name, the JSON's keys and the entry's JSON to the warning. The visitor would
// prepend [1]. Under the other policies, these last two steps also follow a first reading that succeeds with a warning.
//
// If a policy may read an entry again, the first reading is a *trial* (``MappingSession/reading(asTrial:_:)``). An
// entry inside a trial is not read again by itself, because each level would double the readings below it. The second
// reading is not a trial. In it, an inner entry that has failed in the trial is not tried once more
// (``MappingSession/record(_:inTrialOf:as:)``). In a tolerant reading, the elements of the entry's arrays are read in
// the same two steps (`ValueDecoder.salvagedElements`), as long as a ``TrialBudget`` allows it. An entry that is not in
// a list takes the same steps in `Json.decodeCodable`. So do the elements of a list under `strict` and other policies
// that check unknown keys.

extension Json {
    /// Reads the elements of an array for which the fast path of ``decodeElements(_:)`` does not apply.
    @usableFromInline
    func decodeElementsSlowPath<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        recordDocument()
        return try locating(at: nil, in: self) { try decodeElements(of: type) }
    }

    /// Records this value's document as that of the mapping, for a mapping outside a call. Otherwise the first element
    /// would record its document. For an element that is no part of a parsed text, this is the element itself.
    func recordDocument() { MappingSession.inProgress?.record(documentOf: self) }

    private func decodeElements<Value: RawDecodable>(of type: Value.Type) throws -> [Value] where Value.Raw == Json {
        try StackSpace.check()
        guard kind == .array else { throw MappingError(.wrongType(in: self, expected: [Value].self)) }
        // A policy that checks unknown keys reads each entry by itself, because the keys are recorded for each entry.
        guard let mapping = MappingSession.inProgress, mapping.policy.unknownKeys == .ignore,
            case .view(let document, let array) = storage, !document.isStackLow,
            let entry = type as? any Decodable.Type
        else { return try elements.mapElements(owner: ownerName(of: Value.self)) { try Value.from(part: $0) } }
        var visitor = ElementVisitor(mapping)
        let entries: [Value] = try entry.entries(of: array, document, in: mapping, &visitor)
        try visitor.finish(count: document.withNodes { $0.words.memberCount(at: array) })
        return entries
    }
}

extension Decodable {
    /// Reads the elements of an array. `Value` must be `Self`.
    fileprivate static func entries<Value: RawDecodable>(
        of array: Int,
        _ document: JsonDocument,
        in mapping: MappingSession,
        _ visitor: inout ElementVisitor
    ) throws -> [Value] where Value.Raw == Json {
        let nodes = document.nodes
        let count = nodes.words.memberCount(at: array)
        guard count > 0 else { return [] }
        let capacity = nodes.capacity(for: count, of: Value.self, in: array)
        var position = nodes.firstChild(of: array)
        let first = try visitor.visit(.index(0), owner: ownerName(of: Value.self)) {
            try Value.from(part: Json(.view(document, position)))
        }
        // The first element has shown whether the type uses the default `from(raw:)`.
        if DefaultConformanceTypes.decoded.contains(Value.self), capacity == count {
            // Bound: `Value` and `Self` are the same type.
            let first = unsafe unsafeBitCast(first, to: Self?.self)
            let entries = try entries(after: first, count: count, from: position, document, in: mapping, &visitor)
            return unsafe unsafeBitCast(entries, to: [Value].self)
        }
        var entries: [Value] = []
        entries.reserveCapacity(capacity)
        if let first { entries.append(first) }
        for index in 1..<count {
            position = nodes.words.next(after: position)
            let entry = try visitor.visit(.index(index), owner: ownerName(of: Value.self)) {
                try Value.from(part: Json(.view(document, position)))
            }
            if let entry { entries.append(entry) }
        }
        return entries
    }

    /// Reads the elements after the first in one ``DecodingSession``, each directly into the array's memory.
    private static func entries(
        after first: Self?,
        count: Int,
        from start: Int,
        _ document: JsonDocument,
        in mapping: MappingSession,
        _ visitor: inout ElementVisitor
    ) throws -> [Self] {
        let isInTrial = mapping.isTrial
        let mayHaveFailed = !isInTrial && mapping.hasFailedTrials
        return try mapping.reading(asTrial: true) {
            try DecodingSession.run(document, mapping.decoder) { context in
                let fastPath = context.fastPath(of: Self.self)
                return try unsafe [Self](unsafeUninitializedCapacity: count) { buffer, made in
                    // Bound: the buffer has capacity for `count` elements, and `made` grows at most once for each.
                    let memory = unsafe buffer.baseAddress.unsafelyUnwrapped
                    if let first {
                        unsafe memory.initialize(to: first)
                        made = 1
                    }
                    var position = start
                    for index in 1..<count {
                        position = document.nodes.words.next(after: position)
                        let element = ListElement(index: index, position: position, document: document)
                        // Bound: made < index < count.
                        let slot = unsafe memory + made
                        let isMade = try unsafe read(
                            element,
                            into: slot,
                            by: fastPath,
                            context,
                            mapping,
                            isInTrial: isInTrial,
                            mayHaveFailed: mayHaveFailed,
                            &visitor
                        )
                        if isMade { made &+= 1 }
                    }
                }
            }
        }
    }

    /// Reads an element directly into the array's memory.
    /// - Returns: Whether the memory has a value. False if the element is left out.
    @inline(__always)
    @unsafe
    private static func read(
        _ element: ListElement,
        into memory: UnsafeMutablePointer<Self>,
        by fastPath: DecodingFastPath,
        _ context: DecodingContext,
        _ mapping: MappingSession,
        isInTrial: Bool,
        mayHaveFailed: Bool,
        _ visitor: inout ElementVisitor
    ) throws -> Bool {
        let slot = unsafe UninitializedSlot(memory)
        let mark = visitor.mark
        do {
            if mayHaveFailed, let error = mapping.errorInTrial(of: element.json, as: Self.self) { throw error }
            try context.fill(slot, with: Self.self, by: fastPath, at: element.position, CodingPathNode())
        } catch {
            mapping.setAside(since: mark, failedBy: error)
            let isReported = visitor.describesFailures
            return try readAgain(element, into: slot, &visitor) { json in
                if isInTrial {
                    let error = json.entryError(error, of: Self.self)
                    mapping.record(error, inTrialOf: json, as: Self.self)
                    throw error
                }
                return try mapping.reading(asTrial: false) {
                    try json.decodeTolerantly(
                        Self.self,
                        after: error,
                        since: mark,
                        in: mapping,
                        isReported: isReported
                    )
                }
            }
        }
        if mapping.mark != mark { mapping.settleAside(since: mark) }
        if isInTrial {
            if mapping.readsTolerantly(since: mark) { mapping.recordLoss(inTrialOf: element.json, as: Self.self) }
        } else if mapping.readsTolerantly(since: mark) {
            unsafe memory.deinitialize(count: 1)
            let isReported = visitor.describesFailures
            return try readAgain(element, into: slot, &visitor) { json in
                try mapping.reading(asTrial: false) {
                    try json.salvage(Self.self, since: mark, in: mapping, isReported: isReported)
                }
            }
        }
        if mapping.mark == mark, !mapping.policy.collectsAll { return true }
        var isKept = false
        defer { if !isKept { unsafe memory.deinitialize(count: 1) } }
        isKept =
            try visitor.visit(.index(element.index), owner: typeName(Self.self)) {
                try element.json.finishEntry(Self.self, since: mark, in: mapping)
            } != nil
        return isKept
    }

    /// Visits an element that failed, or that must be read again with tolerance. `read` reads the element by itself, or
    /// throws its error.
    @inline(never)
    private static func readAgain(
        _ element: ListElement,
        into slot: UninitializedSlot,
        _ visitor: inout ElementVisitor,
        _ read: (Json) throws -> Self
    ) throws -> Bool {
        let entry = try visitor.visit(.index(element.index), owner: typeName(Self.self)) { try read(element.json) }
        guard let entry else { return false }
        unsafe slot.fill(entry)
        return true
    }
}

/// An element of a list that is read in one ``DecodingSession``.
private struct ListElement {
    let index: Int
    let position: Int
    let document: JsonDocument

    var json: Json { Json(.view(document, position)) }
}

extension Array where Element: RawEncodable, Element.Raw == Json {
    /// Writes the elements. If the type uses the default `toRaw()`, the elements after the first are written in one
    /// ``EncodingSession``. The first element shows whether the type uses the default.
    func writeElements() throws -> Json {
        var visitor = ElementVisitor(IssueLog.current)
        var written: [Json] = []
        written.reserveCapacity(count)
        for (index, element) in enumerated() {
            let json = try visitor.visit(.index(index), owner: nil) { try element.toRaw() }
            if let json { written.append(json) }
            if index == 0, count > 1, let entry = defaultEntry {
                return try entry.list(after: json, of: self, &visitor)
            }
        }
        try visitor.finish(count: count)
        return Json(written)
    }

    /// The type of the elements, if it uses the default `toRaw()`; otherwise `nil`.
    private var defaultEntry: (any Encodable.Type)? {
        DefaultConformanceTypes.encoded.contains(Element.self) ? Element.self as? any Encodable.Type : nil
    }
}

extension Encodable {
    /// Writes the elements of a list after the first in one ``EncodingSession``, each as its `toRaw()` would write it.
    /// `Element` must be `Self`.
    /// - Parameters:
    ///   - first: The first element; `nil` if it was left out.
    ///   - elements: All elements.
    ///   - visitor: The visitor of the first element.
    /// - Returns: The list.
    /// - Throws: What the visitor throws for the errors of the elements.
    fileprivate static func list<Element>(
        after first: Json?,
        of elements: [Element],
        _ visitor: inout ElementVisitor
    ) throws -> Json {
        // Bound: `Element` and `Self` are the same type.
        let entries = unsafe unsafeBitCast(elements, to: [Self].self)
        let mapping = MappingSession.inProgress
        let text = try EncodingSession.encodeList(of: Self.self, mapping?.encoder ?? .plain) { list in
            if let first { list.append(encoded: first) }
            for index in entries.indices.dropFirst() {
                do {
                    try list.append(entries[index])
                } catch {
                    let error = mapping?.named(writing: error, since: visitor.mark) ?? error
                    try visitor.failed(error, at: .index(index), owner: nil)
                    continue
                }
                if !visitor.hasNoIssue { try finish(index, of: &list, in: mapping, &visitor) }
            }
        }
        try visitor.finish(count: elements.count)
        return Json(.written(WrittenJson(text)))
    }

    /// Completes the issues of an element that was written, and removes the element if it is refused.
    @inline(never)
    private static func finish(
        _ index: Int,
        of list: inout ListEncoding<Self>,
        in mapping: MappingSession?,
        _ visitor: inout ElementVisitor
    ) throws {
        let mark = visitor.mark
        let json = list.last
        let isKept: Void? = try visitor.visit(.index(index), owner: nil) {
            try mapping?.nameKeys(since: mark, in: json)
        }
        if isKept == nil { list.removeLast() }
    }
}
