/// Writes the elements of one array, in the order of the calls.
public struct JsonArrayWriter: ~Copyable {
    /// Where the values go, one after another.
    @usableFromInline var values: JsonWriter
    @usableFromInline var count = 0

    init(_ target: BorrowedWriter) { values = JsonWriter(target) }

    /// Writes an element.
    /// - Parameter value: The element; nil is written as `null`.
    /// - Throws: ``MappingError`` with the index in its path, when the value cannot be written.
    @inlinable
    public mutating func append<Value: JsonWritable>(_ value: Value) throws {
        values.beginElement(isFirst: count == 0)
        do {
            try value.write(to: &values)
        } catch {
            throw MappingError.located(error, at: .index(count))
        }
        values.endValue()
        count += 1
    }

    /// Writes an element whose type is not ``JsonWritable``: first a ``Json`` is made of it.
    /// - Parameter value: The element.
    /// - Throws: ``MappingError`` with the index in its path, when the value cannot be written.
    @inlinable
    public mutating func append<Value: RawEncodable>(_ value: Value) throws where Value.Raw == Json {
        values.beginElement(isFirst: count == 0)
        do {
            try values.write(raw: value)
        } catch {
            throw MappingError.located(error, at: .index(count))
        }
        count += 1
    }

    /// Writes an element that is an object.
    /// - Parameter members: Writes its members.
    /// - Throws: ``MappingError`` with the index in its path, for what `members` throws.
    public mutating func object(_ members: (inout JsonObjectWriter) throws -> Void) throws {
        values.beginElement(isFirst: count == 0)
        do {
            try values.object(members)
        } catch {
            throw MappingError.located(error, at: .index(count))
        }
        count += 1
    }

    /// Writes an element that is an array.
    /// - Parameter elements: Writes its elements.
    /// - Throws: ``MappingError`` with the index in its path, for what `elements` throws.
    public mutating func array(_ elements: (inout JsonArrayWriter) throws -> Void) throws {
        values.beginElement(isFirst: count == 0)
        do {
            try values.array(elements)
        } catch {
            throw MappingError.located(error, at: .index(count))
        }
        count += 1
    }
}
