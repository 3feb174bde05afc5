// Integers of every width are written by their digits.

extension Int: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(self) }
}

extension Int8: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(Int64(self)) }
}

extension Int16: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(Int64(self)) }
}

extension Int32: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(Int64(self)) }
}

extension Int64: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(self) }
}

extension UInt: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(UInt64(self)) }
}

extension UInt8: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(UInt64(self)) }
}

extension UInt16: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(UInt64(self)) }
}

extension UInt32: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(UInt64(self)) }
}

extension UInt64: JsonWritable {
    /// Writes a number.
    public func write(to json: inout JsonWriter) { json.write(self) }
}
