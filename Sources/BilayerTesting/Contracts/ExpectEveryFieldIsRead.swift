public import Bilayer

/// Checks that a model's mapping reads every field of its entry. A field that is not read is a mistake, or need not be
/// sent.
///
/// The check changes one field of the sample at a time. If the model, its error and its report do not change, the field
/// is not read. Fields of any type can be checked: dates, identifiers, addresses, decimals, and those of nested
/// entries. For a model whose conversion is a closure, pass the closure instead of the model. An entry that is read by
/// hand is read so here, too, if it is also `Codable`.
///
/// ```swift
/// try expectEveryFieldIsRead(by: User.self, from: sampleEntry, ignoring: ["debug"], changing: ["type": 1])
/// ```
/// The check has limits:
/// - A field that is `nil` or empty in the sample cannot be checked and is a problem, so fill all fields.
/// - A field is changed to some other values of its type. If the entry accepts none of them, as with a closed enum,
///   pass one as `changing`.
/// - A field that matters only together with others may be reported as unread: pass it as `ignoring`.
/// - Models are compared by reflection, so computed properties do not count.
/// - Parameters:
///   - model: The model.
///   - entry: A sample with every field filled.
///   - ignoring: Fields that may stay unread, by their paths in the JSON or in Swift, indices left out:
///     `photos[].taken_at` or `photos[].takenAt`. A name that matches no field is a problem. A field that is `nil` in
///     the sample, and whose type accepts few values, as a closed enum does, is named in Swift.
///   - changing: Other values that the entry accepts, by path.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError``; the mapping's own error if the sample cannot be mapped.
@_disfavoredOverload
public func expectEveryFieldIsRead<Model: DTODecodable>(
    by model: Model.Type,
    from entry: Model.DTO,
    ignoring: Set<String> = [],
    changing: [String: Json] = [:],
    conventions: CodingConventions = CodingConventions()
) throws where Model.DTO: Codable {
    try expectEveryFieldIsRead(
        by: { (dto: Model.DTO) in try Model.from(dto: dto) },
        from: entry,
        ignoring: ignoring,
        changing: changing,
        conventions: conventions
    )
}

/// Checks that a model's mapping reads every field of an entry by hand.
/// - Throws: ``ContractError``; the mapping's own error if the sample cannot be mapped.
public func expectEveryFieldIsRead<Model: DTODecodable>(
    by model: Model.Type,
    from entry: Model.DTO,
    ignoring: Set<String> = [],
    changing: [String: Json] = [:],
    conventions: CodingConventions = CodingConventions()
) throws where Model.DTO: RawDecodable & RawEncodable, Model.DTO.Raw == Json {
    try expectEveryFieldIsRead(
        by: { (dto: Model.DTO) in try Model.from(dto: dto) },
        from: entry,
        ignoring: ignoring,
        changing: changing,
        conventions: conventions
    )
}

/// Checks that an entry reads every key of a sample. A key that it does not read is new, or misspelt in the entry.
///
/// ```swift
/// try expectEveryKeyIsRead(by: UserEntry.self, in: Json(parsing: sample))
/// ```
/// The check changes one value at a time, so it works for entries by hand, too. Its limits are those of
/// `expectEveryFieldIsRead(by:from:ignoring:changing:)`.
/// - Parameters:
///   - entry: The entry, or an array of entries.
///   - sample: JSON of the server.
///   - ignoring: Keys that may stay unread, by their paths in the JSON or in Swift, indices left out. A name that
///     matches nothing is a problem.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError``; the entry's own error if it cannot read the sample.
public func expectEveryKeyIsRead<Entry: RawDecodable>(
    by entry: Entry.Type,
    in sample: Json,
    ignoring: Set<String> = [],
    conventions: CodingConventions = CodingConventions()
) throws where Entry.Raw == Json {
    let ignored = IgnoredFields(rooted(ignoring), in: sample) { json in
        try CollectingReporter().mapping(conventions: conventions) { try Entry.from(raw: json) }
    }
    let probe = FieldProbe(
        sample: sample,
        decode: { $0 },
        map: { try Entry.from(raw: $0) },
        ignored: ignored.jsonPaths,
        replacements: [:],
        conventions: conventions
    )
    try ContractError.check(typeName(entry), probe.problems() + ignored.problems)
}
