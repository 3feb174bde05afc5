/// What does not count as a difference between the models of two sources, and what reports may show of them.
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
public struct ComparisonRules: Sendable {
    /// The number of differences to keep of one comparison, at least one. Further ones are counted.
    public var differenceLimit = 20

    private var ignored: Set<String> = []
    private var lists: [String: String?] = [:]
    private var tolerances: [String: Double] = [:]
    private var disclosure = ValueDisclosure.none

    /// Every field counts.
    public static let exact = ComparisonRules()

    /// Returns rules that leave out some fields, with everything in them.
    /// - Parameter paths: Their paths.
    /// - Returns: The changed rules.
    public func ignoring(_ paths: String...) -> ComparisonRules {
        var rules = self
        rules.ignored.formUnion(paths.map(normalized))
        return rules
    }

    /// Returns rules that ignore the order of a list.
    /// - Parameters:
    ///   - path: The list's path; `$` for a model that is itself a list.
    ///   - key: The property by which elements belong together, so that the report names the fields in which they
    ///     differ. Without one, elements belong together if they are equal, which takes longer for long lists.
    /// - Returns: The changed rules.
    public func unordered(_ path: String, by key: String? = nil) -> ComparisonRules {
        var rules = self
        rules.lists.updateValue(key, forKey: normalized(path))
        return rules
    }

    /// Returns rules that accept a difference between two numbers, or two dates, in seconds.
    /// - Parameters:
    ///   - difference: The greatest difference to accept.
    ///   - path: The path of the number or date.
    /// - Returns: The changed rules.
    public func tolerating(_ difference: Double, at path: String) -> ComparisonRules {
        var rules = self
        rules.tolerances[normalized(path)] = difference
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

    // The text of a path is made only if there is a rule to look up.

    func ignores(_ path: JsonPath) -> Bool { !ignored.isEmpty && ignored.contains(path.withoutIndices) }

    func tolerance(at path: JsonPath) -> Double { tolerances.isEmpty ? 0 : tolerances[path.withoutIndices] ?? 0 }

    /// The order of a list: `nil` if it counts, otherwise the property by which elements belong together, if any.
    func order(at path: JsonPath) -> String?? { lists.isEmpty ? nil : lists[path.withoutIndices] }

    func shows(_ path: JsonPath, isContainer: Bool) -> Bool { disclosure.shows(path, isContainer: isContainer) }
}

private func normalized(_ path: String) -> String {
    path.hasPrefix("$") ? path : path.hasPrefix("[") ? "$" + path : "$." + path
}

extension ComparisonRules: Redacted {}
