public import Foundation

/// The writer of one JSON value (``JsonWritable``). Call exactly one of its functions, once. A second call is a
/// programming error, and stops the program. After a call that has thrown, another call may write the value.
public struct JsonWriter: ~Copyable {
    private let target: BorrowedWriter
    @usableFromInline var isWritten = false
    /// The number of arrays and objects around the value, plus ``logBit`` if an issue log is bound. Both are in one
    /// number, because a writer is made for each array and object, and must stay small. One comparison then detects
    /// both deep nesting and a log.
    @usableFromInline let depth: Int

    init(_ target: BorrowedWriter, depth: Int) {
        self.target = target
        self.depth = depth
    }

    /// Writes an object.
    /// - Parameter members: Writes its members.
    /// - Throws: What `members` throws; ``MappingError`` if the thread's stack is too small.
    @inlinable
    public mutating func writeObject(_ members: (inout JsonObjectWriter) throws -> Void) throws {
        var object = try openObject()
        do {
            try members(&object)
        } catch {
            discard(since: object.start &- 1, by: error)
            throw error
        }
        object.close()
    }

    /// Writes an array.
    /// - Parameter elements: Writes its elements.
    /// - Throws: What `elements` throws; ``MappingError`` if the thread's stack is too small.
    @inlinable
    public mutating func writeArray(_ elements: (inout JsonArrayWriter) throws -> Void) throws {
        var array = try openArray()
        do {
            try elements(&array)
        } catch {
            discard(since: array.start &- 1, by: error)
            throw error
        }
        array.close()
    }

    /// Writes `null`.
    public mutating func writeNull() {
        begin()
        target.bytes.write(literal: "null")
    }

    /// Writes a string.
    public mutating func write(_ value: String) {
        begin()
        target.bytes.write(value)
    }

    /// Writes a Boolean value.
    public mutating func write(_ value: Bool) {
        begin()
        target.bytes.write(value)
    }

    /// Writes a number.
    public mutating func write(_ value: Int) {
        begin()
        target.bytes.write(value)
    }

    /// Writes a number.
    public mutating func write(_ value: Int64) {
        begin()
        target.bytes.write(value)
    }

    /// Writes a number.
    public mutating func write(_ value: UInt64) {
        begin()
        target.bytes.write(value)
    }

    /// Writes a number with the fewest digits that read back as an equal double.
    /// - Parameter value: A finite value.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public mutating func write(_ value: Double) throws {
        guard value.isFinite else { throw MappingError(notFinite: Double.self) }
        begin()
        target.bytes.write(value)
    }

    /// Writes an array of numbers.
    @usableFromInline
    mutating func write(_ values: [Int]) {
        begin()
        target.bytes.write(values)
    }

    /// Writes an array of numbers.
    @usableFromInline
    mutating func write(_ values: [Double]) throws {
        if let index = values.firstIndex(where: { !$0.isFinite }) {
            throw MappingError.located(MappingError(notFinite: Double.self), at: .index(index))
        }
        begin()
        target.bytes.write(values)
    }

    /// Writes a number with the fewest digits that read back as an equal float.
    /// - Parameter value: A finite value.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public mutating func write(_ value: Float) throws {
        guard value.isFinite else { throw MappingError(notFinite: Float.self) }
        begin()
        target.bytes.write(value)
    }

    /// Writes a number with exactly the digits of a decimal.
    /// - Parameter value: A decimal.
    /// - Throws: ``MappingError`` for NaN, which JSON does not have.
    public mutating func write(_ value: Decimal) throws {
        guard value.isFinite else { throw MappingError(notFinite: Decimal.self) }
        begin()
        target.bytes.write(ascii: value.description)
    }

    /// Writes any JSON value.
    public mutating func write(_ value: Json) {
        begin()
        var printer = JsonPrinter(.compact)
        printer.print(value, to: &target.bytes)
    }

    /// Writes a value that is not ``JsonWritable``, by its `toRaw()`.
    @inlinable
    mutating func write<Value: RawEncodable>(raw value: Value) throws where Value.Raw == Json {
        try checkStackSpace()
        write(try value.toRaw())
    }

    /// Records that the value is written.
    private mutating func begin() {
        precondition(!isWritten, "JsonWriter: one value was written twice")
        isWritten = true
    }

    /// Writes the opening brace of an object.
    @usableFromInline
    mutating func openObject() throws -> JsonObjectWriter {
        if depth >= Self.levelsWithoutCheck { try beginContainer() }
        begin()
        target.bytes.write(byte: Ascii.openBrace)
        return JsonObjectWriter(target, depth: depth &+ 1)
    }

    /// Writes the opening bracket of an array.
    @usableFromInline
    mutating func openArray() throws -> JsonArrayWriter {
        if depth >= Self.levelsWithoutCheck { try beginContainer() }
        begin()
        target.bytes.write(byte: Ascii.openBracket)
        return JsonArrayWriter(target, depth: depth &+ 1)
    }

    /// - Throws: ``MappingError`` if the thread's stack is too small for another array or object.
    @inline(never)
    private func beginContainer() throws {
        try StackSpace.check()
        if hasLog { issues?.begin(level(.container)) }
    }

    /// The number of nested arrays and objects that fit on every stack, so that they need no check.
    private static var levelsWithoutCheck: Int { 12 }
}

extension JsonWriter {
    /// Returns the text of one value.
    static func collect(_ write: (inout JsonWriter) throws -> Void) throws -> Data {
        try StackSpace.check()
        if IssueLog.mayBeBound, let log = IssueLog.current {
            return try collect(write, with: WrittenIssues(log), depth: logBit)
        }
        return try collect(write, with: nil, depth: 0)
    }

    @inline(__always)
    private static func collect(
        _ write: (inout JsonWriter) throws -> Void,
        with issues: WrittenIssues?,
        depth: Int
    ) throws -> Data {
        try BorrowedWriter.collect(with: issues) { target in
            var writer = JsonWriter(target, depth: depth)
            try write(&writer)
            writer.endValue()
        }
    }

    /// The length of the text so far, in bytes.
    @inline(__always)
    var length: Int { target.bytes.count }

    /// Removes an object or array that failed, so that another value can be written in its place.
    @usableFromInline
    mutating func discard(since length: Int, by error: any Error) {
        cut(to: length)
        if hasLog { issues?.fail(level(.container), by: error) }
    }

    /// Removes the text after a length. Used after a failure, so that writing can continue.
    mutating func cut(to length: Int) {
        target.bytes.count = length
        isWritten = false
    }

    /// Begins the next element of an array. Returns the length of the text before the element.
    @usableFromInline
    mutating func beginElement(isFirst: Bool) -> Int {
        hasLog ? beginElementWithLog(isFirst: isFirst) : beginElementText(isFirst: isFirst)
    }

    @inline(__always)
    private mutating func beginElementText(isFirst: Bool) -> Int {
        let start = length
        if !isFirst { target.bytes.write(byte: Ascii.comma) }
        isWritten = false
        return start
    }

    /// Writes the key of the next member.
    @inline(__always)
    mutating func beginMember(_ key: MemberKey, isFirst: Bool) {
        target.bytes.write(key: key, isFirst: isFirst)
        isWritten = false
    }

    /// Writes a member whose value is a single token, with `capacity` bytes reserved.
    @inline(__always)
    mutating func writeMember(
        _ key: MemberKey,
        isFirst: Bool,
        reserving capacity: Int,
        _ write: (inout ByteWriter) -> Void
    ) {
        target.bytes.write(key: key, isFirst: isFirst, reserving: capacity)
        write(&target.bytes)
    }

    /// Writes the last byte of a container.
    @inline(__always)
    func close(with byte: UInt8) { target.bytes.write(byte: byte) }

    /// Writes `null` if no value was written.
    @inlinable
    mutating func endValue() {
        if !isWritten { writeNull() }
    }
}

// MARK: - Issues

extension JsonWriter {
    /// The number that is added to ``depth`` if a log is bound. It is larger than any nesting of arrays and objects.
    @inlinable static var logBit: Int { 1 << 30 }

    /// Whether an issue log is bound.
    @inlinable
    @inline(__always)
    var hasLog: Bool { depth >= Self.logBit }

    private var issues: WrittenIssues? { target.companion as? WrittenIssues }

    private enum Part: Int { case member, container }

    private func level(_ part: Part) -> Int { (depth - Self.logBit) * 2 + part.rawValue }

    // The functions below are not inlined, because most values are written without a log.

    @inline(never)
    private mutating func beginElementWithLog(isFirst: Bool) -> Int {
        beginPart()
        return beginElementText(isFirst: isFirst)
    }

    /// Records that a member or an element begins.
    @inline(never)
    func beginPart() { issues?.begin(level(.member)) }

    /// Prepends the path component of a member or an element to the paths of its issues.
    @inline(never)
    func endPart(at component: JsonPath.Component) { issues?.end(level(.member), at: component) }

    /// Sets aside the issues of a member or an element that failed (``IssueLog/setAside(since:failedBy:)``).
    @inline(never)
    func failPart(at component: JsonPath.Component, by error: any Error) {
        if hasLog { issues?.fail(level(.member), at: component, by: error) }
    }
}
