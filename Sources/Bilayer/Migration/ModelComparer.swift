import Foundation

/// Finds the fields in which two models differ.
struct ModelComparer {
    /// The state that all parts of one comparison share.
    private final class Progress {
        /// How many elements of lists without an order may still be compared with each other.
        var pairsLeft = ComparisonRules.mostPairs
        /// The rules that had something to apply to.
        var usedRules: Set<ComparisonRules.Rule> = []
    }

    private let rules: ComparisonRules
    private let progress: Progress
    private var found = ModelDifferences()

    /// The differences of two models.
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

    /// Notes that there is something to which a rule applies.
    private func note(_ rule: ComparisonRules.Rule?) {
        if let rule { progress.usedRules.insert(rule) }
    }

    private func ignores(_ path: JsonPath) -> Bool {
        guard let rule = rules.ignoring(path) else { return false }
        note(rule)
        return true
    }

    private mutating func compare(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) {
        if ignores(path) { return }
        switch (old, new) {
        case (.nothing, .nothing): return
        case (.bool(let one), .bool(let other)) where one == other: return
        case (.text(let one), .text(let other)) where one == other: return
        case (.number(let one, let oneValue), .number(let other, let otherValue)):
            let tolerance = rules.tolerance(at: path)
            note(tolerance?.rule)
            if one == other || isSameNumber(one, other) { return }
            let greatest = tolerance?.difference ?? 0
            // In decimals, because digits count that a double does not have.
            let isNear =
                if let distance = distance(one, other), let greatest = decimal("\(greatest)") {
                    distance <= greatest
                } else {
                    abs(oneValue - otherValue) <= greatest
                }
            // A decimal does not have all digits either. Those that it lacks count without a tolerance.
            if greatest > 0, isNear { return }
            add(.value, old, new, at: path)
        case (.list(let one, let isOrdered), .list(let other, _)):
            switch rules.order(at: path) {
            case .some(let rule):
                // A key that no element has would pair the elements in their order.
                if rule.key.map({ key in (one + other).contains { $0.field(key) != nil } }) ?? true { note(rule) }
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

    /// Finds for each element the one that belongs to it: by a property, or one that agrees.
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

    /// Pairs the elements with equal keys. Elements without a key are paired in their order.
    /// - Returns: Indices in the new list by indices in the old one.
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

    /// Pairs the elements that agree.
    /// - Returns: Indices in the new list by indices in the old one; `nil` if that takes too many comparisons.
    private func pairs(_ old: [ModelValue], _ new: [ModelValue], at path: JsonPath) -> [Int: Int]? {
        let progress = progress
        var pairing = ElementPairing(equalElements(old, new, at: path), old.count, new.count) { index, other in
            if progress.pairsLeft <= 0 || Task.isCancelled { return nil }
            progress.pairsLeft -= 1
            return agree(old[index], new[other], at: path.appending(.index(index)))
        }
        guard pairing.pairInOrder() else { return nil }
        // Without tolerances, elements that agree with one element agree with each other.
        guard !rules.hasTolerances || pairing.pairAll() else { return nil }
        return pairing.partners
    }

    /// Pairs the elements whose texts are equal, by a look-up. In lists that hardly differ these are most elements.
    /// Only the others are compared each with each.
    /// - Returns: Indices in the new list by indices in the old one.
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

    private mutating func compareFields(
        _ old: [ModelValue.Field],
        _ new: [ModelValue.Field],
        at path: JsonPath
    ) {
        // Two fields may have one name: a class may have a private property with the name of its superclass's.
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

    /// Whether two elements are equal, by the rules.
    private func agree(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) -> Bool {
        var comparer = ModelComparer(rules, progress)
        comparer.compare(old, new, at: path)
        return comparer.found.kept.isEmpty
    }

    private mutating func add(
        _ kind: ModelDifference.Kind,
        _ old: ModelValue?,
        _ new: ModelValue?,
        at path: JsonPath
    ) {
        if ignores(path) { return }
        guard found.kept.count < max(rules.differenceLimit, 1) else {
            found.omitted += 1
            return
        }
        var difference = ModelDifference(path, kind, old: old?.found, new: new?.found)
        difference.shownOld = old.flatMap { shown($0, at: path) }
        difference.shownNew = new.flatMap { shown($0, at: path) }
        found.kept.append(difference)
    }

    private func shown(_ value: ModelValue, at path: JsonPath) -> String? {
        guard rules.shows(path, isContainer: value.isContainer) else { return nil }
        return ValueDisclosure.shortened(value.shownText)
    }

    /// Whether two texts are one number, as `1` and `1.0`. A text that is no number, as of infinity, is none.
    private func isSameNumber(_ old: String, _ new: String) -> Bool {
        func number(_ text: String) -> JsonNumber? {
            text.utf8.last.map(Ascii.isDigit) == true ? JsonNumber(text: text.utf8) : nil
        }
        guard let one = number(old), let other = number(new) else { return false }
        return one == other
    }

    /// How far numbers are from each other; `nil` if decimals do not hold them.
    private func distance(_ old: String, _ new: String) -> Decimal? {
        guard let old = decimal(old), let new = decimal(new) else { return nil }
        let distance = abs(old - new)
        return distance.isFinite ? distance : nil
    }

    /// The number that the text says: `Decimal(0.011)` is less than 0.011.
    private func decimal(_ text: String) -> Decimal? { Decimal(string: text).flatMap { $0.isFinite ? $0 : nil } }

    private func isEqual(_ old: any Equatable, _ new: any Equatable) -> Bool {
        func isEqual<Value: Equatable>(_ old: Value) -> Bool { (new as? Value) == old }
        return isEqual(old)
    }
}
