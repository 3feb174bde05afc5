public import Bilayer

/// Checks that an entry writes the JSON that it was read from.
///
/// ```swift
/// try expectRoundTrip(of: Json(parsing: sample), through: UserEntry.self)
/// ```
/// Members may change their order, and numbers their spelling. A key that the entry does not read is a problem, since
/// it is lost. The elements of a `Set` have no order: use a sample with one element.
/// - Parameters:
///   - sample: JSON of the server.
///   - entry: The entry.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError``; the entry's own error if it cannot read or write the sample.
public func expectRoundTrip<Entry: RawDecodable & RawEncodable>(
    of sample: Json,
    through entry: Entry.Type,
    conventions: CodingConventions = CodingConventions()
) throws where Entry.Raw == Json {
    let back = try CollectingReporter().mapping(conventions: conventions) { try Entry.from(raw: sample).toRaw() }
    try ContractError.check(typeName(entry), sample.differences(from: back))
}

/// Checks that a model is converted back to the entry that it was made from.
/// - Parameters:
///   - entry: A sample.
///   - model: The model.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError``; the mapping's own error if the sample cannot be mapped.
public func expectRoundTrip<Model: DTODecodable & DTOEncodable>(
    of entry: Model.DTO,
    through model: Model.Type,
    conventions: CodingConventions = CodingConventions()
) throws where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
    let (before, after) = try CollectingReporter()
        .mapping(conventions: conventions) { (try entry.toRaw(), try Model.from(dto: entry).toDTO().toRaw()) }
    try ContractError.check(typeName(model), before.differences(from: after))
}

extension Json {
    /// The differences of another value from this one; samples are no secrets, so values are shown.
    fileprivate func differences(from other: Json, at path: JsonPath = .root) -> [ContractError.Problem] {
        if self == other { return [] }
        switch (kind, other.kind) {
        case (.object, .object):
            let added = other.keys.filter { self[$0] == nil }
            return (keys + added)
                .flatMap { key in
                    part(self[key], other[key], at: path.appending(.key(key)))
                }
        case (.array, .array):
            return (0..<max(count, other.count))
                .flatMap { index in
                    part(self[index], other[index], at: path.appending(.index(index)))
                }
        default:
            return [ContractError.Problem(path: path.description, text: "\(self) became \(other)")]
        }
    }

    private func part(_ mine: Json?, _ other: Json?, at path: JsonPath) -> [ContractError.Problem] {
        switch (mine, other) {
        case (let mine?, let other?): mine.differences(from: other, at: path)
        case (let mine?, nil): [ContractError.Problem(path: path.description, text: "\(mine) was lost")]
        case (nil, let other?): [ContractError.Problem(path: path.description, text: "\(other) was added")]
        case (nil, nil): []
        }
    }
}
