public import Bilayer

/// Checks that every breach of the contract is reported. The check changes one value of a sample at a time. It removes
/// a member, or replaces a value by `null` or by a value of another type. A string or a number is also replaced by an
/// unusual value. Each changed sample is read under four policies.
///
/// ```swift
/// try expectEveryMutationIsReported(in: Json(parsing: sample), by: Order.self, harmless: ["note"])
/// // Contract of Order:
/// //   $.items[0].price   null is accepted silently
/// ```
/// A change must be reported by an issue or an error. An issue at a wrong path is a problem, too:
/// - If there is an issue at the changed path, each further issue must be inside this path, or at a path around it.
/// - If there is no issue at the changed path, no other path may have an error.
///
/// If a member was removed or is `null`, an issue about a value inside it is an issue at the changed path.
///
/// Broken rules of the app (`MappingIssue.Kind.brokenRule`) may have any path.
///
/// A harmless change needs no report. A change is harmless if the value is not read, or if the model has the changed
/// value as it is. A removal or a `null` is also harmless if the property becomes `nil`. A removal is also harmless if
/// only a member of a dictionary disappears. Name other harmless changes in `harmless`. Equal seeds make equal random
/// choices. For a conversion given as a closure, pass the closure instead of the model.
/// - Parameters:
///   - sample: JSON of the server that can be read without an issue.
///   - model: The model, or an array of models.
///   - harmless: Paths whose changes need no report, without indices: `items[].note`. A path includes all paths inside
///     it.
///   - conventions: The conventions of the client.
///   - limit: The maximum number of changes to try.
///   - seed: The seed of the random choices.
/// - Throws: ``ContractError`` with the changes that were not reported, or were reported at other paths; the mapping's
///   own error if it cannot read the sample.
public func expectEveryMutationIsReported<Model: DTODecodable>(
    in sample: Json,
    by model: Model.Type,
    harmless: Set<String> = [],
    conventions: CodingConventions = CodingConventions(),
    limit: Int = .max,
    seed: UInt64 = 0
) throws where Model.DTO: RawDecodable, Model.DTO.Raw == Json {
    try expectEveryMutationIsReported(
        in: sample,
        by: { (dto: Model.DTO) in try Model.from(dto: dto) },
        harmless: harmless,
        conventions: conventions,
        limit: limit,
        seed: seed
    )
}

/// Checks that a conversion given as a closure, such as the closure of a route, reports every breach of the contract.
///
/// ```swift
/// try expectEveryMutationIsReported(
///     in: Json(parsing: sample),
///     by: { (entry: PhotoEntry) in try URL(string: entry.ref).require("ref") })
/// ```
/// - Parameters:
///   - sample: JSON of the server that can be read without an issue.
///   - conversion: Converts the entry to the model.
///   - harmless: Paths whose changes need no report, without indices: `items[].note`. A path includes all paths inside
///     it.
///   - conventions: The conventions of the client.
///   - limit: The maximum number of changes to try.
///   - seed: The seed of the random choices.
/// - Throws: ``ContractError`` with the changes that were not reported, or were reported at other paths; the mapping's
///   own error if it cannot read the sample.
public func expectEveryMutationIsReported<Entry: RawDecodable, Model>(
    in sample: Json,
    by conversion: @escaping (Entry) throws -> Model,
    harmless: Set<String> = [],
    conventions: CodingConventions = CodingConventions(),
    limit: Int = .max,
    seed: UInt64 = 0
) throws where Entry.Raw == Json {
    try MutationTrial(sample: sample, conventions: conventions, harmless: rooted(harmless)) {
        try conversion(Entry.from(raw: $0))
    }
    .check(typeName(Model.self), limit: limit, seed: seed)
}

/// Checks that an entry reports every breach of the contract. A type that is also a model is checked as a model.
/// - Throws: ``ContractError`` with the changes that were not reported, or were reported at other paths; the mapping's
///   own error if it cannot read the sample.
@_disfavoredOverload
public func expectEveryMutationIsReported<Entry: RawDecodable>(
    in sample: Json,
    by entry: Entry.Type,
    harmless: Set<String> = [],
    conventions: CodingConventions = CodingConventions(),
    limit: Int = .max,
    seed: UInt64 = 0
) throws where Entry.Raw == Json {
    try MutationTrial(sample: sample, conventions: conventions, harmless: rooted(harmless)) { try Entry.from(raw: $0) }
        .check(typeName(entry), limit: limit, seed: seed)
}

/// Reads a sample with changes, and checks what was reported.
private struct MutationTrial {
    let sample: Json
    let conventions: CodingConventions
    let harmless: Set<String>
    let map: (Json) throws -> Any

    private static let policies: [(name: String, policy: MappingPolicy)] = [
        ("standard", .standard), ("salvaging", .salvaging), ("collecting", .collectingAll()),
        (
            "warnings as errors",
            {
                var policy = MappingPolicy.strict
                policy.unknownKeys = .ignore
                return policy
            }()
        ),
    ]

    func check(_ subject: String, limit: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let mutations = Mutation.all(of: sample, using: &random).shuffled(using: &random).prefix(limit)
        var problems: [ContractError.Problem] = []
        var policies: [ContractError.Problem: [String]] = [:]
        for (name, policy) in Self.policies {
            let before = read(sample, policy)
            if let error = before.error { throw error }
            for mutation in mutations {
                guard let text = problem(with: mutation, before, policy) else { continue }
                let problem = ContractError.Problem(
                    path: mutation.path.exactDescription,
                    text: "\(mutation) \(text)"
                )
                if policies[problem] == nil { problems.append(problem) }
                policies[problem, default: []].append(name)
            }
        }
        let named = problems.map { problem in
            let names = policies[problem] ?? []
            if names.count == Self.policies.count { return problem }
            return .init(path: problem.path, text: "\(problem.text) (\(names.joined(separator: ", ")))")
        }
        try ContractError.check("\(subject), seed \(seed)", named)
    }

    private func problem(with mutation: Mutation, _ before: Reading, _ policy: MappingPolicy) -> String? {
        let after = read(mutation.applied(to: sample), policy)
        let issues = after.issues.filter { issue in !before.issues.contains { $0.description == issue.description } }
        if issues.contains(where: { $0.isAbout(mutation) }) {
            let others = issues.filter { !$0.mayFollow(from: mutation.path) }
            return others.first.map { "is reported, but so is \($0.withExactPaths)" }
        }
        if let other = issues.first(where: { $0.severity == .error && $0.kind != .brokenRule }) {
            return "is reported elsewhere: \(other.withExactPaths)"
        }
        return issues.isEmpty && !isHarmless(mutation, before, after, policy) ? "is accepted silently" : nil
    }

    private func isHarmless(_ mutation: Mutation, _ before: Reading, _ after: Reading, _ policy: MappingPolicy) -> Bool
    {
        let path = mutation.path
        let isDeclared = path.components.indices.contains { last in
            harmless.contains(JsonPath(Array(path.components[...last])).withoutIndices)
        }
        if isDeclared || after.error != nil || after.leaves == before.leaves { return true }
        switch mutation.change {
        case .removal: return isCleared(before, after) || isMemberLost(path, before, after)
        case .null: return isCleared(before, after)
        case .otherType, .otherValue:
            return read(mutation.alternative.applied(to: sample), policy).leaves != after.leaves
        }
    }

    /// Whether all changed properties are now `nil`, and no other property has disappeared.
    private func isCleared(_ before: Reading, _ after: Reading) -> Bool {
        let changed = after.leaves.filter { before.leaves[$0.key] != $0.value }
        let lost = before.leaves.keys.filter { path in
            after.leaves[path] == nil && !changed.keys.contains { path.isPart(of: $0) }
        }
        return lost.isEmpty && changed.values.allSatisfy(Appearance.isNothing)
    }

    /// Whether no property has changed or disappeared, except the removed member of a dictionary.
    private func isMemberLost(_ path: JsonPath, _ before: Reading, _ after: Reading) -> Bool {
        guard case .key(let key)? = path.components.last else { return false }
        return before.leaves.allSatisfy { after.leaves[$0.key] == $0.value || $0.key.contains("{\(key)}") }
    }

    private func read(_ json: Json, _ policy: MappingPolicy) -> Reading {
        let reporter = CollectingReporter()
        do {
            let value = try reporter.mapping(policy: policy, conventions: conventions) { try map(json) }
            return Reading(leaves: Appearance.dictionary(of: value), error: nil, issues: reporter.issues)
        } catch {
            return Reading(leaves: [:], error: error, issues: reporter.issues)
        }
    }
}

private struct Reading {
    let leaves: [String: String]
    let error: (any Error)?
    let issues: [MappingIssue]
}

extension MappingIssue {
    /// The issue with the keys of dictionaries in its description, as in the paths of problems. A sample is not secret.
    fileprivate var withExactPaths: MappingIssue {
        var issue = self
        issue.path = JsonPath(path.components.map { component in component.key.map { .key($0) } ?? component })
        issue.causes = causes.map(\.withExactPaths)
        return issue
    }

    /// Whether the path of the issue, or of one of its causes, is the path of a change. If the change leaves no value, a
    /// path inside the changed one counts, too: for example an error about `address.city`, if `address` was removed.
    fileprivate func isAbout(_ mutation: Mutation) -> Bool {
        if path.exactDescription == mutation.path.exactDescription || causes.contains(where: { $0.isAbout(mutation) }) {
            return true
        }
        switch mutation.change {
        case .removal, .null: return kind != .brokenRule && path.components.starts(with: mutation.path.components)
        case .otherType, .otherValue: return false
        }
    }

    /// Whether the change can cause the issue: one path contains the other, or the issue is a rule of the app.
    fileprivate func mayFollow(from change: JsonPath) -> Bool {
        let (place, other) = (change.components, path.components)
        return kind == .brokenRule || place.starts(with: other) || other.starts(with: place)
    }
}

extension String {
    /// Whether the path of a leaf equals another path or is inside it.
    fileprivate func isPart(of other: String) -> Bool {
        hasPrefix(other) && (count == other.count || ".[{".contains(dropFirst(other.count).prefix(1)))
    }
}
