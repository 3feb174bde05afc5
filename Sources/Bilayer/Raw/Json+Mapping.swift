// The functions for reading fields by hand, without `Codable`, in ``RawDecodable/from(raw:)``. They are inlinable, so
// that the compiler specializes them for the type in the app. The search and the conversion stay in the library.
extension Json {
    /// Reads a required member of this object.
    ///
    /// ```swift
    /// struct PointEntry: RawDecodable {
    ///     let x: Double
    ///     let label: String?
    ///
    ///     static func from(raw: Json) throws -> PointEntry {
    ///         try PointEntry(x: raw.decode("x"), label: raw.decodeIfPresent("label"))
    ///     }
    /// }
    /// ```
    /// Any order works. Members that are read in the order of the text are found fastest.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` without such a member, `null` for a
    ///   `null` where a value is required, `wrong type`, `out of range`, or what the type itself throws.
    @inlinable
    public func decode<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        if Value.self == String.self, let value = try string(of: FieldKey(key)) as? Value { return value }
        if Value.self == Int.self, let value = try int(of: FieldKey(key)) as? Value { return value }
        if Value.self == Double.self, let value = try double(of: FieldKey(key)) as? Value { return value }
        if Value.self == Bool.self, let value = try bool(of: FieldKey(key)) as? Value { return value }
        guard let member = memberPosition(FieldKey(key)) else { return try decodeUnusual(key) }
        return try locating(at: .key(key)) { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
    }

    /// Reads a member of this object that may be missing or `null`; nil in both cases.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on, if the member has another value.
    @inlinable
    public func decodeIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        // The cast is inside the optional, where the compiler can evaluate it.
        if Value.self == String.self { return try stringIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Int.self { return try intIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Double.self { return try doubleIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Bool.self { return try boolIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        guard let member = memberPositionIfPresent(FieldKey(key)) else { return try decodeUnusualIfPresent(key) }
        if member == 0 { return nil }
        return try locating(at: .key(key)) {
            try salvagingOptional { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
        }
    }

    /// Reads an element of this array.
    /// - Parameter index: Its index, counted from 0.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` if the array is shorter.
    @inlinable
    public func decode<Value: RawDecodable>(at index: Int) throws -> Value where Value.Raw == Json {
        let element = try requireElement(index)
        return try locating(at: .index(index)) { try Value.from(raw: element) }
    }

    /// Reads all elements of this array: the implementation of `[Value]`.
    @inlinable
    func decodeElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        if type == String.self, let values = strings as? [Value] { return values }
        if type == Int.self, let values = ints as? [Value] { return values }
        if type == Double.self, let values = doubles as? [Value] { return values }
        if type == [Double].self, let values = doubleLists as? [Value] { return values }
        // With an issue log every failed element may have to be reported.
        guard case .view(let document, let array) = storage, let count = document.elementCount(array),
            IssueLog.current == nil, !document.isTooDeep
        else { return try decodeUnusualElements(type) }
        if count == 0 { return [] }
        var position = document.firstChild(of: array)
        let first: Value = try element(0, at: position)
        // The first element shows whether the type uses the default `from(raw:)`.
        if count > 1, document.isDefault(type), let entries = try document.entries(after: first, in: array) {
            return entries
        }
        var values: [Value] = []
        values.reserveCapacity(document.capacity(for: count, of: type, in: array))
        values.append(first)
        for index in 1..<count {
            position = document.position(after: position)
            values.append(try element(index, at: position))
        }
        return values
    }

    @inlinable @inline(__always)
    func element<Value: RawDecodable>(_ index: Int, at position: Int) throws -> Value where Value.Raw == Json {
        do {
            return try withBorrowedPart(at: position) { try Value.from(raw: $0) }
        } catch {
            throw MappingError.located(error, at: .index(index))
        }
    }

    /// Reads all members of this object: the implementation of `[String: Value]`. Returns nil if the fast path does not
    /// apply.
    @inlinable
    func decodeMembers<Value: RawDecodable>(_ type: Value.Type) throws -> [String: Value]? where Value.Raw == Json {
        guard case .view(let document, let object) = storage, let count = document.memberCount(object),
            IssueLog.current == nil, !document.isTooDeep
        else { return nil }
        var members: [String: Value] = [:]
        members.reserveCapacity(document.tableCapacity(for: count, of: type, in: object))
        var position = document.firstChild(of: object)
        for _ in 0..<count {
            let key = document.key(at: position)
            do {
                members[key] = try withBorrowedPart(at: position + 1) { try Value.from(raw: $0) }
            } catch {
                // It may be of a member that does not count.
                guard document.keysAreDistinct(in: object) else { return nil }
                throw MappingError.located(error, at: .entry(key))
            }
            position = document.position(after: position + 1)
        }
        return members.count == count ? members : nil
    }
}

// The slow paths: the value is no plain view of received bytes, or the fast path found no value.
extension Json {
    @usableFromInline
    func decodeUnusual<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        try locating(at: .key(key)) { try StackRoom.check() }
        guard kind == .object else { throw MappingError(notObject) }
        guard let member = self[key] else {
            throw MappingError(
                MappingIssue(.missing, path: [.key(key)], expected: typeName(Value.self))
            )
        }
        return try locating(at: .key(key)) { try Value.from(raw: member) }
    }

    @usableFromInline
    func decodeUnusualIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        try locating(at: .key(key)) { try StackRoom.check() }
        guard kind == .object else { throw MappingError(notObject) }
        guard let member = self[key], !member.isNull else { return nil }
        return try locating(at: .key(key)) { try salvagingOptional { try Value.from(raw: member) } }
    }

    @usableFromInline
    func requireElement(_ index: Int) throws -> Json {
        if let element = self[index] { return element }
        guard kind == .array else {
            throw MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an array", found: found))
        }
        throw MappingError(MappingIssue(.missing, path: [.index(index)], found: found))
    }

    private var notObject: MappingIssue {
        MappingIssue(isNull ? .null : .wrongType, expected: "an object", found: found)
    }
}

extension JsonDocument {
    /// The position of the first element or key of a container.
    @usableFromInline
    func firstChild(of container: Int) -> Int { nodes.firstChild(of: container) }

    /// The key at a position.
    @usableFromInline
    func key(at position: Int) -> String { withNodes { $0.string(at: position) } }

    /// The number of an object's members; nil for other values.
    @usableFromInline
    func memberCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .object ? $0.words.memberCount(at: position) : nil }
    }

    /// The number of an array's elements; nil for other values.
    @usableFromInline
    func elementCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .array ? $0.words.memberCount(at: position) : nil }
    }

    /// The position after a value.
    @usableFromInline
    func position(after position: Int) -> Int { withNodes { $0.words.next(after: position) } }
}

// The implementations of the default conformances of `Codable` types.

extension Json {
    /// Reads a value by its `Codable` conformance, with the settings of the running mapping.
    ///
    /// Always inlined. Otherwise nested entries exceed the depth of the processor's return predictor, which slows down
    /// each of them.
    @inline(__always)
    func decodeCodable<Value: Decodable>() throws -> Value {
        guard case .view(let document, let position) = storage, IssueLog.current == nil else {
            return try decodeCodable(unknownKeys: nil)
        }
        DefaultConformanceTypes.known.note(Value.self)
        do {
            return try DecodingSession.value(Value.self, at: position, of: document)
        } catch {
            throw entryError(error, of: Value.self)
        }
    }

    /// Reads a value with an issue log, or of a type with its own policy for unknown keys.
    @inline(never)
    func decodeCodable<Value: Decodable>(unknownKeys choice: MappingPolicy.UnknownKeys?) throws -> Value {
        if choice == nil { DefaultConformanceTypes.known.note(Value.self) }
        guard let mapping = MappingSession.inProgress else {
            return try decodeCodable(unknownKeys: choice ?? .ignore, using: .plain)
        }
        mapping.note(documentOf: self)
        let mark = mapping.mark
        let unknownKeys = choice ?? mapping.policy.unknownKeys
        let value: Value
        do {
            value = try decodeCodable(unknownKeys: unknownKeys, using: mapping.decoder)
        } catch {
            return try decodeTolerantly(Value.self, unknownKeys, after: error, since: mark, in: mapping)
        }
        try settle(Value.self, since: mark, in: mapping)
        return value
    }

    /// Reads an entry once more after an error, if the policy of the mapping says so.
    /// - Throws: The error, or all errors if they are collected.
    @inline(never)
    func decodeTolerantly<Value: Decodable>(
        _ type: Value.Type,
        _ unknownKeys: MappingPolicy.UnknownKeys,
        after error: any Error,
        since mark: Int,
        in mapping: MappingSession
    ) throws -> Value {
        let error = entryError(error, of: type)
        if error is CancellationError { throw error }
        do {
            if mapping.policy.leavesOut {
                mapping.forget(since: mark)
                var decoder = mapping.decoder
                decoder.tolerance = Salvaging(entry: self)
                let value: Value
                do {
                    value = try decodeCodable(unknownKeys: unknownKeys, using: decoder)
                } catch {
                    // What was left out before the error is reported beside it.
                    mapping.own(since: mark, by: typeName(type))
                    try? mapping.settleNames(since: mark, in: self)
                    throw error
                }
                mapping.own(since: mark, by: typeName(type))
                try mapping.settleNames(since: mark, in: self)
                return value
            }
            if mapping.policy.collectsAll {
                mapping.forget(since: mark)
                throw try errors(of: type, unknownKeys: unknownKeys, after: error, in: mapping)
            }
            throw error
        } catch let error as MappingError {
            throw mapping.conventions.named(error, in: self)
        }
    }

    /// Completes the reading of an entry: names the keys in its issues, and learns its type if errors are collected.
    @inline(never)
    func settle<Value: Decodable>(_ type: Value.Type, since mark: Int, in mapping: MappingSession) throws {
        do {
            if mapping.policy.collectsAll, !ReadShapes.known.isLearned(type) { learn(type, in: mapping) }
            try mapping.settleNames(since: mark, in: self)
        } catch let error as MappingError {
            throw mapping.conventions.named(error, in: self)
        }
    }

    private func decodeCodable<Value: Decodable>(
        unknownKeys: MappingPolicy.UnknownKeys,
        using decoder: JsonDecoder
    ) throws -> Value {
        do {
            if unknownKeys == .ignore { return try decode(Value.self, using: decoder) }
            let (value, unknown) = try decodeRecordingKeys(Value.self, unknownKeys, using: decoder)
            try MappingIssue.settle(unknown)
            return value
        } catch {
            throw entryError(error, of: Value.self)
        }
    }

    /// The mapping layer's error for an error that ended the reading of an entry.
    @inline(never)
    func entryError(_ error: any Error, of type: Any.Type) -> any Error {
        switch error {
        case let error as DecodingError: owned(MappingError(error, in: self, owner: nil), type)
        case let error as MappingError: MappingError.owned(error, by: typeName(type))
        default: error
        }
    }

    /// An error with the type that declares its field. A nested type is found by reading the entry again; a policy that
    /// reads it again anyway does so with its own means.
    private func owned(_ error: MappingError, _ type: Any.Type) -> any Error {
        let mapping = MappingSession.inProgress
        let readsAgain = mapping.map { $0.policy.leavesOut || $0.policy.collectsAll } ?? false
        var owner: String?
        if error.path.components.count > 1, !readsAgain, let type = type as? any Decodable.Type {
            owner = self.owner(of: type, at: error.path, using: mapping?.decoder ?? .plain)
        }
        return MappingError.owned(error, by: owner ?? typeName(type))
    }

    /// Writes a value by its `Codable` conformance, with the settings of the running mapping.
    init(entry: some Encodable) throws {
        guard let session = MappingSession.inProgress else {
            try self.init(encoding: entry, using: .plain)
            return
        }
        let mark = session.mark
        try self.init(encoding: entry, using: session.encoder)
        try session.settleNames(since: mark, in: self)
    }
}

/// The types that use the default `from(raw:)` of `Codable` entries. Elements of such a type can be read in one
/// session.
///
/// A type is recorded when the default `from(raw:)` reads a value of it, which never happens for a type with its own.
/// An array reads its first element with `from(raw:)` and then looks the type up here. So all elements are read like
/// the first one.
///
/// The first type of a slot occupies it, without a lock. A type without a slot is read element by element.
///
/// **Bound.** There are `count` slots, made once and never freed. Types are compared by their addresses, which are
/// never followed.
@safe
// Sendable: the slots are only used as atomics.
struct DefaultConformanceTypes: @unchecked Sendable {
    static let known = DefaultConformanceTypes()
    /// The types that use the default `toRaw()` of `Codable` entries.
    static let written = DefaultConformanceTypes()

    private static let count = 256
    private let slots: UnsafeMutablePointer<UInt64>

    private init() {
        unsafe slots = .allocate(capacity: Self.count)
        unsafe slots.initialize(repeating: 0, count: Self.count)
    }

    /// Notes that a type's values are read through the free conformance.
    @inline(__always)
    func note(_ type: Any.Type) {
        let address = Self.address(of: type)
        let slot = unsafe slots + Self.index(of: address)
        if unsafe AtomicWord.load(slot) == 0 { unsafe AtomicWord.store(address, to: slot) }
    }

    /// Whether a type is recorded.
    @inline(__always)
    func contains(_ type: Any.Type) -> Bool {
        let address = Self.address(of: type)
        return unsafe AtomicWord.load(slots + Self.index(of: address)) == address
    }

    @inline(__always)
    private static func address(of type: Any.Type) -> UInt64 {
        // Bound: `Any.Type` is one pointer.
        UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
    }

    @inline(__always)
    private static func index(of address: UInt64) -> Int {
        Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 56)
    }
}

extension JsonDocument {
    /// Whether a type is known to use the default `from(raw:)`.
    @usableFromInline
    func isDefault<Value>(_ type: Value.Type) -> Bool { DefaultConformanceTypes.known.contains(type) }

    /// Reads the elements of an array after the first in one session, and inserts the first in front. Only for a type
    /// that uses the default `from(raw:)`. Returns nil for a type that is not `Decodable`.
    @usableFromInline
    func entries<Value>(after first: Value, in array: Int) throws -> [Value]? {
        guard let entry = Value.self as? any Decodable.Type else { return nil }
        return try entry.entries(after: first, in: array, of: self)
    }
}

extension Decodable {
    /// Reads the elements of an array after the first. `Value` must be `Self`.
    fileprivate static func entries<Value>(
        after first: Value,
        in array: Int,
        of document: JsonDocument
    ) throws -> [Value] {
        // Bound: both are one type. A cast would copy the array element by element.
        let first = unsafe unsafeBitCast(first, to: Self.self)
        let entries = try DecodingSession.values(after: first, in: array, of: document) { index, position, error in
            MappingError.located(Json(.view(document, position)).entryError(error, of: Self.self), at: .index(index))
        }
        return unsafe unsafeBitCast(entries, to: [Value].self)
    }
}
