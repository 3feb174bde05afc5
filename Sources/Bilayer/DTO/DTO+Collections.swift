extension Array: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> [Element] {
        try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) }
    }

    /// Makes the models of a field of a larger DTO, so that an error's path goes through that field and the element.
    /// - Parameters:
    ///   - dto: The values of the lower layer.
    ///   - key: The name of their field.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public static func from(dto: [Element.DTO], at key: String) throws -> [Element] {
        // The elements look for a session themselves: one look less for each list of each model.
        do {
            return try dto.mapElements(at: key, owner: Element.conversion) { try Element.from(dto: $0) }
        } catch {
            throw MappingError.located(error, at: .key(key))
        }
    }
}

extension Set: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one; equal ones are kept once.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> Set<Element> {
        Set(try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) })
    }
}

extension Dictionary: DTODecodable where Key: CodingKeyRepresentable, Value: DTODecodable {
    /// Makes the models one by one; keys stay as they are.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models under the same keys.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public static func from(dto: [Key: Value.DTO]) throws -> [Key: Value] {
        try dto.mapMembers(owner: Value.conversion) { try Value.from(dto: $0) }
    }
}

extension Array: DTOEncodable where Element: DTOEncodable {
    /// Turns the models one by one.
    /// - Returns: The values of the lower layer in the same order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Set: DTOEncodable where Element: DTOEncodable {
    /// Turns the models one by one, in no particular order.
    /// - Returns: The values of the lower layer.
    /// - Throws: ``MappingError`` whose path starts with the position of the element that failed.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Dictionary: DTOEncodable where Key: CodingKeyRepresentable, Value: DTOEncodable {
    /// Turns the models one by one; keys stay as they are.
    /// - Returns: The values of the lower layer under the same keys.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public func toDTO() throws -> [Key: Value.DTO] {
        try mapMembers(owner: Value.reverseConversion) { try $0.toDTO() }
    }
}
