public import Bilayer

/// Checks that a conversion given as a closure, such as the closure of a route, reads every field of its entry.
///
/// ```swift
/// try expectEveryFieldIsRead(by: { (entry: UserEntry) in entry.name ?? "" }, from: sampleEntry, ignoring: ["photos"])
/// ```
/// - Parameters:
///   - conversion: Converts the entry to the model.
///   - entry: A sample with a value in every field.
///   - ignoring: Fields that need not be read, by their paths in the JSON or in Swift, without indices.
///   - changing: Replacement values that the entry accepts, by the paths in the JSON, with or without indices.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` if a field is not read or cannot be checked; the encoder's or the mapping's own error if
///   the sample cannot be written or mapped.
@_disfavoredOverload
public func expectEveryFieldIsRead<Entry: Codable, Model>(
    by conversion: @escaping (Entry) throws -> Model,
    from entry: Entry,
    ignoring: Set<String> = [],
    changing: [String: Json] = [:],
    conventions: CodingConventions = CodingConventions()
) throws {
    try check(
        conversion,
        in: try Json(encoding: entry, using: conventions.encoder),
        decoding: { try $0.decode(Entry.self, using: conventions.decoder) },
        sample: entry,
        (ignoring, changing, conventions)
    )
}

/// Checks that a conversion given as a closure reads every field of an entry that is read and written by hand.
public func expectEveryFieldIsRead<Entry: RawDecodable & RawEncodable, Model>(
    by conversion: @escaping (Entry) throws -> Model,
    from entry: Entry,
    ignoring: Set<String> = [],
    changing: [String: Json] = [:],
    conventions: CodingConventions = CodingConventions()
) throws where Entry.Raw == Json {
    try check(
        conversion,
        in: try CollectingReporter().mapping(conventions: conventions) { try entry.toRaw() },
        decoding: Entry.from(raw:),
        sample: entry,
        (ignoring, changing, conventions)
    )
}

private func check<Entry, Model>(
    _ conversion: @escaping (Entry) throws -> Model,
    in json: Json,
    decoding: @escaping (Json) throws -> Entry,
    sample: Entry,
    _ options: (ignoring: Set<String>, changing: [String: Json], conventions: CodingConventions)
) throws {
    let ignored = IgnoredFields(rooted(options.ignoring), in: json) { json in
        try CollectingReporter().mapping(conventions: options.conventions) { try decoding(json) }
    }
    let probe = FieldProbe(
        sample: json,
        decode: decoding,
        map: { try conversion($0) },
        ignored: ignored.jsonPaths,
        replacements: Dictionary(uniqueKeysWithValues: options.changing.map { (rooted($0), $1) }),
        conventions: options.conventions
    )
    let empty = SwiftFields(of: sample).empty.filter { !ignored.covers($0) }
        .map { ContractError.Problem(path: $0, text: "cannot be checked: it is nil in the sample") }
    try ContractError.check(typeName(Model.self), probe.problems() + empty + ignored.problems)
}
