public import Bilayer

/// Checks an operation against the server's schema, without a server: its document, its variables, and whether its
/// `Data` reads every response that the schema allows.
///
/// ```swift
/// let schema = try GraphQLSchema(sdl: "type Query { trip(id: ID!): Trip } type Trip { id: ID!, name: String }")
/// try expectDocument(of: TripOperation(variables: .init(id: "7")), matches: schema)
/// // Contract of Trip:
/// //   trip.name   may be null (String): $.trip.name: null: expected String in TripFields
/// ```
/// It finds in the document:
/// - fields, arguments, types and fragments that the schema does not have;
/// - arguments and variables of other types; variables that are not declared, not used or not sent;
/// - names that are there twice, repeated directives, unused fragments;
/// - inputs with `@oneOf` that have not exactly one field;
/// - fields of one key that cannot be one, also in the fragments of a union or an interface (GraphQL §5.3.2).
///
/// It finds in the entry:
/// - other types, and `null` where the schema allows it and the entry does not;
/// - values of an enum and types of a union that the entry refuses;
/// - fields that `@include`, `@skip` or `@defer` may leave out, and fields that the document does not select.
///
/// An entry with a case for unknown values (`DefaultCase`, `Open`, a discriminator with `otherwise`) refuses none. With
/// `strict`, values and types that it only takes for unknown are found, too: those that the app's enum lacks.
///
/// It is no whole validation (GraphQL §5): arguments of directives but `@include` and `@skip` are not compared with the
/// schema, and introspection (`__schema`) is not supported. Where objects of several types contain others of several
/// types, what the types have in common is varied for one of them. A response of more than about 10,000 fields is not
/// checked, which is a problem of its own. An entry that is read by hand stops at its first problem, which hides those
/// behind it.
/// - Parameters:
///   - operation: The operation with sample variables.
///   - schema: The server's schema.
///   - scalars: A value of each custom scalar: `["Long": 7, "Date": "2026-07-01"]`.
///   - strict: Whether values of an enum and types of a union are found that the entry takes for unknown.
///   - conventions: The conventions of the client.
/// - Throws: ``ContractError`` with all problems of the document and the variables; if there are none, with all of the
///   entry, because only a document that the schema allows has responses. An error with a line if a document is not
///   GraphQL.
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

/// The problems of an entry that does not read a shape.
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
    /// Another value of an enum that the entry does not have is another problem, whatever the first sample shows.
    func isAbout(_ issue: MappingIssue, _ variation: ResponseShape.Variation) -> Bool {
        variation.isAlternative && issue.isAboutUnknownCase && issue.path.withoutIndices.hasPrefix(variation.path)
    }
    let first = issues(shape.base)
    let known = Set(first.map(Fault.init))
    // What the first sample shows is not said again for each other one.
    let others = shape.variations(at: "$")
        .compactMap { variation in
            issues(variation.json).first { !known.contains(Fault($0)) || isAbout($0, variation) }
                .map { issue -> ContractError.Problem in
                    .init(path: String(variation.path.dropFirst(2)), text: "\(variation.text): \(issue)")
                }
        }
    return first.map { .init(path: $0.path.withoutRoot, text: "is not what the entry reads: \($0)") } + others
}

/// The identity of a fault: equal for all issues that it causes.
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
