extension DTODecodable {
    /// Makes the model from a field of a DTO. The compiler checks the field, and the paths of errors and issues have
    /// its name.
    ///
    /// Choose it over ``from(dto:at:)`` to write the name once. The result may be a model, or an array, an optional, a
    /// set or a dictionary of models:
    ///
    /// ```swift
    /// struct AlbumEntry: Codable, RawMappable { let photos: [PhotoEntry] }
    /// struct Album: DTODecodable {
    ///     let photos: [Photo]
    ///     static func from(dto: AlbumEntry) throws -> Album {
    ///         try Album(photos: .from(\.photos, of: dto))               // $.photos[2].ref: …
    ///     }
    /// }
    /// ```
    /// The name of a key path can be unknown: see ``require(_:of:key:fileID:line:function:)``. Evaluating a key path
    /// takes about 10 ns longer than reading the field.
    /// - Parameters:
    ///   - field: The key path of the field.
    ///   - root: The DTO.
    ///   - key: The field's key or path in the JSON, if it differs from the names in Swift.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` whose path starts with the field, if its name is known.
    public static func from<Root>(_ field: KeyPath<Root, DTO>, of root: Root, key: String? = nil) throws -> Self {
        try locating(at: field.path(in: Root.self, key: key)) { try converted(from: root[keyPath: field]) }
    }
}

extension AnyKeyPath {
    /// Returns the path of the field, or the root path if its name is unknown.
    func path(in root: Any.Type, key: String?) -> JsonPath {
        (key ?? spelling(from: root)).flatMap { JsonPath($0) } ?? .root
    }
}
