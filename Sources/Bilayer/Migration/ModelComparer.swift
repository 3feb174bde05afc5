import Foundation

/// Finds the fields in which two models differ.
struct ModelComparer {
    private let rules: ComparisonRules
    private var found = ModelDifferences()

    /// The differences of two models.
    static func differences(_ old: some Any, _ new: some Any, by rules: ComparisonRules) -> ModelDifferences {
        var comparer = ModelComparer(rules: rules)
        comparer.compare(ModelReader.read(old), ModelReader.read(new), at: .root)
        return comparer.found
    }

    private init(rules: ComparisonRules) { self.rules = rules }

    private mutating func compare(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) {
        if rules.ignores(path) { return }
        switch (old, new) {
        case (.nothing, .nothing): return
        case (.bool(let one), .bool(let other)) where one == other: return
        case (.text(let one), .text(let other)) where one == other: return
        case (.number(let one, let oneValue), .number(let other, let otherValue)):
            let tolerance = rules.tolerance(at: path)
            if one == other { return }
            // In decimals, because digits count that a double does not have.
            let isNear =
                if let distance = distance(one, other) {
                    distance == 0 || tolerance > 0 && distance <= Decimal(tolerance)
                } else {
                    oneValue == otherValue || tolerance > 0 && abs(oneValue - otherValue) <= tolerance
                }
            if !isNear { add(.value, old, new, at: path) }
        case (.list(let one, let isOrdered), .list(let other, _)):
            switch rules.order(at: path) {
            case .some(let key): compareUnordered(one, other, by: key, at: path)
            case nil where isOrdered: compareOrdered(one, other, at: path)
            case nil: compareUnordered(one, other, by: nil, at: path)
            }
        case (.fields(let one), .fields(let other)):
            compareMembers(one, other, at: path) { .key($0) }
        case (.entries(let one), .entries(let other)):
            compareMembers(sorted(one), sorted(other), at: path) { .entry($0) }
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

    /// Finds for each element the one that belongs to it: by a property, or an equal one.
    private mutating func compareUnordered(
        _ old: [ModelValue],
        _ new: [ModelValue],
        by key: String?,
        at path: JsonPath
    ) {
        var places: [String: [Int]] = [:]
        if let key {
            for (place, element) in new.enumerated().reversed() {
                places[element.field(key)?.shownText ?? "", default: []].append(place)
            }
        }
        var partners: [Int: Int] = key == nil ? equalElements(old, new, at: path) : [:]
        var taken = Set(partners.values)
        // Ascending, so elements without a key belong together in their order.
        var rest = key == nil ? new.indices.filter { !taken.contains($0) } : []
        for (index, element) in old.enumerated() {
            let path = path.appending(.index(index))
            if let key {
                partners[index] = places[element.field(key)?.shownText ?? ""]?.popLast()
                if let place = partners[index] { compare(element, new[place], at: path) }
            } else if partners[index] == nil, !Task.isCancelled,
                let place = rest.firstIndex(where: { agree(element, new[$0], at: path) })
            {
                partners[index] = rest.remove(at: place)
            }
            if let place = partners[index] { taken.insert(place) } else { add(.missing, element, nil, at: path) }
        }
        for place in new.indices where !taken.contains(place) {
            add(.added, nil, new[place], at: path.appending(.index(place)))
        }
    }

    /// The elements that are equal as texts, too: found by a look-up, and most of them in lists that hardly differ. Only
    /// the others are compared each with each.
    /// - Returns: Places in the new list by places in the old one.
    private func equalElements(_ old: [ModelValue], _ new: [ModelValue], at path: JsonPath) -> [Int: Int] {
        var places: [String: [Int]] = [:]
        for (place, element) in new.enumerated().reversed() { places[element.shownText, default: []].append(place) }
        var partners: [Int: Int] = [:]
        for (index, element) in old.enumerated() {
            let text = element.shownText
            guard let place = places[text]?.last, agree(element, new[place], at: path.appending(.index(index))) else {
                continue
            }
            places[text]?.removeLast()
            partners[index] = place
        }
        return partners
    }

    private mutating func compareMembers(
        _ old: [(name: String, value: ModelValue)],
        _ new: [(name: String, value: ModelValue)],
        at path: JsonPath,
        _ component: (String) -> JsonPath.Component
    ) {
        // Two fields may have one name: a class may have a private property with the name of its superclass's.
        var others = Dictionary(grouping: new, by: \.name).mapValues { ArraySlice($0) }
        for (name, value) in old {
            let path = path.appending(component(name))
            if let other = others[name]?.popFirst() {
                compare(value, other.value, at: path)
            } else {
                add(.missing, value, nil, at: path)
            }
        }
        for (name, _) in new {
            guard let value = others[name]?.popFirst()?.value else { continue }
            add(.added, nil, value, at: path.appending(component(name)))
        }
    }

    private func sorted(_ entries: [String: ModelValue]) -> [(name: String, value: ModelValue)] {
        entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether two elements are equal, by the rules.
    private func agree(_ old: ModelValue, _ new: ModelValue, at path: JsonPath) -> Bool {
        var comparer = ModelComparer(rules: rules)
        comparer.compare(old, new, at: path)
        return comparer.found.kept.isEmpty
    }

    private mutating func add(
        _ kind: ModelDifference.Kind,
        _ old: ModelValue?,
        _ new: ModelValue?,
        at path: JsonPath
    ) {
        if rules.ignores(path) { return }
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

    /// How far numbers are from each other, by value, as `1` and `1.0`; `nil` if decimals do not hold them.
    private func distance(_ old: String, _ new: String) -> Decimal? {
        guard let old = Decimal(string: old), let new = Decimal(string: new), old.isFinite, new.isFinite else {
            return nil
        }
        let distance = abs(old - new)
        return distance.isFinite ? distance : nil
    }

    private func isEqual(_ old: any Equatable, _ new: any Equatable) -> Bool {
        func isEqual<Value: Equatable>(_ old: Value) -> Bool { (new as? Value) == old }
        return isEqual(old)
    }
}
