/// The field that ended the reading of a value, and the type that declares it.
///
/// The decoder notes it where a type's `init(from:)` has failed, from the innermost value outwards. So every policy
/// names the type that declares the field, at any depth, without reading the value again.
struct FailedField {
    /// The path of the value that has the field, from the decoder's root.
    private let base: JsonPath
    /// The path of the error.
    let path: JsonPath
    let owner: String

    /// - Returns: nil if the error is not inside of the value, or if the value's type is none of an app.
    init?(_ error: any Error, of type: Any.Type, at base: JsonPath) {
        guard let path = Self.path(of: error), path.components.count > base.components.count,
            path.components.starts(with: base.components), let owner = ownerName(of: type)
        else { return nil }
        self.base = base
        self.path = path
        self.owner = owner
    }

    /// Whether the other is the same field, found further inside.
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
