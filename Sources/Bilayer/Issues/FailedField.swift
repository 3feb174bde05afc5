/// The field that ended the reading of a value, and the type that declares it.
///
/// The decoder notes it where a type's `init(from:)` has failed, from the innermost value outwards. So every policy names
/// the type that declares the field, at any depth, without reading the value again.
struct FailedField {
    /// The path of the value that has the field, from the decoder's root.
    private let place: JsonPath
    /// The path of the error.
    let path: JsonPath
    let owner: String

    /// - Returns: nil if the error is not inside of the value, or if the value's type is none of an app.
    init?(_ error: any Error, of type: Any.Type, at place: JsonPath) {
        guard let path = Self.path(of: error), path.components.count > place.components.count,
            path.components.starts(with: place.components), let owner = ownerName(of: type)
        else { return nil }
        self.place = place
        self.path = path
        self.owner = owner
    }

    /// Whether the other is the same field, found further inside.
    func isOutside(of other: FailedField) -> Bool {
        place.components.count < other.place.components.count && path == other.path
    }

    private static func path(of error: any Error) -> JsonPath? {
        switch error {
        case let error as MappingError: error.issues.first?.localPath
        case let error as DecodingError: MappingIssue(error).localPath
        default: nil
        }
    }
}
