/// The rules for comparing the models of two sources: accepted differences, and the values that reports may show.
///
/// ```swift
/// let rules = ComparisonRules.exact
///     .ignoring("fetchedAt", "draws[].cursor")
///     .unordered("draws", by: "id")
///     .tolerating(0.005, at: "maxTicketCost")
/// ```
/// A path consists of the names of Swift properties from the model on, with empty brackets for any index and `*` for
/// any key of a dictionary: `games[].prices.*.amount`. The path of a model that is itself a list starts with `[]`.
///
/// Two models are compared by their stored properties, as `Mirror` shows them: those of structs, of enums with values,
/// and of classes with their superclasses. Sets have no order. A value that shows no properties is compared by `==`, or
/// by the JSON that it encodes to. The app's own `==` decides only there, because one that compares only ids would hide
/// everything else.
///
/// A rule whose path is wrong has no effect. So the tally of the migration names the rules that no comparison has used
/// so far (``MigrationTally/unusedRules``), and so does each report of differences.
public struct ComparisonRules: Sendable {
    /// How many elements of lists without an order are compared with each other in one comparison. Of lists that need
    /// more, the report says that they cannot be compared: name a key.
    static let mostPairs = 500_000

    /// The number of differences to keep of one comparison, at least one. Further ones are counted.
    public var differenceLimit = 20

    private var rules: [Rule.Effect: [String: Rule]] = [:]
    private var disclosure = ValueDisclosure.none

    /// The rule for a path.
    struct Rule: Hashable, Sendable {
        enum Effect: String, Sendable { case ignoring, unordered, tolerating }

        let effect: Effect
        let path: String
        /// The property by which elements belong together.
        var key: String?
        /// The greatest difference to accept.
        var difference = 0.0
    }

    /// Every field counts.
    public static let exact = ComparisonRules()

    /// Returns rules that leave out some fields, with everything in them.
    /// - Parameter paths: Their paths.
    /// - Returns: The changed rules.
    public func ignoring(_ paths: String...) -> ComparisonRules {
        var rules = self
        for path in paths { rules.add(Rule(effect: .ignoring, path: path)) }
        return rules
    }

    /// Returns rules that ignore the order of a list.
    /// - Parameters:
    ///   - path: The list's path; `$` for a model that is itself a list.
    ///   - key: The property by which elements belong together, so that the report names the fields in which they
    ///     differ. Without one, elements belong together if they agree by these rules; as many as possible do. That
    ///     compares the elements that are not equal with each other, half a million pairs at most in one comparison.
    ///     That is enough for about 700 such elements, or 500 under a tolerance. A longer list is reported as one that
    ///     cannot be compared.
    /// - Returns: The changed rules.
    public func unordered(_ path: String, by key: String? = nil) -> ComparisonRules {
        var rules = self
        rules.add(Rule(effect: .unordered, path: path, key: key))
        return rules
    }

    /// Returns rules that accept a difference between two numbers, or two dates, in seconds.
    /// - Parameters:
    ///   - difference: The greatest difference to accept.
    ///   - path: The path of the number or date.
    /// - Returns: The changed rules.
    public func tolerating(_ difference: Double, at path: String) -> ComparisonRules {
        var rules = self
        rules.add(Rule(effect: .tolerating, path: path, difference: difference))
        return rules
    }

    /// Returns rules whose reports show some values.
    /// - Parameter values: The values to show.
    /// - Returns: The changed rules.
    public func showing(_ values: ValueDisclosure) -> ComparisonRules {
        var rules = self
        rules.disclosure = values
        return rules
    }

    private mutating func add(_ rule: Rule) {
        rules[rule.effect, default: [:]][normalized(rule.path)] = rule
    }

    /// All rules, in the order of their texts.
    var all: [Rule] { rules.values.flatMap(\.values).sorted { $0.description < $1.description } }

    var hasTolerances: Bool { rules[.tolerating] != nil }

    func ignoring(_ path: JsonPath) -> Rule? { rule(.ignoring, at: path) }

    func tolerance(at path: JsonPath) -> (difference: Double, rule: Rule)? {
        rule(.tolerating, at: path).map { ($0.difference, $0) }
    }

    /// The rule by which a list has no order; `nil` if its order counts.
    func order(at path: JsonPath) -> Rule? { rule(.unordered, at: path) }

    /// The text of a path is made only if there is a rule to look up.
    private func rule(_ effect: Rule.Effect, at path: JsonPath) -> Rule? { rules[effect]?[path.withoutIndices] }

    func shows(_ path: JsonPath, isContainer: Bool) -> Bool { disclosure.shows(path, isContainer: isContainer) }
}

private func normalized(_ path: String) -> String {
    path.hasPrefix("$") ? path : path.hasPrefix("[") ? "$" + path : "$." + path
}

extension ComparisonRules.Rule: CustomStringConvertible {
    /// As in the source code: `unordered draws by id`.
    var description: String { "\(effect.rawValue) \(path)" + (key.map { " by \($0)" } ?? "") }
}

extension ComparisonRules: Redacted {}
