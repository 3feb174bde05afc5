/// A field in which the models of two sources differ.
public struct ModelDifference: Sendable {
    /// How the field differs.
    public enum Kind: String, Sendable, Hashable {
        /// The values differ.
        case value = "differs"
        /// Only the old model has the field or the element.
        case missing = "missing in the new model"
        /// Only the new model has the field or the element.
        case added = "only in the new model"
        /// The field cannot be compared. Either its properties cannot be read (``ComparisonRules``), it has no JSON,
        /// and it is not `Equatable`. Or it is an unordered list that is too long to compare each element with each.
        /// Ignore the field, name a key of the elements, or pass a `compare` closure to the ``Migration``.
        case notComparable = "cannot be compared"
    }

    /// The path of the field from the model, with the names of Swift properties and enum cases, and dictionary keys.
    /// The indices are indices in the old model. If the difference is an element that only the new model has, the last
    /// index is its index in the new model.
    public let path: JsonPath
    /// How the field differs.
    public let kind: Kind
    /// The type and length found in the old model. Never contains the value.
    public let old: MappingIssue.Found?
    /// The type and length found in the new model. Never contains the value.
    public let new: MappingIssue.Found?
    /// The value in the old model, if the rules of the migration show it.
    public internal(set) var shownOld: String?
    /// The value in the new model, if the rules of the migration show it.
    public internal(set) var shownNew: String?

    init(_ path: JsonPath, _ kind: Kind, old: MappingIssue.Found? = nil, new: MappingIssue.Found? = nil) {
        self.path = path
        self.kind = kind
        self.old = old
        self.new = new
    }
}

extension ModelDifference: Redacted {
    /// The path, the kind, and both sides:
    /// `$.draws[2].name: differs: old string (5 characters), new string (6 characters)`.
    public var description: String {
        let sides = [side("old", old, shownOld), side("new", new, shownNew)].compactMap { $0 }
        return (["\(path): \(kind.rawValue)"] + (sides.isEmpty ? [] : [sides.joined(separator: ", ")]))
            .joined(separator: ": ")
    }

    private func side(_ name: String, _ found: MappingIssue.Found?, _ shown: String?) -> String? {
        guard let found else { return nil }
        return "\(name) \(found)" + (shown.map { " " + $0 } ?? "")
    }
}

/// The differences of two models.
struct ModelDifferences: Sendable {
    var differences: [ModelDifference] = []
    /// The number of further differences, which are not kept.
    var omitted = 0
    /// The rules that applied to at least one field.
    var usedRules: Set<ComparisonRules.Rule> = []

    init(_ differences: [ModelDifference] = []) { self.differences = differences }
}
