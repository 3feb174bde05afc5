/// The value that a key path leads to, or a ``MappingError`` with the path's own names.
///
/// Choose it where a misspelt name would hurt: the compiler checks the path, also through optionals.
///
/// ```swift
/// let city = try require(\.address?.city, of: dto)             // $.address.city: missing, …
/// ```
/// Names of key paths are read from reflection metadata. In a program that is built without it the error has everything
/// but the field's name; pass `key`, or use ``Swift/Optional/require(_:key:fileID:line:function:)``, where that
/// matters. The same holds for paths through subscripts, and before macOS 13.3 and iOS 16.4.
/// - Parameters:
///   - field: Where the value is.
///   - root: What it is a part of, usually the DTO.
///   - key: The field's key in the JSON, or the path there, where it differs from the names in Swift.
///   - fileID: The place of the rule.
///   - line: The place of the rule.
///   - function: The place of the rule.
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
    /// The names along the path with dots in between; nil if one of them is not known.
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
