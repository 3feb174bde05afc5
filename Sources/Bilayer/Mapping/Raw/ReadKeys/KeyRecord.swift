import Foundation

/// The keys that `Codable` types requested while their values were read, object by object.
// Sendable: the variables are only used under the lock. A decoding call runs on one thread, but a decoder that user
// code retains may be used on another.
final class KeyRecord: @unchecked Sendable {
    /// The record of one object.
    struct Object {
        /// The path by which the object was first read.
        let path: JsonPath
        /// The other paths by which it was read. Under a naming, one type may read it as a property, and another as a
        /// member of a dictionary.
        fileprivate var otherPaths: [JsonPath] = []
        /// The object's position in the index of the text, if there is a naming.
        fileprivate let place: Int?
        let owner: String
        let rule: MappingPolicy.UnknownKeys
        fileprivate let scope: Scope
        /// Whether a nested container or a `superDecoder()` of the scope reads the object.
        fileprivate let isPart: Bool
        /// The keys of the object. Under a ``KeyNaming`` they are the keys of the JSON, otherwise the names that the
        /// key strategy has made of these keys.
        fileprivate let keys: [String]
        fileprivate var requested: Set<JsonKey> = []
        fileprivate var acceptsAllKeys = false
        /// Whether the value was left out, so that a type that reads it later opens a new object. Set by
        /// ``KeyRecord/take(since:)``.
        fileprivate var isLeftOut = false

        /// Returns whether the change is one.
        fileprivate mutating func apply(_ change: Change) -> Bool {
            if let key = change.key { return requested.insert(key).inserted }
            defer { acceptsAllKeys = true }
            return !acceptsAllKeys
        }

        fileprivate mutating func undo(_ change: Change) {
            if let key = change.key { requested.remove(key) } else { acceptsAllKeys = false }
        }

        fileprivate var paths: [JsonPath] { [path] + otherPaths }

        /// The keys that were not requested.
        var unknownKeys: [String] { acceptsAllKeys ? [] : keys.filter { !requested.contains(JsonKey(text: $0)) } }
    }

    /// A point in the record.
    struct Mark {
        fileprivate var opened = 0
        fileprivate var changes = 0
    }

    /// What a value that has failed has recorded.
    struct Part {
        fileprivate var objects: [Object] = []
        /// The changes of objects that were opened before.
        fileprivate var changes: [Change] = []
    }

    /// A key of an object was requested; without a key, all keys of the object were accepted.
    fileprivate struct Change {
        let object: Int
        let key: JsonKey?
    }

    /// One run of the `init(from:)` of a value. It may read several objects: the value's own object and nested
    /// containers.
    struct Scope: Equatable {
        fileprivate let number: Int
        /// The number of objects that were opened before the run.
        fileprivate let start: Int
    }

    static let userInfoKey = CodingUserInfoKey(rawValue: "Bilayer.KeyRecord")

    /// Returns the record of a decoding call; `nil` if the call records no keys.
    static func inProgress(in decoder: any Decoder) -> KeyRecord? {
        userInfoKey.flatMap { decoder.userInfo[$0] as? KeyRecord }
    }

    /// The objects in the order in which they were first read.
    var objects: [Object] {
        lock.withLock {
            var objects = opened
            for position in failed { objects[position].acceptsAllKeys = true }
            return objects
        }
    }

    private let lock = NSLock()
    private var opened: [Object] = []
    /// The changes of the objects, in their order.
    private var changes: [Change] = []
    /// The positions of the parts (objects with `isPart`) in which the last reading failed. Code that continues has
    /// discarded the error, and perhaps the part.
    private var failed: Set<Int> = []
    /// The positions of the objects in ``opened``, by each of their paths.
    private var positions = PathTree<Int>()
    /// The positions of the objects in ``opened``, by their ``Object/place``.
    private var positionsByPlace: [Int: Int] = [:]
    private var scopes = 0
    private let rule: MappingPolicy.UnknownKeys
    /// The JSON that is read.
    private let raw: Json
    private let settings: JsonDecoder

    /// The tolerance of the call, which decides what is left out.
    var tolerance: (any DecodingTolerance)? { settings.tolerance }

    /// - Parameters:
    ///   - rule: What happens to unknown keys of types without a rule of their own.
    ///   - raw: The JSON that is read.
    ///   - settings: The decoder that reads it.
    init(_ rule: MappingPolicy.UnknownKeys, of raw: Json, _ settings: JsonDecoder) {
        self.rule = rule
        self.raw = raw
        self.settings = settings
    }

    /// Whether the decoder itself reads values of a type. Such values have no keys, accept all keys, or have a format
    /// of the decoder's settings.
    func isLeaf(_ type: Any.Type) -> Bool { settings.isLeaf(type) }

    /// Begins the reading of a value.
    func beginScope() -> Scope {
        lock.withLock {
            scopes += 1
            return Scope(number: scopes, start: opened.count)
        }
    }

    /// Begins to record an object, or continues its record if it was opened before.
    /// - Parameters:
    ///   - path: The object's path.
    ///   - type: The type that reads it.
    ///   - scope: The run in which it is read.
    ///   - isPart: See ``Object/isPart``.
    ///   - value: The object itself. Only needed under a naming.
    ///   - keys: See ``Object/keys``.
    /// - Returns: The object's number.
    func open(
        _ path: JsonPath,
        as type: Any.Type,
        in scope: Scope,
        isPart: Bool,
        value: () throws -> Json,
        keys: () throws -> [String]
    ) rethrows -> Int {
        let place = naming == nil ? nil : raw.position(ofPart: try value())
        if let position = lock.withLock({ position(at: place, path) }) { return position }
        let ownRule = (type as? any ChecksUnknownKeys.Type)?.unknownKeys
        let object = Object(
            path: path,
            place: place,
            owner: typeName(type),
            rule: ownRule ?? rule,
            scope: scope,
            isPart: isPart,
            keys: try keys()
        )
        return lock.withLock {
            if let position = position(at: place, path) { return position }
            if positions[path] == nil { positions[path] = opened.count }
            if let place { positionsByPlace[place] = opened.count }
            opened.append(object)
            return opened.count - 1
        }
    }

    /// Returns the position of an object that was opened before, and notes its path. Must be called under the lock.
    private func position(at place: Int?, _ path: JsonPath) -> Int? {
        // Under a naming, a property's name may also be the key of another member, so the place decides.
        guard let place else { return positions[path] }
        guard let position = positionsByPlace[place] else { return nil }
        if positions[path] == nil {
            opened[position].otherPaths.append(path)
            positions[path] = position
        }
        return position
    }

    /// Forgets where an object is, so that a type that reads the same value later opens a new object. Must be called
    /// under the lock.
    private func forgetPlace(of position: Int) {
        for path in opened[position].paths where positions[path] == position { positions[path] = nil }
        if let place = opened[position].place, positionsByPlace[place] == position { positionsByPlace[place] = nil }
    }

    func request(_ key: String, of object: Int) {
        // Under a naming, a property is read under its JSON key, its own name, or the alternative spelling of the key.
        let spelling = naming?.key(for: key)
        let alternative = spelling.flatMap { naming?.alternative(to: $0) }
        let keys = [key, spelling, alternative].compactMap { $0.map(JsonKey.init(text:)) }
        lock.withLock {
            guard opened.indices.contains(object) else { return }
            for key in keys { apply(Change(object: object, key: key)) }
            if !failed.isEmpty { failed.subtract(positions.values(along: opened[object].path)) }
        }
    }

    /// Records that a reading in a nested container or a `superDecoder()` has failed. If the scope later reads more
    /// from that object, the failure no longer counts.
    func recordFailure(at path: JsonPath, in scope: Scope) {
        lock.withLock {
            failed.formUnion(positions.values(along: path).filter { opened[$0].isPart && opened[$0].scope == scope })
        }
    }

    /// Records that an element of an array is read.
    func continueReading(at path: @autoclosure () -> JsonPath) {
        if lock.withLock({ failed.isEmpty }) { return }
        let path = path()
        lock.withLock { failed.subtract(positions.values(along: path)) }
    }

    var mark: Mark { lock.withLock { Mark(opened: opened.count, changes: changes.count) } }

    /// Removes and returns what was recorded since a mark, for a value that could not be read: another type may read
    /// the same objects, before or later.
    @discardableResult
    func take(since mark: Mark) -> Part {
        lock.withLock {
            let start = min(mark.opened, opened.count)
            for position in failed where position >= start { opened[position].acceptsAllKeys = true }
            if !failed.isEmpty { failed.subtract(opened.indices.dropFirst(start)) }
            for position in opened.indices.dropFirst(start) {
                let current = opened[position].place.map { positionsByPlace[$0] } ?? positions[opened[position].path]
                opened[position].isLeftOut = current != position
                forgetPlace(of: position)
            }
            let part = Part(
                objects: Array(opened[start...]),
                changes: changes.dropFirst(mark.changes).filter { $0.object < start }
            )
            for change in part.changes { opened[change.object].undo(change) }
            changes.removeLast(max(0, changes.count - mark.changes))
            opened.removeSubrange(start...)
            return part
        }
    }

    /// Adds what ``take(since:)`` returned, without the objects that were opened again.
    func add(_ part: Part) {
        lock.withLock {
            for object in part.objects where object.isLeftOut || !isOpen(object) {
                if !object.isLeftOut {
                    for path in object.paths where positions[path] == nil { positions[path] = opened.count }
                    if let place = object.place { positionsByPlace[place] = opened.count }
                }
                opened.append(object)
            }
            for change in part.changes where opened.indices.contains(change.object) { apply(change) }
        }
    }

    /// Whether the same value was opened again. Must be called under the lock.
    private func isOpen(_ object: Object) -> Bool {
        object.place.map { positionsByPlace[$0] != nil } ?? (positions[object.path] != nil)
    }

    /// Changes an object. Must be called under the lock.
    private func apply(_ change: Change) {
        if opened[change.object].apply(change) { changes.append(change) }
    }

    /// Treats all keys of some values as requested. The values were read and then left out of a collection.
    ///
    /// The collection has just been read, so its objects are at the end of the list. The objects stay in the list,
    /// because containers refer to them by number. A type that reads one of the values later opens new objects.
    /// - Parameters:
    ///   - values: The paths of the values.
    ///   - collection: The path of the collection.
    ///   - mark: The mark from before the collection. Objects that were opened before are checked.
    func leaveOut(_ values: [JsonPath], of collection: JsonPath, since mark: Mark = Mark()) {
        let leftOut = PathTree(values)
        lock.withLock {
            for position in opened.indices.dropFirst(mark.opened).reversed() {
                let path = opened[position].path
                guard path.components.starts(with: collection.components) else { return }
                if leftOut.encloses(path) {
                    opened[position].acceptsAllKeys = true
                    forgetPlace(of: position)
                }
            }
        }
    }

    /// The naming of the decoder; `nil` without a naming. Under a naming, JSON keys and property names differ.
    var naming: KeyNaming? {
        if case .naming(let naming) = settings.keys { naming } else { nil }
    }

    /// Treats all keys of the objects of a scope as requested, and those of the object at a path, if it is not `nil`.
    func acceptAllKeys(at path: JsonPath?, in scope: Scope) {
        lock.withLock {
            for position in opened.indices.dropFirst(scope.start) where opened[position].scope == scope {
                apply(Change(object: position, key: nil))
            }
            if let path, let position = positions[path] { apply(Change(object: position, key: nil)) }
        }
    }

    func acceptAllKeys(of object: Int) {
        lock.withLock {
            if opened.indices.contains(object) { apply(Change(object: object, key: nil)) }
        }
    }
}

extension JsonDecoder {
    /// Whether the decoder makes values of a type without an `init(from:)`. Also true for a numeric type of the app,
    /// although its `init(from:)` runs.
    func isLeaf(_ type: Any.Type) -> Bool {
        type is any Numeric.Type || type == String.self || type == Bool.self || type == Date.self || type == Data.self
            || type == URL.self || type == Json.self || scalars.format(for: type) != nil
    }
}

/// The root value of a decoding call that records keys. It decodes `Value` through a ``RecordingDecoder``.
struct Recorded<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let record = KeyRecord.inProgress(in: decoder) else {
            value = try Value(from: decoder)
            return
        }
        value = try RecordingDecoder(decoder, record, type: Value.self).decode(Value.self)
    }
}
