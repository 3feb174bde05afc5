public import Bilayer

/// Checks an operation against the server's schema, without a server. It checks the document, the variables, and
/// whether the operation's `Data` reads every response that the schema allows.
///
/// ```swift
/// let schema = try GraphQLSchema(sdl: "type Query { trip(id: ID!): Trip } type Trip { id: ID!, name: String }")
/// try expectDocument(of: TripOperation(variables: .init(id: "7")), matches: schema)
/// // Contract of Trip:
/// //   trip.name   may be null (String): $.trip.name: null: expected String in TripFields
/// ```
/// It finds these problems in the document:
/// - fields, arguments, types and fragments that do not exist;
/// - required arguments that are missing, and arguments and variables of wrong types;
/// - objects without a selection of fields, scalars and enums with one, and fragments on impossible types;
/// - variables that are not declared, not used, required and not sent, or sent and not declared;
/// - repeated names, repeated directives, and unused fragments;
/// - fragments that contain themselves, and subscriptions with several fields at the root;
/// - inputs with `@oneOf` that do not have exactly one field;
/// - fields with the same key that cannot be merged, also in the fragments of a union or an interface (GraphQL §5.3.2).
///
/// It finds these problems in the entry:
/// - properties of wrong types, and properties that refuse a `null` that the schema allows;
/// - values of an enum and types of a union that the entry refuses;
/// - required properties whose fields `@include`, `@skip` or `@defer` can leave out, or which the document does not
///   select.
///
/// An entry with a case for unknown values (`DefaultCase`, `Open`, a discriminator with `otherwise`) refuses no value.
/// With `strict`, the values and types that the entry reads as unknown are problems, too: the app's enum lacks them.
///
/// The check does not cover all of GraphQL §5:
/// - Arguments of directives are compared with the schema only for `@include` and `@skip`.
/// - Introspection (`__schema`, `__type`) is not supported.
/// - Each response that is tried differs from the first one in one value, and perhaps in the types of the objects
///   around it. Other combinations are not tried.
/// - An object that can have several types may contain other such objects. If several types of an inner object select a
///   field equally, with the same type, and it has inner fields, its values are varied for only one of these types.
/// - A response of more than about 10,000 fields is not checked, which is reported as a problem.
/// - An entry that is read by hand stops at its first problem, so further problems are not found.
/// - Parameters:
///   - operation: The operation with sample variables.
///   - schema: The server's schema.
///   - scalars: A sample value of each custom scalar: `["Long": 7, "Date": "2026-07-01"]`.
///   - strict: Whether enum values and union types that the entry reads as unknown are problems.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` with all problems of the document and the variables. If there are none,
///   ``ContractError`` with all problems of the entry. An error with a line number if the document is not GraphQL; the
///   mapping's own error if the variables cannot be written.
public func expectDocument<Operation: GraphQLOperation>(
    of operation: Operation,
    matches schema: GraphQLSchema,
    scalars: [String: Json] = [:],
    strict: Bool = false,
    conventions: CodingConventions = CodingConventions()
) throws {
    let document = try GraphQLDocument(Operation.document)
    let subject = Operation.name ?? typeName(Operation.self)
    guard let head = document.operations.first(where: { $0.name == Operation.name }) else {
        return try ContractError.check(subject, [.init(path: "$", text: "the document has no operation of this name")])
    }
    var checker = DocumentChecker(head, in: document, schema)
    if head.kind != Operation.kind {
        checker.add("$", "found a \(head.kind.rawValue), expected a \(Operation.kind.rawValue)")
    }
    checker.checkDocument()
    let variables = try ClosureReporter { _ in }
        .mapping(subject, conventions: conventions) { try operation.variablesJson }
    checker.checkVariables(variables)
    try ContractError.check(subject, checker.problems)

    var shaper = ResponseShaper(schema: schema, document: document, scalars: scalars)
    let shape = shaper.shape(of: head.selections, on: schema.roots[head.kind] ?? "")
    if !shaper.isBounded(shape) {
        return try ContractError.check(subject, [.init(path: "$", text: "selects too many fields to check the entry")])
    }
    try ContractError.check(
        subject,
        shaper.unknown.sorted().map { .init(path: $0, text: "is a scalar without a sample in `scalars`") }
    )
    try ContractError.check(subject, problems(of: Operation.Data.self, with: shape, strict, conventions))
}

/// Returns the problems of an entry that does not read all responses of a shape.
private func problems<Entry: RawDecodable>(
    of entry: Entry.Type,
    with shape: ResponseShape,
    _ strict: Bool,
    _ conventions: CodingConventions
) -> [ContractError.Problem] where Entry.Raw == Json {
    func issues(_ json: Json) -> [MappingIssue] {
        let reporter = CollectingReporter()
        do {
            _ = try reporter.mapping(typeName(entry), policy: .collectingAll(), conventions: conventions) {
                try Entry.from(raw: json)
            }
            return strict ? reporter.issues.filter(\.isAboutUnknownCase) : []
        } catch {
            return MappingError(wrapping: error).issues
        }
    }
    /// Whether an issue is caused by the other enum value or type in a variation. Each such value is reported as a
    /// separate problem, even if the first sample has an equal fault.
    func isAbout(_ issue: MappingIssue, _ variation: ResponseShape.Variation) -> Bool {
        variation.isAlternative && issue.isAboutUnknownCase && issue.path.withoutIndices.hasPrefix(variation.path)
    }
    let first = issues(shape.base)
    let known = Set(first.map(Fault.init))
    // A fault of the first sample is not reported again for each variation.
    let others = shape.variations(at: "$")
        .compactMap { variation in
            issues(variation.json).first { !known.contains(Fault($0)) || isAbout($0, variation) }
                .map { issue -> ContractError.Problem in
                    .init(path: String(variation.path.dropFirst(2)), text: "\(variation.text): \(issue)")
                }
        }
    return first.map { .init(path: $0.path.withoutRoot, text: "is not what the entry reads: \($0)") } + others
}

/// The identity of a fault. All issues that the fault causes have an equal identity.
private struct Fault: Hashable {
    let path: String
    let kind: MappingIssue.Kind

    init(_ issue: MappingIssue) {
        path = issue.path.withoutIndices
        kind = issue.kind
    }
}

extension MappingIssue {
    fileprivate var isAboutUnknownCase: Bool { kind == .unknownCase || causes.contains(where: \.isAboutUnknownCase) }
}

extension JsonPath {
    fileprivate var withoutRoot: String {
        let text = description
        return text.hasPrefix("$.") ? String(text.dropFirst(2)) : text
    }
}
