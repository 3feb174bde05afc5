/// Writes the members of one object, in the order of the calls.
///
/// ```swift
/// struct PointEntry: JsonWritable {
///     let x: Double
///     let y: Double
///
///     func write(to json: inout JsonWriter) throws {
///         try json.writeObject { object in
///             try object.write(x, forKey: "x")
///             try object.write(y, forKey: "y")
///         }
///     }
/// }
/// ```
/// Keys are not compared with each other, so a repeated key is sent twice. If writing a member throws and your code
/// catches the error, the member and its warnings are left out.
public struct JsonObjectWriter: ~Copyable {
    /// The writer of the members' values, one after another.
    @usableFromInline var values: JsonWriter
    /// The length of the text before the first member.
    @usableFromInline let start: Int

    init(_ target: BorrowedWriter, depth: Int) {
        values = JsonWriter(target, depth: depth)
        start = values.length
    }

    /// Writes the closing brace.
    @usableFromInline
    mutating func close() { values.close(with: Ascii.closeBrace) }

    /// Writes a member.
    /// - Parameters:
    ///   - value: Its value; `nil` is written as `null`.
    ///   - key: Its key.
    /// - Throws: ``MappingError`` with the key in its path, when the value cannot be written. A `CancellationError` is
    ///   thrown unchanged.
    @inlinable
    @inline(__always)
    public mutating func write<Value: JsonWritable>(_ value: Value, forKey key: String) throws {
        // Inlined, so that the compiler computes the key. For every type, the app's code then makes only one call.
        let key = MemberKey(key)
        if Value.self == String.self, let value = value as? String { return string(value, at: key) }
        if Value.self == Int.self, let value = value as? Int { return int(value, at: key) }
        if Value.self == Double.self, let value = value as? Double, value.isFinite { return double(value, at: key) }
        if Value.self == Bool.self, let value = value as? Bool { return bool(value, at: key) }
        try writeAny(value, at: key)
    }

    /// Writes a member of any type.
    @inlinable
    mutating func writeAny<Value: JsonWritable>(_ value: Value, at key: MemberKey) throws {
        let start = begin(key)
        do {
            try value.write(to: &values)
        } catch {
            throw failure(error, of: key.text, since: start)
        }
        values.endValue()
        if values.hasLog { endIssues(of: key.text) }
    }

    /// Writes a member with a value that is not ``JsonWritable``. The value is converted to a ``Json`` first.
    /// - Parameters:
    ///   - value: Its value.
    ///   - key: Its key.
    /// - Throws: ``MappingError`` with the key in its path, when the value cannot be written. A `CancellationError` is
    ///   thrown unchanged.
    @inlinable
    public mutating func write<Value: RawEncodable>(_ value: Value, forKey key: String) throws where Value.Raw == Json {
        let start = begin(MemberKey(key))
        do {
            try values.write(raw: value)
        } catch {
            throw failure(error, of: key, since: start)
        }
        if values.hasLog { endIssues(of: key) }
    }

    /// Writes a member, unless the value is `nil`.
    /// - Parameters:
    ///   - value: Its value or `nil`.
    ///   - key: Its key.
    /// - Throws: ``MappingError`` with the key in its path, when the value cannot be written. A `CancellationError` is
    ///   thrown unchanged.
    @inlinable
    public mutating func writeIfPresent<Value: JsonWritable>(_ value: Value?, forKey key: String) throws {
        if let value { try write(value, forKey: key) }
    }

    /// Writes a member, unless the value is `nil`.
    /// - Parameters:
    ///   - value: Its value or `nil`.
    ///   - key: Its key.
    /// - Throws: ``MappingError`` with the key in its path, when the value cannot be written. A `CancellationError` is
    ///   thrown unchanged.
    @inlinable
    public mutating func writeIfPresent<Value: RawEncodable>(_ value: Value?, forKey key: String) throws
    where Value.Raw == Json {
        if let value { try write(value, forKey: key) }
    }

    /// Writes a member that is an object.
    /// - Parameters:
    ///   - key: Its key.
    ///   - members: Writes its members.
    /// - Throws: A ``MappingError`` whose path contains the key, if `members` throws or the thread's stack is too
    ///   small. A `CancellationError` is thrown unchanged.
    @inlinable
    public mutating func writeObject(forKey key: String, _ members: (inout JsonObjectWriter) throws -> Void) throws {
        let start = begin(MemberKey(key))
        do {
            try values.writeObject(members)
        } catch {
            throw failure(error, of: key, since: start)
        }
        if values.hasLog { endIssues(of: key) }
    }

    /// Writes a member that is an array.
    /// - Parameters:
    ///   - key: Its key.
    ///   - elements: Writes its elements.
    /// - Throws: A ``MappingError`` whose path contains the key, if `elements` throws or the thread's stack is too
    ///   small. A `CancellationError` is thrown unchanged.
    @inlinable
    public mutating func writeArray(forKey key: String, _ elements: (inout JsonArrayWriter) throws -> Void) throws {
        let start = begin(MemberKey(key))
        do {
            try values.writeArray(elements)
        } catch {
            throw failure(error, of: key, since: start)
        }
        if values.hasLog { endIssues(of: key) }
    }

    /// Writes a key, and returns the length of the text before it.
    @usableFromInline
    mutating func begin(_ key: MemberKey) -> Int { values.hasLog ? beginWithLog(key) : beginText(of: key) }

    // Not inlined, because most values are written without a log.
    @inline(never)
    private mutating func beginWithLog(_ key: MemberKey) -> Int {
        values.beginPart()
        return beginText(of: key)
    }

    @inline(__always)
    private mutating func beginText(of key: MemberKey) -> Int {
        let length = values.length
        values.beginMember(key, isFirst: length == start)
        return length
    }

    /// Prepends the key of a member to the paths of its issues.
    @usableFromInline
    func endIssues(of key: String) { values.endPart(at: .key(key)) }

    /// Removes a member that failed. Returns the error to throw.
    @usableFromInline
    mutating func failure(_ error: any Error, of key: String, since length: Int) -> any Error {
        values.cut(to: length)
        values.failPart(at: .key(key), by: error)
        return MappingError.located(error, at: .key(key))
    }

    @usableFromInline
    mutating func string(_ value: String, at key: MemberKey) {
        token(at: key, reserving: ByteWriter.capacityForShort) { $0.put(value) }
    }

    @usableFromInline
    mutating func int(_ value: Int, at key: MemberKey) {
        token(at: key, reserving: ByteWriter.capacityForInteger) { $0.put(value) }
    }

    /// The value must be finite.
    @usableFromInline
    mutating func double(_ value: Double, at key: MemberKey) {
        token(at: key, reserving: ByteWriter.capacityForDouble) { $0.put(value) }
    }

    @usableFromInline
    mutating func bool(_ value: Bool, at key: MemberKey) {
        token(at: key, reserving: ByteWriter.capacityForBool) { $0.put(value) }
    }

    /// Writes a member whose value is a single token, with `capacity` bytes reserved.
    @inline(__always)
    private mutating func token(at key: MemberKey, reserving capacity: Int, _ write: (inout ByteWriter) -> Void) {
        values.writeMember(key, isFirst: values.length == start, reserving: capacity, write)
    }
}
