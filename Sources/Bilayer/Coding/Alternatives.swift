/// Chooses among the places at which a value may be: the first at which there is something, with a value if possible.
/// Differing values elsewhere are reported.
/// - Parameters:
///   - places: The places, better ones first.
///   - find: Returns the value at a place; nil for none.
///   - isNull: Whether that is a `null`.
///   - clash: The issue of a value that differs from the chosen one; nil if it is the same.
/// - Returns: The place and its value.
/// - Throws: What `find` throws; ``MappingError`` for differing values, under a policy that refuses them.
func firstPresent<Location, Found>(
    of locations: [Location],
    find: (Location) throws -> Found?,
    isNull: (Found) -> Bool,
    clash: (_ chosen: (location: Location, found: Found), _ other: (location: Location, found: Found)) -> MappingIssue?
) throws -> (location: Location, found: Found)? {
    var chosen: (location: Location, found: Found)?
    for location in locations {
        guard let found = try find(location) else { continue }
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
    /// The issue of a second value, which was not read.
    static func keyClash(at path: JsonPath, found: Found, read: String) -> MappingIssue {
        let detail = "differs from \(read)"
        var issue = MappingIssue(.keyClash, severity: .warning, path: path, found: found, detail: detail)
        issue.outcome = "\(read) was read"
        return issue
    }
}
