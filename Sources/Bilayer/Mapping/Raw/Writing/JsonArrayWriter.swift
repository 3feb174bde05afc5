/// Writes the elements of one array, in the order of the calls. If writing an element throws and your code catches the
/// error, the element and its warnings are left out.
public struct JsonArrayWriter: ~Copyable {
    /// The writer of the elements, one after another.
    @usableFromInline var values: JsonWriter
    @usableFromInline var count = 0
    /// The length of the text before the first element.
    @usableFromInline let start: Int

    init(_ target: BorrowedWriter, depth: Int) {
        values = JsonWriter(target, depth: depth)
        start = values.length
    }

    /// Writes the closing bracket.
    @usableFromInline
    mutating func close() { values.close(with: Ascii.closeBracket) }

    /// Writes an element.
    /// - Parameter value: The element; `nil` is written as `null`.
    /// - Throws: ``MappingError`` with the index in its path, when the value cannot be written. A `CancellationError`
    ///   is thrown unchanged.
    @inlinable
    public mutating func append<Value: JsonWritable>(_ value: Value) throws {
        let length = values.beginElement(isFirst: count == 0)
        do {
            try value.write(to: &values)
        } catch {
            throw failure(error, since: length)
        }
        values.endValue()
        if values.hasLog { endIssues() }
        count += 1
    }

    /// Writes an element whose type is not ``JsonWritable``. It is converted to a ``Json`` first.
    /// - Parameter value: The element.
    /// - Throws: ``MappingError`` with the index in its path, when the value cannot be written. A `CancellationError`
    ///   is thrown unchanged.
    @inlinable
    public mutating func append<Value: RawEncodable>(_ value: Value) throws where Value.Raw == Json {
        let length = values.beginElement(isFirst: count == 0)
        do {
            try values.write(raw: value)
        } catch {
            throw failure(error, since: length)
        }
        if values.hasLog { endIssues() }
        count += 1
    }

    /// Writes an element that is an object.
    /// - Parameter members: Writes its members.
    /// - Throws: A ``MappingError`` whose path contains the element's index, if `members` throws or the thread's stack
    ///   is too small. A `CancellationError` is thrown unchanged.
    @inlinable
    public mutating func appendObject(_ members: (inout JsonObjectWriter) throws -> Void) throws {
        let length = values.beginElement(isFirst: count == 0)
        do {
            try values.writeObject(members)
        } catch {
            throw failure(error, since: length)
        }
        if values.hasLog { endIssues() }
        count += 1
    }

    /// Writes an element that is an array.
    /// - Parameter elements: Writes its elements.
    /// - Throws: A ``MappingError`` whose path contains the element's index, if `elements` throws or the thread's stack
    ///   is too small. A `CancellationError` is thrown unchanged.
    @inlinable
    public mutating func appendArray(_ elements: (inout JsonArrayWriter) throws -> Void) throws {
        let length = values.beginElement(isFirst: count == 0)
        do {
            try values.writeArray(elements)
        } catch {
            throw failure(error, since: length)
        }
        if values.hasLog { endIssues() }
        count += 1
    }

    /// Prepends the index of an element to the paths of its issues.
    @usableFromInline
    func endIssues() { values.endPart(at: .index(count)) }

    /// Removes an element that failed. Returns the error to throw.
    @usableFromInline
    mutating func failure(_ error: any Error, since length: Int) -> any Error {
        values.cut(to: length)
        values.failPart(at: .index(count), by: error)
        return MappingError.located(error, at: .index(count))
    }
}
