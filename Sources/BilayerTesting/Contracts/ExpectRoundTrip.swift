public import Bilayer
import Foundation

/// Checks that an entry, read from JSON, writes the same JSON again.
///
/// ```swift
/// try expectRoundTrip(of: Json(parsing: sample), through: UserEntry.self)
/// ```
/// Members may change their order, and numbers their spelling. A number in quotes or an RFC 3339 date may also change
/// its spelling, if the entry reads both spellings as equal values. For example, `"25.00"` may become `"25"`, and
/// `.000Z` may become `+00:00`. A key that the entry does not read is lost, so it is a problem. The elements of a `Set`
/// have no order: use a sample with one element.
/// - Parameters:
///   - sample: JSON of the server.
///   - entry: The entry.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` with the differences; the entry's own error if it cannot read or write the sample.
public func expectRoundTrip<Entry: RawDecodable & RawEncodable>(
    of sample: Json,
    through entry: Entry.Type,
    conventions: CodingConventions = CodingConventions()
) throws where Entry.Raw == Json {
    func read(_ json: Json) throws -> (text: String, written: Json) {
        try CollectingReporter()
            .mapping(conventions: conventions) {
                let entry = try Entry.from(raw: json)
                return (Appearance.text(of: entry), try entry.toRaw())
            }
    }
    let (text, written) = try read(sample)
    let differences = sample.differences(from: written)
        .filter { difference in
            guard difference.isOfSpelling, let other = difference.other else { return true }
            var respelled = sample
            respelled.set(other, at: difference.path)
            return (try? read(respelled).text) != text
        }
    try ContractError.check(typeName(entry), differences.map(\.problem))
}

/// Checks that a model is converted back to the entry from which it was made.
/// - Parameters:
///   - entry: A sample of the entry.
///   - model: The model.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` with the differences; the mapping's own error if the sample cannot be mapped, mapped
///   back or written.
public func expectRoundTrip<Model: DTODecodable & DTOEncodable>(
    of entry: Model.DTO,
    through model: Model.Type,
    conventions: CodingConventions = CodingConventions()
) throws where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
    try expectRoundTrip(
        of: entry,
        through: { (dto: Model.DTO) in try Model.from(dto: dto) },
        back: { (model: Model) in try model.toDTO() },
        conventions: conventions
    )
}

/// Checks that two closures convert an entry to a model and back to the same entry.
///
/// ```swift
/// try expectRoundTrip(
///     of: PhotoEntry(id: "p1", ref: "https://example.com/1.png"),
///     through: { entry in try Photo.from(dto: entry) },
///     back: { photo in try photo.toDTO() })
/// ```
/// - Parameters:
///   - entry: A sample of the entry.
///   - conversion: Converts the entry to the model.
///   - back: Converts the model to the entry.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` with the differences; the mapping's own error if the sample cannot be mapped, mapped
///   back or written.
public func expectRoundTrip<Entry: RawEncodable, Model>(
    of entry: Entry,
    through conversion: (Entry) throws -> Model,
    back: (Model) throws -> Entry,
    conventions: CodingConventions = CodingConventions()
) throws where Entry.Raw == Json {
    let (before, after) = try CollectingReporter()
        .mapping(conventions: conventions) { (try entry.toRaw(), try back(conversion(entry)).toRaw()) }
    try ContractError.check(typeName(Model.self), before.differences(from: after).map(\.problem))
}

/// A path at which two values differ. `nil` means that the value is missing.
private struct Difference {
    let path: JsonPath
    let mine: Json?
    let other: Json?

    /// The difference as a problem. It shows the values, because samples are not secret.
    var problem: ContractError.Problem {
        let text =
            switch (mine, other) {
            case (let mine?, let other?): "\(mine) became \(other)"
            case (let mine?, nil): "\(mine) was lost"
            case (nil, let other?): "\(other) was added"
            case (nil, nil): "is equal"
            }
        return ContractError.Problem(path: path.description, text: text)
    }

    /// Whether both texts are the same number or the same date.
    var isOfSpelling: Bool {
        guard let mine = mine?.string, let other = other?.string else { return false }
        if let value = number(mine) { return value == number(other) }
        return Date(rfc3339: mine).map { $0 == Date(rfc3339: other) } ?? false
    }

    private func number(_ text: String) -> Json? {
        guard let json = try? Json(parsing: Data(text.utf8)), json.kind == .number else { return nil }
        return json
    }
}

extension Json {
    /// Returns the differences between this value and another.
    fileprivate func differences(from other: Json, at path: JsonPath = .root) -> [Difference] {
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
            return [Difference(path: path, mine: self, other: other)]
        }
    }

    private func part(_ mine: Json?, _ other: Json?, at path: JsonPath) -> [Difference] {
        if let mine, let other { return mine.differences(from: other, at: path) }
        return mine == nil && other == nil ? [] : [Difference(path: path, mine: mine, other: other)]
    }
}
