public import Foundation

extension Json: JsonWritable {
    /// Writes the value unchanged.
    public func write(to json: inout JsonWriter) { json.write(self) }
}

extension String: JsonWritable {
    /// Writes a string.
    public func write(to json: inout JsonWriter) { json.write(self) }
}

extension Bool: JsonWritable {
    /// Writes a Boolean value.
    public func write(to json: inout JsonWriter) { json.write(self) }
}

extension Double: JsonWritable {
    /// Writes a number.
    /// - Parameter json: The writer of the value.
    /// - Throws: ``MappingError`` for infinities and NaN.
    public func write(to json: inout JsonWriter) throws { try json.write(self) }
}

extension Float: JsonWritable {
    /// Writes a number.
    /// - Parameter json: The writer of the value.
    /// - Throws: ``MappingError`` for infinities and NaN.
    public func write(to json: inout JsonWriter) throws { try json.write(self) }
}

extension Decimal: JsonWritable {
    /// Writes a number.
    /// - Parameter json: The writer of the value.
    /// - Throws: ``MappingError`` for NaN.
    public func write(to json: inout JsonWriter) throws { try json.write(self) }
}

extension Optional: JsonWritable where Wrapped: JsonWritable {
    /// Writes the value, or `null`.
    /// - Parameter json: The writer of the value.
    /// - Throws: What the value throws.
    @inlinable
    public func write(to json: inout JsonWriter) throws {
        if let self { try self.write(to: &json) } else { json.writeNull() }
    }
}

extension Array: JsonWritable where Element: JsonWritable {
    /// Writes an array.
    /// - Parameter json: The writer of the value.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that could not be written.
    @inlinable
    public func write(to json: inout JsonWriter) throws {
        if Element.self == Int.self, let numbers = self as? [Int] { return json.write(numbers) }
        if Element.self == Double.self, let numbers = self as? [Double] { return try json.write(numbers) }
        try json.writeArray { array in
            try forEachBorrowed { try array.append($0) }
        }
    }
}

extension Dictionary: JsonWritable where Key: CodingKeyRepresentable, Value: JsonWritable {
    /// Writes an object, its members in no particular order.
    /// - Parameter json: The writer of the value.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that could not be written.
    @inlinable
    public func write(to json: inout JsonWriter) throws {
        try json.writeObject { object in
            for (key, value) in self { try object.write(value, forKey: key as? String ?? key.codingKey.stringValue) }
        }
    }
}

extension JsonWritable where Self: RawRepresentable, RawValue: JsonWritable {
    /// Writes the raw value.
    /// - Parameter json: The writer of the value.
    /// - Throws: What the raw value throws.
    @inlinable
    public func write(to json: inout JsonWriter) throws { try rawValue.write(to: &json) }
}
