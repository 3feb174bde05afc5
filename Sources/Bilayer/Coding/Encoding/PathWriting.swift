/// The container of an object on the path of a key (``PathCodingKey``).
typealias ObjectOnPath = JsonKeyedEncodingContainer<PathStep, KeyedEncodingHolder>

/// Writes the members of an object and of its nested objects, for keys with paths (``PathCodingKey``).
///
/// Several containers of one encoder may write into the same objects, as the containers of a class and of its
/// superclass do. So each object is registered as a nested container of the object around it.
struct PathWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let base: ObjectOnPath
    private let memberPaths: MemberPaths
    /// The objects that were opened on the paths of keys, by their places (``MemberPaths/writing(of:)``).
    private var opened: [(place: Int, object: ObjectOnPath)] = []
    /// The places of the keys whose values user code writes by itself, for example by a nested container.
    private var written: Set<Int> = []
    /// The names of such keys that have no place.
    private var writtenNames: Set<String> = []

    init(_ base: ObjectOnPath, _ memberPaths: MemberPaths) {
        self.base = base
        self.memberPaths = memberPaths
    }

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try encode(Json.null, forKey: key) }

    /// Writes a value into the innermost object on its key's path. Writes the objects on the path that are missing,
    /// too.
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let (steps, places) = memberPaths.writing(of: key)
        if !written.isEmpty, places.dropLast().contains(where: written.contains) { throw passesThroughValue(key) }
        var object = base
        var count = 0
        while count < steps.count - 1, let next = try openObject(at: places[count], steps[count], in: object, for: key)
        {
            object = next
            count += 1
        }
        if count == steps.count - 1 {
            if case .container = object.writer.earlier(steps[count]), !isWritten(key, at: places.last) {
                throw passesThroughValue(key)
            }
            return try object.encode(value, forKey: steps[count])
        }
        // The objects that are not open yet are written as one value. If the innermost value fails, all of them are
        // removed.
        let inside = PathValue(value: value, steps: steps[(count + 1)...])
        try object.encode(inside, forKey: steps[count])
        if let encoder = inside.outermost.encoder { object.writer.register(encoder.owner, for: steps[count]) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let (container, step) = open(key)
        return container.nestedContainer(keyedBy: keys, forKey: step)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let (container, step) = open(key)
        return container.nestedUnkeyedContainer(forKey: step)
    }

    mutating func superEncoder() -> any Encoder { base.superEncoder() }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        let (container, step) = open(key)
        return container.superEncoder(forKey: step)
    }
}

extension PathWriting {
    private func openedObject(at place: Int) -> ObjectOnPath? { opened.first { $0.place == place }?.object }

    private func isWritten(_ key: Key, at place: Int?) -> Bool {
        place.map(written.contains) ?? writtenNames.contains(key.stringValue)
    }

    private func passesThroughValue(_ key: Key) -> EncodingError {
        let description = "The path goes through the value of another key."
        return .invalidValue(key.stringValue, .init(codingPath: codingPath + [key], debugDescription: description))
    }

    /// Returns an object at a place, if this container or another container of the encoder has opened it; otherwise
    /// `nil`.
    private mutating func openObject(
        at place: Int,
        _ step: PathStep,
        in outer: ObjectOnPath,
        for key: Key
    ) throws -> ObjectOnPath? {
        if let object = openedObject(at: place) { return object }
        switch outer.writer.earlier(step) {
        case .nothing: return nil
        case .value: throw passesThroughValue(key)
        case .container(let owner):
            let object = outer.writer.context.registerEncoder(for: owner).objectOnPath()
            opened.append((place, object))
            return object
        }
    }

    /// Opens the objects on the path of a key. Returns the innermost object and the last key of the path.
    private mutating func open(_ key: Key) -> (ObjectOnPath, PathStep) {
        let (steps, places) = memberPaths.writing(of: key)
        if let place = places.last { written.insert(place) } else { writtenNames.insert(key.stringValue) }
        var object = base
        for (step, place) in zip(steps.dropLast(), places) {
            if let next = openedObject(at: place) {
                object = next
                continue
            }
            object = object.writer.nested(step, isShared: true).objectOnPath()
            opened.append((place, object))
        }
        return (object, steps.last ?? memberPaths.step(to: key))
    }
}

/// A value together with the objects that enclose it on its path.
private struct PathValue<Value: Encodable>: Encodable {
    let value: Value
    /// The keys from the outermost of the objects to the value.
    let steps: ArraySlice<PathStep>
    let outermost = EncoderHolder()

    /// Holds the encoder of the outermost object, because later keys may write into the same object.
    final class EncoderHolder {
        var encoder: ValueEncoder?
    }

    func encode(to encoder: any Encoder) throws {
        outermost.encoder = encoder as? ValueEncoder
        var container = encoder.container(keyedBy: PathStep.self)
        for step in steps.dropLast() {
            container = container.nestedContainer(keyedBy: PathStep.self, forKey: step)
        }
        if let last = steps.last { try container.encode(value, forKey: last) }
    }
}
