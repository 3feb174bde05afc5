import Foundation

/// The fields that the `init(from:)` of a type reads, recorded from values that it has made.
///
/// Only types that read like a synthesized `init(from:)` have a known shape. Such a type is a struct or a class whose
/// coding keys are an enum with as many cases as there are stored properties, for each level of a class. It reads each
/// of them once, in one way, from the value's own container, and without a failure. A type that chooses what it reads
/// has more keys than it reads, or reads one in several ways. One that reads all of its keys for some values has a
/// shape once it was read from such a value.
struct ReadShape {
    private var requests: [any FieldRequest]
    private let keys: Set<String>
    /// The members that the type can do without: they are read where they have a value.
    private var dispensable: Set<CollectingFrame.Absence> = []
    /// The keys of members that have defaults where they cannot be read. Their errors are none of the type.
    private var tolerated: Set<String> = []

    /// Makes the shape that a value of a type has shown; nil if there is none.
    init?(of value: Any, in frame: CollectingFrame) {
        guard frame.isPlain, frame.hasNoFailures, let count = frame.keyCount, count == frame.keys.count,
            Self.isPlain(value, with: count), Self.areUnique(frame.requests), frame.requests.allSatisfy(\.isCase)
        else { return nil }
        requests = frame.requests
        keys = frame.keys
    }

    /// Whether each key has a request. A type that looks for a member before it reads it has not read one that was
    /// missing or null.
    fileprivate var isComplete: Bool { Set(requests.map(\.id.key)).isSuperset(of: keys) }

    /// Whether the type can do without what a request would not find.
    func isDispensable(_ absence: CollectingFrame.Absence) -> Bool { dispensable.contains(absence) }

    /// Adds what the type can do without.
    mutating func note(dispensable absence: CollectingFrame.Absence) { dispensable.insert(absence) }

    /// Adds the key of a member that has a default where it cannot be read.
    mutating func note(tolerated key: String) { tolerated.insert(key) }

    /// Whether the type has a default for a member's value that cannot be read.
    func tolerates(_ key: String) -> Bool { tolerated.contains(key) }

    /// The requests that a run did not reach that ended at one of them; nil if it was not of this shape.
    func rest(after last: FieldRequestID, in frame: CollectingFrame) -> [any FieldRequest]? {
        let isSame = frame.isPlain && keys.isSuperset(of: frame.keys) && requests.contains { $0.id == last }
        return isSame ? requests.filter { !frame.keys.contains($0.id.key) } : nil
    }

    /// Whether this shape has all reads of another one.
    func covers(_ other: ReadShape) -> Bool {
        keys == other.keys && other.requests.allSatisfy { request in requests.contains { $0.id == request.id } }
    }

    private static func isPlain(_ value: Any, with keyCount: Int) -> Bool {
        let mirror = Mirror(reflecting: value)
        let isRecord = mirror.displayStyle == .struct || mirror.displayStyle == .class
        let levels = sequence(first: mirror) { $0.superclassMirror }
        return isRecord && levels.reduce(0) { $0 + $1.children.count } == keyCount
    }

    /// Both shapes as one, if they are of the same keys. A wrapper's missing value is not read.
    fileprivate func merged(with other: ReadShape) -> ReadShape? {
        guard keys == other.keys else { return nil }
        var merged = self
        merged.dispensable.formUnion(other.dispensable)
        merged.requests += other.requests.filter { request in !requests.contains { $0.id == request.id } }
        merged.tolerated.formUnion(other.tolerated)
        return Self.areUnique(merged.requests) ? merged : nil
    }

    /// Whether no key is read in two ways.
    private static func areUnique(_ requests: [any FieldRequest]) -> Bool {
        Set(requests.map(\.id.key)).count == requests.count
    }
}

/// The shapes that a mapping has recorded. They are those of one mapping, so that the errors that are found in a
/// response depend on nothing but the response.
final class ReadShapes: Sendable {
    private struct State {
        /// Nil for a type without a shape.
        var shapes: [ObjectIdentifier: ReadShape?] = [:]
        var changes = 0
        /// The types of the entries that could be read, and those that are to be read for their shapes.
        var types: Set<ObjectIdentifier> = []
        var examples: [any ExampleOfType] = []
    }

    private let state = Locked(State())

    /// The shape of a type, once values have shown all of it.
    subscript(type: Any.Type) -> ReadShape? {
        guard let shape = recorded(type), shape.isComplete else { return nil }
        return shape
    }

    /// The number of times that a shape was found, completed or lost.
    var changes: Int { state.withLock { $0.changes } }

    /// What values of a type have shown so far.
    func recorded(_ type: Any.Type) -> ReadShape? { state.withLock { $0.shapes[ObjectIdentifier(type)] ?? nil } }

    func learn(_ type: Any.Type, _ shape: ReadShape?) {
        state.withLock { state in
            let id = ObjectIdentifier(type)
            guard let earlier = state.shapes[id] else {
                state.shapes[id] = .some(shape)
                if shape != nil { state.changes += 1 }
                return
            }
            guard let earlier else { return }
            let merged = shape.flatMap(earlier.merged)
            if merged.map(earlier.covers) != true { state.changes += 1 }
            state.shapes[id] = .some(merged)
        }
    }

    /// Keeps the first entry of a type that could be read. It is read for its shape when another one fails, since most
    /// responses have no errors.
    func keep(_ type: Any.Type, _ example: () -> any ExampleOfType) {
        state.withLock { state in
            if state.types.insert(ObjectIdentifier(type)).inserted { state.examples.append(example()) }
        }
    }

    /// Reads the entries that were kept.
    func learnExamples(in mapping: MappingSession) throws {
        let examples = state.withLock { state in
            defer { state.examples = [] }
            return state.examples
        }
        for example in examples { try example.learn(in: mapping) }
    }
}

/// An entry that could be read, and shows what its type reads.
protocol ExampleOfType: Sendable {
    /// Records the shapes of the entry's values.
    func learn(in mapping: MappingSession) throws
}

extension MappingSession {
    /// The shapes of this mapping.
    var shapes: ReadShapes { searchMemory { ReadShapes() } }
}

/// The identity of a value that a type requests from a container.
struct FieldRequestID: Hashable {
    let key: String
    private let container: ObjectIdentifier
    private let type: ObjectIdentifier
    private let isOptional: Bool

    init(_ container: Any.Type, _ key: String, _ type: Any.Type, isOptional: Bool) {
        self.key = key
        self.container = ObjectIdentifier(container)
        self.type = ObjectIdentifier(type)
        self.isOptional = isOptional
    }
}

/// A request of a type to its container, which can be repeated for another value.
protocol FieldRequest: Sendable {
    var id: FieldRequestID { get }
    /// Whether the key is the case of an enum.
    var isCase: Bool { get }

    /// What is there instead of a value; nil if there is one.
    func absence(in decoder: CollectingDecoder) throws -> CollectingFrame.Absence?

    func perform(in decoder: CollectingDecoder) throws
}

struct KeyedFieldRequest<Key: CodingKey, Value: Decodable>: FieldRequest {
    let key: Key
    let isOptional: Bool

    var id: FieldRequestID { FieldRequestID(Key.self, key.stringValue, Value.self, isOptional: isOptional) }

    var isCase: Bool { Mirror(reflecting: key).displayStyle == .enum }

    func absence(in decoder: CollectingDecoder) throws -> CollectingFrame.Absence? {
        let container = try decoder.container(keyedBy: Key.self)
        if !container.contains(key) { return .init(key: key.stringValue, isNull: false) }
        return try container.decodeNil(forKey: key) ? .init(key: key.stringValue, isNull: true) : nil
    }

    func perform(in decoder: CollectingDecoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if isOptional {
            _ = try container.decodeIfPresent(Value.self, forKey: key)
        } else {
            _ = try container.decode(Value.self, forKey: key)
        }
    }
}

/// A request that failed.
struct FailedFieldRequest {
    let id: FieldRequestID
    let failure: Failure
    /// Whether the errors are those of a value's own parts.
    let isNested: Bool
    /// Makes the request's result of a placeholder; nil for one of another type.
    var result: (Any) -> Any? = { _ in nil }
}
