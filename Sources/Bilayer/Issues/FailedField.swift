/// The field that ended the reading of a value, and the type that declares it.
///
/// The decoder notes the field when a type's `init(from:)` fails, from the innermost value outwards. So errors name the
/// type that declares the field, at any depth. Without a log, the decoder notes nothing: after an error, the entry is
/// read again with a log, to find the type.
struct FailedField {
    /// The path of the value that has the field, from the decoder's root.
    private let base: JsonPath
    /// The path of the error.
    let path: JsonPath
    let owner: String

    /// - Returns: `nil` if the error's path is not inside the value, or if the value's type is not a type of an app
    ///   (``ownerName(of:)``).
    init?(_ error: any Error, of type: Any.Type, at base: JsonPath) {
        guard let path = Self.path(of: error), path.components.count > base.components.count,
            path.components.starts(with: base.components), let owner = ownerName(of: type)
        else { return nil }
        self.base = base
        self.path = path
        self.owner = owner
    }

    /// Whether `other` is the same field, noted for a value further inside.
    func isOutside(of other: FailedField) -> Bool {
        base.components.count < other.base.components.count && path == other.path
    }

    private static func path(of error: any Error) -> JsonPath? {
        switch error {
        case let error as MappingError: error.issues.first?.localPath
        case let error as DecodingError: MappingIssue(error).localPath
        default: nil
        }
    }
}
