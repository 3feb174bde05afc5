extension Array: RawEncodable where Element: RawEncodable, Element.Raw == Json {
    /// Writes a JSON array.
    /// - Returns: The elements' JSON in their order.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    public func toRaw() throws -> Json {
        try StackSpace.check()
        if let type = Element.self as? any JsonWritable.Type, let json = try type.array(self) { return json }
        return try writeElements()
    }
}

extension Set: RawEncodable where Element: RawEncodable, Element.Raw == Json {
    /// Writes a JSON array, in no particular order.
    /// - Returns: The elements' JSON.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's position.
    public func toRaw() throws -> Json {
        try StackSpace.check()
        return Json(try mapElements { try $0.toRaw() })
    }
}

extension Dictionary: RawEncodable where Key: CodingKeyRepresentable, Value: RawEncodable, Value.Raw == Json {
    /// Writes a JSON object.
    /// - Returns: The members' JSON, in no particular order.
    /// - Throws: ``MappingError``. For a member that failed, its path starts with the member's key.
    public func toRaw() throws -> Json {
        try StackSpace.check()
        return Json(members: try mapMembers { try $0.toRaw() }.map { (key: $0.codingKey.stringValue, value: $1) })
    }
}
