import Foundation

/// The fields that the `init(from:)` of a type reads, recorded while it read values.
///
/// Only a type that reads like a synthesized `init(from:)` has a known shape. Such a type is a struct or a class. Its
/// coding keys are enums that together have as many cases as the value has stored properties, including the properties
/// of superclasses. The type reads each key in one way, from the value's own container, and without a failure. A type
/// that chooses what it reads has more keys than it reads, or reads a key in several ways, and has no shape. If such a
/// type reads all of its keys for some values, it gets a shape from such a value.
struct ReadShape {
    private var requests: [any FieldRequest]
    private let keys: Set<String>
    /// The members without which the type can be read. The type reads them only if they have a value.
    private var dispensable: Set<SearchFrame.Absence> = []
    /// The keys of members for which the type has defaults. If such a member cannot be read, this is no error of the
    /// type.
    private var tolerated: Set<String> = []

    /// Makes the shape that the reading of a value has shown; `nil` if the type does not read like a synthesized
    /// `init(from:)`.
    init?(of value: Any, in frame: SearchFrame) {
        guard Self.isPossible(in: frame), frame.hasNoFailures, let count = frame.keyCount, count == frame.keys.count,
            Self.isPlain(value, with: count)
        else { return nil }
        requests = frame.requests
        keys = frame.keys
    }

    /// Whether the type may have a shape, as far as a reading shows that has not made a value.
    static func isPossible(in frame: SearchFrame) -> Bool {
        frame.isPlain && areUnique(frame.requests) && frame.requests.allSatisfy(\.isCase)
    }

    /// Whether a request is recorded for each key. A type that first asks whether a member exists has made
    /// no request for a member that was missing or `null`.
    fileprivate var isComplete: Bool { Set(requests.map(\.id.key)).isSuperset(of: keys) }

    /// Whether the type can be read without a member.
    func isDispensable(_ absence: SearchFrame.Absence) -> Bool { dispensable.contains(absence) }

    /// Records that the type can be read without a member.
    mutating func record(dispensable absence: SearchFrame.Absence) { dispensable.insert(absence) }

    /// Records that the type has a default for a member that cannot be read.
    mutating func record(tolerated key: String) { tolerated.insert(key) }

    /// Whether the type has a default for a member that cannot be read.
    func tolerates(_ key: String) -> Bool { tolerated.contains(key) }

    /// Returns the requests that a run did not reach, because it ended at the request `last`. Returns `nil` if the run
    /// does not match this shape.
    func rest(after last: FieldRequestID, in frame: SearchFrame) -> [any FieldRequest]? {
        let isSame = frame.isPlain && keys.isSuperset(of: frame.keys) && requests.contains { $0.id == last }
        return isSame ? requests.filter { !frame.keys.contains($0.id.key) } : nil
    }

    /// Whether this shape has the keys of another shape, and all of its requests.
    func covers(_ other: ReadShape) -> Bool {
        keys == other.keys && other.requests.allSatisfy { request in requests.contains { $0.id == request.id } }
    }

    private static func isPlain(_ value: Any, with keyCount: Int) -> Bool {
        let mirror = Mirror(reflecting: value)
        let isRecord = mirror.displayStyle == .struct || mirror.displayStyle == .class
        let levels = sequence(first: mirror) { $0.superclassMirror }
        return isRecord && levels.reduce(0) { $0 + $1.children.count } == keyCount
    }

    /// Returns both shapes joined; `nil` if their keys differ, or if a key is read in two ways. Two values of a type
    /// may show different requests, because a property wrapper does not read a missing value.
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

/// The shapes that one mapping has recorded. They are not shared with other mappings, so that the errors found in a
/// response depend only on the response.
final class ReadShapes: Sendable {
    private struct State {
        /// The shapes by type; `nil` for a type that has no shape.
        var shapes: [ObjectIdentifier: ReadShape?] = [:]
        var changeCount = 0
        /// The number of entries of each type that could be read.
        var counts: [ObjectIdentifier: Int] = [:]
        /// The examples whose shapes are not recorded yet.
        var examples: [any ExampleOfType] = []
    }

    private let state = Locked(State())

    /// The shape of a type; `nil` if it has none, or until a request is recorded for each of its keys.
    subscript(type: Any.Type) -> ReadShape? {
        guard let shape = recorded(type), shape.isComplete else { return nil }
        return shape
    }

    /// The number of times that a shape was found, extended or lost.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Returns the shape of a type as recorded so far, complete or not.
    func recorded(_ type: Any.Type) -> ReadShape? { state.withLock { $0.shapes[ObjectIdentifier(type)] ?? nil } }

    func record(_ type: Any.Type, _ shape: ReadShape?) {
        state.withLock { state in
            let id = ObjectIdentifier(type)
            guard let earlier = state.shapes[id] else {
                state.shapes[id] = .some(shape)
                if shape != nil { state.changeCount += 1 }
                return
            }
            guard let earlier else { return }
            let merged = shape.flatMap(earlier.merged)
            if merged.map(earlier.covers) != true { state.changeCount += 1 }
            state.shapes[id] = .some(merged)
        }
    }

    /// Keeps some of the entries that could be read: the 1st, 2nd, 4th, 8th … of each type, because the first entries
    /// may have empty lists. Shapes are recorded only when another entry fails, because most responses have no errors.
    func keep(_ type: Any.Type, _ example: () -> any ExampleOfType) {
        state.withLock { state in
            let count = (state.counts[ObjectIdentifier(type)] ?? 0) + 1
            state.counts[ObjectIdentifier(type)] = count
            if count & (count - 1) == 0 { state.examples.append(example()) }
        }
    }

    /// Reads the kept entries again, each with its settings, to record their shapes.
    func recordExamples() throws {
        let examples = state.withLock { state in
            defer { state.examples = [] }
            return state.examples
        }
        for example in examples { try example.recordShapes() }
    }
}

/// An entry that was read without an error. The shape of its type can be recorded from it.
protocol ExampleOfType: Sendable {
    /// Records the shapes of the entry's values, in the mapping in progress. Its issues are discarded.
    func recordShapes() throws
}

extension MappingSession {
    /// The shapes of this mapping.
    var shapes: ReadShapes { searchMemory { ReadShapes() } }
}

/// The identity of a request: the key, the container's key type, the requested type, and whether it is optional.
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

/// A request that a type's `init(from:)` makes to its container. It can be repeated for another value.
protocol FieldRequest: Sendable {
    var id: FieldRequestID { get }
    /// Whether the key is a case of an enum.
    var isCase: Bool { get }

    /// Returns how the requested member is absent: missing or `null`. Returns `nil` if the member has a value.
    func absence(in decoder: SearchDecoder) throws -> SearchFrame.Absence?

    func perform(in decoder: SearchDecoder) throws
}

struct KeyedFieldRequest<Key: CodingKey, Value: Decodable>: FieldRequest {
    let key: Key
    let isOptional: Bool

    var id: FieldRequestID { FieldRequestID(Key.self, key.stringValue, Value.self, isOptional: isOptional) }

    var isCase: Bool { Mirror(reflecting: key).displayStyle == .enum }

    func absence(in decoder: SearchDecoder) throws -> SearchFrame.Absence? {
        let container = try decoder.container(keyedBy: Key.self)
        if !container.contains(key) { return .init(key: key.stringValue, isNull: false) }
        return try container.decodeNil(forKey: key) ? .init(key: key.stringValue, isNull: true) : nil
    }

    func perform(in decoder: SearchDecoder) throws {
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
    /// Whether the value was read part by part, so that its errors are already counted.
    let isNested: Bool
    /// Makes the request's result from a placeholder. Returns `nil` for a placeholder of another type.
    var result: (Any) -> Any? = { _ in nil }
}
