/// The rules for comparing the models of two sources: accepted differences, and the values that reports may show.
///
/// ```swift
/// let rules = ComparisonRules.exact
///     .ignoring("fetchedAt", "draws[].cursor")
///     .unordered("draws", by: "id")
///     .tolerating(0.005, at: "maxTicketCost")
/// ```
/// A path starts at the model and consists of the names of Swift properties and enum cases. Empty brackets stand for
/// any index, and `*` for any key of a dictionary: `games[].prices.*.amount`. If the model itself is a list, the path
/// starts with `[]`.
///
/// Models are compared by their stored properties, which are read with `Mirror`. These are the properties of structs,
/// the properties of classes and their superclasses, and the associated values of enums. Sets have no order.
///
/// A value without visible properties is compared by the JSON that it encodes to, or by `==`. So is a value beyond the
/// limits of 64 levels and 100,000 values other than scalars, because its properties are not read. All other values are
/// compared without the app's own `==`: if it compares only ids, it would hide all other differences.
///
/// A rule with a wrong path has no effect. So the tally of the migration and each report of differences name the rules
/// that no comparison has used so far (``MigrationTally/unusedRules``).
public struct ComparisonRules: Sendable {
    /// The maximum number of pairs of elements to compare for all unordered lists in one comparison. A list that needs
    /// more is reported as not comparable.
    static let maximumPairs = 500_000

    /// The maximum number of differences that a report contains, at least one. Further differences are only counted.
    public var differenceLimit = 20

    private var rules: [Rule.Effect: [String: Rule]] = [:]
    private var disclosure = ValueDisclosure.none

    /// A rule and its path.
    struct Rule: Hashable, Sendable {
        enum Effect: String, Sendable { case ignoring, unordered, tolerating }

        let effect: Effect
        let path: String
        /// The property by which the elements of two lists are paired.
        var key: String?
        /// The greatest accepted difference between two numbers.
        var difference = 0.0
    }

    /// Rules that accept no difference.
    public static let exact = ComparisonRules()

    /// Returns rules that ignore fields, including everything inside these fields.
    /// - Parameter paths: The paths of the fields.
    /// - Returns: The changed rules.
    public func ignoring(_ paths: String...) -> ComparisonRules {
        var rules = self
        for path in paths { rules.add(Rule(effect: .ignoring, path: path)) }
        return rules
    }

    /// Returns rules that ignore the order of a list.
    /// - Parameters:
    ///   - path: The list's path; `$` for a model that is itself a list.
    ///   - key: The property by which elements of the two lists are paired. The report then names the fields in which a
    ///     pair differs. Without a key, elements are paired if they are equal under these rules, as many as possible.
    ///     Elements without an exactly equal one are compared with each other, up to half a million pairs in one
    ///     comparison. That is enough for about 700 such elements. If the rules have a tolerance, it is enough for
    ///     lists of 500 elements. A list that needs more pairs is reported as not comparable.
    /// - Returns: The changed rules.
    public func unordered(_ path: String, by key: String? = nil) -> ComparisonRules {
        var rules = self
        rules.add(Rule(effect: .unordered, path: path, key: key))
        return rules
    }

    /// Returns rules that accept a difference between two numbers. Between two dates, the difference is in seconds.
    /// - Parameters:
    ///   - difference: The greatest difference to accept.
    ///   - path: The path of the number or date.
    /// - Returns: The changed rules.
    public func tolerating(_ difference: Double, at path: String) -> ComparisonRules {
        var rules = self
        rules.add(Rule(effect: .tolerating, path: path, difference: difference))
        return rules
    }

    /// Returns rules that allow reports to show values.
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

    /// All rules, sorted by their descriptions.
    var all: [Rule] { rules.values.flatMap(\.values).sorted { $0.description < $1.description } }

    var hasTolerances: Bool { rules[.tolerating] != nil }

    func ignoring(_ path: JsonPath) -> Rule? { rule(.ignoring, at: path) }

    func tolerance(at path: JsonPath) -> (difference: Double, rule: Rule)? {
        rule(.tolerating, at: path).map { ($0.difference, $0) }
    }

    /// Returns the rule by which a list is unordered; `nil` if its order counts.
    func order(at path: JsonPath) -> Rule? { rule(.unordered, at: path) }

    /// Returns the rule at a path. The text of the path is made only if there are rules of this kind.
    private func rule(_ effect: Rule.Effect, at path: JsonPath) -> Rule? { rules[effect]?[path.withoutIndices] }

    func shows(_ path: JsonPath, isContainer: Bool) -> Bool { disclosure.shows(path, isContainer: isContainer) }
}

private func normalized(_ path: String) -> String {
    path.hasPrefix("$") ? path : path.hasPrefix("[") ? "$" + path : "$." + path
}

extension ComparisonRules.Rule: CustomStringConvertible {
    /// The rule as in the source code: `unordered draws by id`.
    var description: String { "\(effect.rawValue) \(path)" + (key.map { " by \($0)" } ?? "") }
}

extension ComparisonRules: Redacted {}
