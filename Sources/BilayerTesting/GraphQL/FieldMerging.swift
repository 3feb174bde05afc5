import Bilayer

/// Checks whether the fields with the same key can be merged into one field of a response (GraphQL §5.3.2,
/// FieldsInSetCanMerge).
///
/// If one object can have both fields, they must be the same field with equal arguments. Fields of different objects,
/// in fragments of a union or an interface, can differ, but their types must have the same shape.
struct FieldMerging {
    private typealias Selected = (type: String, field: GraphQLDocument.Field)

    private let checker: DocumentChecker
    private(set) var problems: [ContractError.Problem] = []
    /// The number of fields that may still be compared. This limits the total work, because nested fragments can expand
    /// to exponentially many fields.
    private var fieldsLeft = 100_000
    /// The maximum depth. Real documents are less deep.
    private static let maximumLevels = 200

    /// - Parameter checker: Provides the schema and the document. No fragment of the document may contain itself.
    init(_ checker: DocumentChecker) { self.checker = checker }

    /// Finds the keys whose fields cannot be merged.
    mutating func check(_ selections: [GraphQLDocument.Selection], on type: String) {
        let fields = checker.fields(of: [(selections, type)])
        checkFields(fields, at: "", level: 0)
        checkShapes(fields, at: "", level: 0)
    }

    /// Compares the fields that the same object can have.
    private mutating func checkFields(_ fields: [String: [Selected]], at path: String, level: Int) {
        for (key, selected) in fields.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? key : "\(path).\(key)"
            for group in ofOneObject(selected) {
                guard let first = group.first, mayGoOn(level, group.count) else { continue }
                if let other = group.dropFirst().first(where: { !first.field.isSame(as: $0.field) }) {
                    add(place, first, other, "is another field, or has other arguments, than before")
                } else {
                    checkFields(inner(group), at: place, level: level + 1)
                }
            }
        }
    }

    /// Compares the types of all fields with the same key, including fields of different objects.
    private mutating func checkShapes(_ fields: [String: [Selected]], at path: String, level: Int) {
        for (key, selected) in fields.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard let first = selected.first, mayGoOn(level, selected.count) else { continue }
            let differing = selected.dropFirst().first { !haveOneShape(type(of: first), type(of: $0)) }
            if let differing, let one = type(of: first), let other = type(of: differing) {
                let types = first.field.line > differing.field.line ? (one, other) : (other, one)
                add(place, first, differing, "is \(types.0), and \(types.1) elsewhere; give it an alias")
            } else {
                checkShapes(inner(selected), at: place, level: level + 1)
            }
        }
    }

    private mutating func add(_ place: String, _ one: Selected, _ other: Selected, _ text: String) {
        // Reports one problem for each path: different fields usually have different shapes, too.
        if problems.contains(where: { $0.path == place }) { return }
        problems.append(.init(path: place, text: "line \(max(one.field.line, other.field.line)): \(text)"))
    }

    private mutating func mayGoOn(_ level: Int, _ count: Int) -> Bool {
        fieldsLeft -= count
        return fieldsLeft > 0 && level < Self.maximumLevels
    }

    /// Groups the fields that one object can have. There is a group for each object type, with the type's own fields
    /// and the fields of interfaces and unions. If none is selected on an object type, all fields are one group.
    private func ofOneObject(_ fields: [Selected]) -> [[Selected]] {
        let types = Set(fields.map(\.type)).filter { checker.schema.types[$0]?.kind == .object }.sorted()
        if types.isEmpty { return [fields] }
        return types.map { type in
            fields.filter { $0.type == type || checker.schema.types[$0.type]?.kind != .object }
        }
    }

    private func inner(_ fields: [Selected]) -> [String: [Selected]] {
        checker.fields(
            of: fields.compactMap { field in type(of: field).map { (field.field.selections, $0.name) } }
        )
    }

    private func type(of selected: Selected) -> GraphQLTypeReference? {
        checker.schema.field(selected.field.name, of: selected.type)?.type
    }

    /// Checks the rule SameResponseShape, but not for the fields inside objects. A type that the schema lacks is
    /// reported elsewhere.
    private func haveOneShape(_ one: GraphQLTypeReference?, _ other: GraphQLTypeReference?) -> Bool {
        switch (one, other) {
        case (nil, _), (_, nil): return true
        case (.nonNull(let one), .nonNull(let other)), (.list(let one), .list(let other)):
            return haveOneShape(one, other)
        case (.named(let one), .named(let other)):
            let isLeaf = [one, other].contains { checker.schema.types[$0]?.isLeaf ?? false }
            return !isLeaf || one == other
        default: return false
        }
    }
}

extension GraphQLDocument.Field {
    fileprivate func isSame(as other: Self) -> Bool {
        func sorted(_ field: Self) -> [GraphQLArgument] { field.arguments.sorted { $0.name < $1.name } }
        return name == other.name && sorted(self) == sorted(other)
    }
}
