import Foundation

/// Finds the fields in which two models differ.
struct ModelComparer {
    /// The state that all parts of one comparison share.
    private final class Progress {
        /// The number of pairs that may still be compared in unordered lists.
        var pairsLeft = ComparisonRules.maximumPairs
        /// The rules that applied to at least one field.
        var usedRules: Set<ComparisonRules.Rule> = []
    }

    private let rules: ComparisonRules
    private let progress: Progress
    private var found = ModelDifferences()

    /// Returns the differences of two models.
    static func differences(_ old: some Any, _ new: some Any, by rules: ComparisonRules) -> ModelDifferences {
        var comparer = ModelComparer(rules, Progress())
        comparer.compare(ModelReader.read(old), ModelReader.read(new), at: .root)
        comparer.found.usedRules = comparer.progress.usedRules
        return comparer.found
    }

    private init(_ rules: ComparisonRules, _ progress: Progress) {
        self.rules = rules
        self.progress = progress
    }

    /// Records that a rule applied to a field.
    private func recordUse(of rule: ComparisonRules.Rule?) {
        if let rule { progress.usedRules.insert(rule) }
    }

    /// Whether a rule ignores a path. If so, records that the rule applied.
    private func ignores(_ path: JsonPath) -> Bool {
        guard let rule = rules.ignoring(path) else { return false }
        recordUse(of: rule)
        return true
    }

    /// Compares two values and all values inside them. Adds a difference for each pair that differs, at its path.
    private mutating func compare(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) {
        if ignores(path) { return }
        switch (old, new) {
        case (.nothing, .nothing): return
        case (.bool(let one), .bool(let other)) where one == other: return
        case (.text(let one), .text(let other)) where one == other: return
        case (.number(let one, let oneValue), .number(let other, let otherValue)):
            let tolerance = rules.tolerance(at: path)
            recordUse(of: tolerance?.rule)
            if one == other || isSameNumber(one, other) { return }
            let greatest = tolerance?.difference ?? 0
            // Compares in decimals, because a Double cannot hold all digits.
            let isNear =
                if let distance = distance(one, other), let greatest = decimal("\(greatest)") {
                    distance <= greatest
                } else {
                    abs(oneValue - otherValue) <= greatest
                }
            // A Decimal cannot hold all digits either. So without a tolerance, different numbers differ even if their
            // Decimals are equal.
            if greatest > 0, isNear { return }
            add(.value, old, new, at: path)
        case (.list(let one, let isOrdered), .list(let other, _)):
            switch rules.order(at: path) {
            case .some(let rule):
                // The rule counts as used only if an element has the key. With a wrong key, the elements are only
                // paired in order.
                if rule.key.map({ key in (one + other).contains { $0.field(key) != nil } }) ?? true {
                    recordUse(of: rule)
                }
                compareUnordered(one, other, by: rule.key, at: path)
            case nil where isOrdered: compareOrdered(one, other, at: path)
            case nil: compareUnordered(one, other, by: nil, at: path)
            }
        case (.fields(let one), .fields(let other)):
            compareFields(one, other, at: path)
        case (.entries(let one), .entries(let other)):
            compareEntries(one, other, at: path)
        case (.variant(let one, let oneValue), .variant(let other, let otherValue)) where one == other:
            compare(oneValue, otherValue, at: path.appending(.key(one)))
        case (.equatable(let one), .equatable(let other)) where isEqual(one, other): return
        case (.notComparable, .notComparable): add(.notComparable, old, new, at: path)
        default: add(.value, old, new, at: path)
        }
    }

    /// Compares the elements with equal indices. Elements beyond the shorter list are missing or added.
    private mutating func compareOrdered(_ old: [ModelValue], _ new: [ModelValue], at path: JsonPath) {
        for index in 0..<max(old.count, new.count) {
            let path = path.appending(.index(index))
            switch (index < old.count, index < new.count) {
            case (true, true): compare(old[index], new[index], at: path)
            case (true, false): add(.missing, old[index], nil, at: path)
            default: add(.added, nil, new[index], at: path)
            }
        }
    }

    /// Pairs the elements by the property `key`, or by equality under the rules if `key` is `nil`. Reports elements
    /// without a partner.
    private mutating func compareUnordered(
        _ old: [ModelValue],
        _ new: [ModelValue],
        by key: String?,
        at path: JsonPath
    ) {
        guard let partners = key.map({ keyedElements(old, new, by: $0) }) ?? pairs(old, new, at: path) else {
            return add(.notComparable, .list(old, isOrdered: false), .list(new, isOrdered: false), at: path)
        }
        for (index, element) in old.enumerated() {
            let path = path.appending(.index(index))
            guard let partner = partners[index] else {
                add(.missing, element, nil, at: path)
                continue
            }
            if key != nil { compare(element, new[partner], at: path) }
        }
        let taken = Set(partners.values)
        for index in new.indices where !taken.contains(index) {
            add(.added, nil, new[index], at: path.appending(.index(index)))
        }
    }

    /// Pairs the elements with equal keys. Elements without a key are paired in order.
    /// - Returns: The index in the new list for each paired index in the old list.
    private func keyedElements(_ old: [ModelValue], _ new: [ModelValue], by key: String) -> [Int: Int] {
        var indices: [String: [Int]] = [:]
        for (index, element) in new.enumerated().reversed() {
            indices[element.field(key)?.shownText ?? "", default: []].append(index)
        }
        var partners: [Int: Int] = [:]
        for (index, element) in old.enumerated() {
            partners[index] = indices[element.field(key)?.shownText ?? ""]?.popLast()
        }
        return partners
    }

    /// Pairs the elements that are equal under the rules.
    /// - Returns: The index in the new list for each paired index in the old list; `nil` if the limit of comparisons
    ///   was reached or the task was cancelled.
    private func pairs(_ old: [ModelValue], _ new: [ModelValue], at path: JsonPath) -> [Int: Int]? {
        let progress = progress
        var pairing = ElementPairing(equalElements(old, new, at: path), old.count, new.count) { index, other in
            if progress.pairsLeft <= 0 || Task.isCancelled { return nil }
            progress.pairsLeft -= 1
            return agree(old[index], new[other], at: path.appending(.index(index)))
        }
        guard pairing.pairInOrder() else { return nil }
        // Without tolerances, equality is transitive, so there are already as many pairs as possible.
        guard !rules.hasTolerances || pairing.pairAll() else { return nil }
        return pairing.partners
    }

    /// Pairs the elements with equal texts by a dictionary lookup. In similar lists these are most elements. Without
    /// tolerances, only the other elements are then compared with each other.
    /// - Returns: The index in the new list for each paired index in the old list.
    private func equalElements(_ old: [ModelValue], _ new: [ModelValue], at path: JsonPath) -> [Int: Int] {
        var indices: [String: [Int]] = [:]
        for (index, element) in new.enumerated().reversed() { indices[element.shownText, default: []].append(index) }
        var partners: [Int: Int] = [:]
        for (index, element) in old.enumerated() {
            let text = element.shownText
            guard let other = indices[text]?.last, agree(element, new[other], at: path.appending(.index(index))) else {
                continue
            }
            indices[text]?.removeLast()
            partners[index] = other
        }
        return partners
    }

    /// Compares the properties with equal names, in any order.
    private mutating func compareFields(
        _ old: [ModelValue.Field],
        _ new: [ModelValue.Field],
        at path: JsonPath
    ) {
        // Two fields can have the same name: a class and its superclass can each have a private property of this name.
        var others = Dictionary(grouping: new, by: \.name).mapValues { ArraySlice($0) }
        for field in old {
            let path = path.appending(.key(field.name))
            if let other = others[field.name]?.popFirst() {
                compare(field.value, other.value, at: path)
            } else {
                add(.missing, field.value, nil, at: path)
            }
        }
        for name in new.map(\.name) {
            guard let value = others[name]?.popFirst()?.value else { continue }
            add(.added, nil, value, at: path.appending(.key(name)))
        }
    }

    /// Compares the members of dictionaries with equal keys, in the order of the texts of the keys. The members that
    /// only the new dictionary has come last.
    private mutating func compareEntries(
        _ old: [ModelKey: ModelValue],
        _ new: [ModelKey: ModelValue],
        at path: JsonPath
    ) {
        for (key, value) in ModelValue.inOrder(old) {
            let path = path.appending(.entry(key.text))
            if let other = new[key] {
                compare(value, other, at: path)
            } else {
                add(.missing, value, nil, at: path)
            }
        }
        for (key, value) in ModelValue.inOrder(new) where old[key] == nil {
            add(.added, nil, value, at: path.appending(.entry(key.text)))
        }
    }

    /// Whether two elements are equal under the rules.
    private func agree(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) -> Bool {
        var comparer = ModelComparer(rules, progress)
        comparer.compare(old, new, at: path)
        return comparer.found.differences.isEmpty
    }

    /// Adds a difference, unless a rule ignores its path. Differences beyond the limit are only counted.
    /// - Parameters:
    ///   - kind: The kind of the difference.
    ///   - old: The value in the old model; `nil` if only the new model has it.
    ///   - new: The value in the new model; `nil` if only the old model has it.
    ///   - path: The path of the values.
    private mutating func add(
        _ kind: ModelDifference.Kind,
        _ old: ModelValue?,
        _ new: ModelValue?,
        at path: JsonPath
    ) {
        if ignores(path) { return }
        guard found.differences.count < max(rules.differenceLimit, 1) else {
            found.omitted += 1
            return
        }
        var difference = ModelDifference(path, kind, old: old?.found, new: new?.found)
        difference.shownOld = old.flatMap { shown($0, at: path) }
        difference.shownNew = new.flatMap { shown($0, at: path) }
        found.differences.append(difference)
    }

    /// Returns a value as text for a report; `nil` if the rules do not show values at the path.
    private func shown(_ value: ModelValue, at path: JsonPath) -> String? {
        guard rules.shows(path, isContainer: value.isContainer) else { return nil }
        return ValueDisclosure.shortened(value.shownText)
    }

    /// Whether two texts are the same number, such as `1` and `1.0`. False if a text is not a number in JSON, such as
    /// `inf`.
    private func isSameNumber(_ old: String, _ new: String) -> Bool {
        func number(_ text: String) -> JsonNumber? {
            text.utf8.last.map(Ascii.isDigit) == true ? JsonNumber(text: text.utf8) : nil
        }
        guard let one = number(old), let other = number(new) else { return false }
        return one == other
    }

    /// The distance between two numbers; `nil` if a Decimal cannot hold them.
    private func distance(_ old: String, _ new: String) -> Decimal? {
        guard let old = decimal(old), let new = decimal(new) else { return nil }
        let distance = abs(old - new)
        return distance.isFinite ? distance : nil
    }

    /// Parses a number from a text. A conversion from `Double` would be inexact: the `Double` 0.011 becomes a `Decimal`
    /// that is slightly less than 0.011.
    private func decimal(_ text: String) -> Decimal? { Decimal(string: text).flatMap { $0.isFinite ? $0 : nil } }

    /// Whether two values are equal by `==`. False if their types differ.
    private func isEqual(_ old: any Equatable, _ new: any Equatable) -> Bool {
        func isEqual<Value: Equatable>(_ old: Value) -> Bool { (new as? Value) == old }
        return isEqual(old)
    }
}
