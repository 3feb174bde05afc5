public import Bilayer

/// Checks that a model's mapping reads every field of its entry. If a field is unread, the mapping has a mistake, or
/// the server need not send the field.
///
/// The check changes one field of the sample at a time. If neither the model nor an error of the mapping nor its report
/// changes, the field is not read. Fields of every type can be checked, including dates, identifiers, addresses,
/// decimals and fields of nested entries. For a conversion given as a closure, pass the closure instead of the model.
/// An entry that is `RawDecodable` and `RawEncodable` is read by its `from(raw:)`, even if the entry is `Codable`.
///
/// ```swift
/// try expectEveryFieldIsRead(by: User.self, from: sampleEntry, ignoring: ["debug"], changing: ["type": 1])
/// ```
/// The check has limits:
/// - A field that is `nil` or empty in the sample cannot be checked, and is reported as a problem. So give every field
///   a value.
/// - A field is changed to some other values of its type, and to `null`. If the entry accepts none of them, as with a
///   closed enum, pass another value in `changing`.
/// - A field that has an effect only together with other fields can be reported as unread. Name such a field in
///   `ignoring`.
/// - Models are compared by reflection, so computed properties are not compared.
/// - Parameters:
///   - model: The model.
///   - entry: A sample with a value in every field.
///   - ignoring: Fields that need not be read, by their paths in the JSON or in Swift, without indices:
///     `photos[].taken_at` or `photos[].takenAt`. A name that matches no field is a problem. Use the Swift name for a
///     field that is `nil` in the sample and whose type accepts only few values, such as a closed enum.
///   - changing: Replacement values that the entry accepts, by the paths in the JSON, with or without indices.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` if a field is not read or cannot be checked; the encoder's or the mapping's own error if
///   the sample cannot be written or mapped.
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

/// Checks that a model's mapping reads every field of an entry that is read and written by hand.
/// - Throws: ``ContractError`` if a field is not read or cannot be checked; the encoder's or the mapping's own error if
///   the sample cannot be written or mapped.
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

/// Checks that an entry reads every key of a sample. An unread key is new on the server, or misspelt in the entry.
///
/// ```swift
/// try expectEveryKeyIsRead(by: UserEntry.self, in: Json(parsing: sample))
/// ```
/// The check changes one value at a time, so it also works for entries that are read by hand. A key also counts as
/// read if the entry refuses the changed value, so there is no parameter `changing`. The other limits are those of
/// `expectEveryFieldIsRead(by:from:)`.
/// - Parameters:
///   - entry: The entry, or an array of entries.
///   - sample: JSON of the server.
///   - ignoring: Keys that need not be read, by their paths in the JSON or in Swift, without indices. A name that
///     matches nothing is a problem.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` if a key is not read or cannot be checked; the entry's own error if it cannot read the
///   sample.
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
