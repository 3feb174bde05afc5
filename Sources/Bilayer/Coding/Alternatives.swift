/// Returns the first location with a non-null value, or the first location with a `null` if all values are null.
/// Reports each non-null value at a later location that differs from the chosen value. An error of `find` is thrown
/// only before a non-null value is found. Later errors of `find` are ignored.
/// - Parameters:
///   - locations: The locations to search, in order of preference.
///   - find: Returns the value at a location, or `nil` if there is none.
///   - isNull: Whether a value is `null`.
///   - clash: Returns the issue for a value that differs from the chosen one, or `nil` if both are equal.
/// - Returns: The chosen location and its value; `nil` if no location has a value.
/// - Throws: What `find` throws; ``MappingError`` for differing values, under a policy that refuses them.
func firstPresent<Location, Found>(
    of locations: [Location],
    find: (Location) throws -> Found?,
    isNull: (Found) -> Bool,
    clash: (_ chosen: (location: Location, found: Found), _ other: (location: Location, found: Found)) -> MappingIssue?
) throws -> (location: Location, found: Found)? {
    var chosen: (location: Location, found: Found)?
    for location in locations {
        let found: Found?
        do {
            found = try find(location)
        } catch {
            guard let first = chosen, !isNull(first.found) else { throw error }
            continue
        }
        guard let found else { continue }
        guard let first = chosen, !isNull(first.found) else {
            chosen = chosen == nil || !isNull(found) ? (location, found) : chosen
            continue
        }
        if isNull(found) { continue }
        try clash(first, (location, found))?.reportOrThrow()
    }
    return chosen
}

extension MappingIssue {
    /// Makes the warning for a second value of one field. The second value differs from the first, and was not read.
    static func keyClash(at path: JsonPath, found: Found, read: String) -> MappingIssue {
        let detail = "differs from \(read)"
        var issue = MappingIssue(.keyClash, severity: .warning, path: path, found: found, detail: detail)
        issue.outcome = "\(read) was read"
        return issue
    }
}
