/// Returns the value at a key path, or throws a ``MappingError`` with the names of the path's properties.
///
/// Choose it to have the compiler check the names, also through optionals.
///
/// ```swift
/// let city = try require(\.address?.city, of: dto)             // $.address.city: missing: …
/// ```
/// Names of key paths are read from reflection metadata. The error has no name for paths through subscripts, computed
/// properties, and properties with wrappers or observers. It also has no name in a program that is built without that
/// metadata, and before macOS 13.3 and iOS 16.4. If that matters, pass `key`, or use
/// ``Swift/Optional/require(_:key:fileID:line:function:)``.
/// - Parameters:
///   - field: The key path of the value.
///   - root: The value that contains it, usually the DTO.
///   - key: The field's key or path in the JSON, if it differs from the names in Swift.
///   - fileID: The caller's file, for the error.
///   - line: The caller's line, for the error.
///   - function: The caller's function, for the error.
/// - Returns: The value.
/// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/missing``.
@inlinable
public func require<Root, Value>(
    _ field: KeyPath<Root, Value?>,
    of root: Root,
    key: String? = nil,
    fileID: String = #fileID,
    line: UInt = #line,
    function: String = #function
) throws -> Value {
    if let value = root[keyPath: field] { return value }
    let source = MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
    throw MappingError.missing(field.spelling(from: Root.self), key: key, as: Value.self, at: source)
}

extension AnyKeyPath {
    /// Returns the names along the path, joined by dots, or `nil` if one of them is unknown.
    @usableFromInline
    func spelling(from root: Any.Type) -> String? {
        let text = String(describing: self)
        let start = "\\\(root)."
        guard text.hasPrefix(start) else { return nil }
        let names = text.dropFirst(start.count).split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.hasSuffix("?") || $0.hasSuffix("!") ? $0.dropLast() : $0 }
        let areNames = names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
        }
        return areNames ? names.joined(separator: ".") : nil
    }
}
