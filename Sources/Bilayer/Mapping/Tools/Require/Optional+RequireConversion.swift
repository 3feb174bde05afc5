extension Optional {
    /// Converts the value, or throws a ``MappingError`` if it is missing. Errors and issues of the conversion also have
    /// the field in their paths.
    ///
    /// Choose it over ``require(_:key:fileID:line:function:)`` for a value that is converted by an initializer or a
    /// function. These do not get the name of the field. With `try Album(answer.album.require("album"))`, only the
    /// error of a missing album would have the field in its path. With this function, every error has it:
    ///
    /// ```swift
    /// struct AlbumEntry: Codable, RawMappable { let title: String? }
    /// struct AnswerEntry: Codable, RawMappable { let album: AlbumEntry? }
    /// struct Album {
    ///     let title: String
    ///     init(_ entry: AlbumEntry) throws { title = try entry.title.require("title") }
    /// }
    /// let answer = AnswerEntry(album: AlbumEntry(title: "Teide"))
    /// let album = try answer.album.require("album") { try Album($0) }              // $.album.title: missing: …
    /// ```
    /// - Parameters:
    ///   - name: The field's name for the path, or its path from the DTO (`album.edges`).
    ///   - key: The field's key or path in the JSON, if it differs from the name.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - function: The caller's function, for the error.
    ///   - convert: Converts the value.
    /// - Returns: The result of the closure.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/missing``; the error of the closure, with the field in
    ///   front of its path.
    public func require<Value>(
        _ name: String,
        key: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function,
        _ convert: (Wrapped) throws -> Value
    ) throws -> Value {
        let value = try require(name, key: key, fileID: fileID, line: line, function: function)
        let text = key ?? name
        return try locating(at: JsonPath(text) ?? [.key(text)]) {
            try locating(at: nil, owner: "\(typeName(Wrapped.self)) -> \(typeName(Value.self))") { try convert(value) }
        }
    }
}
