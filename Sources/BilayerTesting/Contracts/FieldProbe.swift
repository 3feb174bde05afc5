import Bilayer

/// Finds the fields of a sample that a mapping reads. It changes one field at a time.
///
/// A field is read if a changed value that the entry accepts changes the mapping's result, error or report. A field is
/// unread if the entry is changed by accepted values, but none of them has such an effect. If no changed value is
/// accepted and changes the entry, the field cannot be checked.
struct FieldProbe<Entry> {
    let sample: Json
    let decode: (Json) throws -> Entry
    let map: (Entry) throws -> Any
    let ignored: Set<String>
    let replacements: [String: Json]
    let conventions: CodingConventions

    private enum Verdict {
        /// An accepted value changes the entry, and the mapping's result, error or report.
        case read
        /// Accepted values change the entry, and none of them has an effect.
        case unread
        /// The entry accepts no changed value, or is not changed by it.
        case unknown
        /// The sample has no value to change: null, or an empty container.
        case empty
    }

    /// Returns the fields that are unread or cannot be checked. Elements of an array share their fields.
    /// - Returns: The problems, by the paths of the fields without indices.
    /// - Throws: The error of the mapping, if it fails for the sample itself.
    func problems() throws -> [ContractError.Problem] {
        let reading = read(sample)
        if let error = reading.error { throw error }
        let baseline = (entry: reading.entry ?? "", result: reading.result)
        var verdicts: [(path: String, verdict: Verdict)] = []
        for (path, value) in sample.fields() where !isIgnored(path) {
            let group = path.withoutIndices
            let verdict = verdict(on: value, at: path, baseline)
            if let position = verdicts.firstIndex(where: { $0.path == group }) {
                verdicts[position].verdict = better(verdicts[position].verdict, verdict)
            } else {
                verdicts.append((group, verdict))
            }
        }
        return verdicts.compactMap { path, verdict in
            text(for: verdict).map { ContractError.Problem(path: path, text: $0) }
        }
    }

    /// Whether the check leaves out a field, because its path or the path of a container around it is ignored.
    private func isIgnored(_ path: JsonPath) -> Bool {
        path.components.indices.contains { last in
            let above = JsonPath(Array(path.components[...last]))
            return ignored.contains(above.withoutIndices) || ignored.contains(above.description)
        }
    }

    private func text(for verdict: Verdict) -> String? {
        switch verdict {
        case .read: nil
        case .unread: "is not read"
        case .unknown: "cannot be checked: no other value is accepted; name one that is (changing:)"
        case .empty: "cannot be checked: it is empty in the sample"
        }
    }

    /// Returns the verdict for a field of several elements. The field is read if it is read in one element.
    private func better(_ first: Verdict, _ second: Verdict) -> Verdict {
        let order: [Verdict] = [.read, .unread, .unknown, .empty]
        return order.first { $0 == first || $0 == second } ?? first
    }

    /// Maps the sample with other values of a field, until one of them has an effect.
    private func verdict(on value: Json, at path: JsonPath, _ baseline: (entry: String, result: String)) -> Verdict {
        let replacement = replacements[path.withoutIndices] ?? replacements[path.description]
        var verdict = value.isNull || value.count == 0 && value.isContainer ? Verdict.empty : .unknown
        for other in (replacement.map { [$0] } ?? []) + value.others {
            var changed = sample
            guard changed.set(other, at: path) else { continue }
            let reading = read(changed)
            guard let entry = reading.entry, entry != baseline.entry else { continue }
            if reading.result != baseline.result { return .read }
            verdict = .unread
        }
        return verdict
    }

    /// Maps both layers in one mapping.
    /// - Returns: `entry` is the text of the entry; `nil` if the entry could not be read. `result` is the text of the
    ///   model with the reported issues, or the text of the error. `error` is the error.
    private func read(_ json: Json) -> (entry: String?, result: String, error: (any Error)?) {
        let reporter = CollectingReporter()
        var text: String?
        do {
            let value = try reporter.mapping(conventions: conventions) {
                let entry = try decode(json)
                text = Appearance.text(of: entry)
                return try map(entry)
            }
            let issues = reporter.issues.map(\.description)
            return (text, ([Appearance.text(of: value)] + issues).joined(separator: "\n"), nil)
        } catch {
            return (text, "failed: \(error)", error)
        }
    }
}

extension Json {
    fileprivate var isContainer: Bool { kind == .array || kind == .object }

    /// The scalars and the empty containers inside this value, with their paths.
    fileprivate func fields(at path: JsonPath = .root) -> [(path: JsonPath, value: Json)] {
        switch kind {
        case .object where count > 0:
            members.flatMap { $0.value.fields(at: path.appending(.key($0.key))) }
        case .array where count > 0:
            elements.enumerated().flatMap { $1.fields(at: path.appending(.index($0))) }
        default: [(path, self)]
        }
    }

    /// Other values of the same JSON type, some of which the entry may accept. The last value is `null`. There are none
    /// for `null` and for a container.
    fileprivate var others: [Json] {
        switch kind {
        case .bool: [Json(bool != true), .null]
        case .number: [Json((int ?? 0) &+ 1), 0, 1, 2, .null]
        case .string:
            [
                Json((string ?? "") + "x"), "", "2001-02-03T04:05:06Z", "2001-02-03", "https://example.org/other", "17",
                "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "AAEC", .null,
            ]
        case .array, .object, .null: []
        }
    }
}
