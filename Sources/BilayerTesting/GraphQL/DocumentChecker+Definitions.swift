import Bilayer

// What holds for the definitions of a document, and for fields with one key.
extension DocumentChecker {
    /// Names are there once, an operation without a name is alone, and every fragment is used (GraphQL §5.2, §5.5).
    mutating func checkDefinitions() {
        let names = document.operations.map(\.name)
        if names.contains(nil), names.count > 1 { add("$", "an operation without a name is not the only one") }
        for name in names.compactMap(\.self).repeated { add("$", "the operation \(name) is there more than once") }
        for name in document.repeatedFragments.sorted() { add("$", "the fragment \(name) is there more than once") }
        for name in operation.variables.map(\.name).repeated { add("$\(name)", "is declared more than once") }
        let all = document.operations.map(\.selections) + document.fragments.values.map(\.selections)
        let used = all.reduce(into: Set<String>()) { $0.formUnion($1.spreadNames) }
        for name in document.fragments.keys.sorted() where !used.contains(name) {
            add("$", "the fragment \(name) is not used")
        }
    }

    /// `@include` and `@skip` have a condition. Of other directives only the variables are known.
    mutating func check(_ directives: [GraphQLDocument.Directive], at path: String) {
        for directive in directives {
            guard ["include", "skip"].contains(directive.name) else {
                for argument in directive.arguments { noteVariables(of: argument.value) }
                continue
            }
            let condition = directive.arguments.first { $0.name == "if" }
            for argument in directive.arguments where argument.name != "if" {
                noteVariables(of: argument.value)
                add(path, "@\(directive.name) has no argument \(argument.name)")
            }
            guard let condition else {
                add(path, "@\(directive.name) needs the argument if")
                continue
            }
            check(condition.value, .nonNull(.named("Boolean")), at: "\(path)@\(directive.name)")
        }
    }

    /// The fields of a selection with those of its fragments, each with the type that it is selected on, by their keys.
    func fields(
        of selections: [GraphQLDocument.Selection],
        on type: String
    ) -> [String: [(type: String, field: GraphQLDocument.Field)]] {
        var found: [String: [(type: String, field: GraphQLDocument.Field)]] = [:]
        var visited: Set<String> = []
        var open = [(selections, type)]
        while let (selections, type) = open.popLast() {
            for selection in selections {
                switch selection {
                case .field(let field): found[field.key, default: []].append((type, field))
                case .inline(let condition, _, let inner, _): open.append((inner, condition ?? type))
                case .spread(let name, _, _):
                    guard let fragment = document.fragments[name], visited.insert(name).inserted else { continue }
                    open.append((fragment.selections, fragment.type))
                }
            }
        }
        return found
    }

    /// Fields with one key, of which one object may have both, are one field with the same arguments (GraphQL §5.3.2).
    mutating func checkKeys(of selections: [GraphQLDocument.Selection], on type: String, at path: String) {
        for (key, fields) in fields(of: selections, on: type).sorted(by: { $0.key < $1.key }) {
            guard let first = fields.first else { continue }
            let other = fields.dropFirst()
                .first { other in
                    let areOfOneObject =
                        !Set(schema.possibleTypes(of: first.type))
                        .isDisjoint(with: schema.possibleTypes(of: other.type))
                    return areOfOneObject && !first.field.isSame(as: other.field)
                }
            guard let other else { continue }
            let place = path.isEmpty ? key : "\(path).\(key)"
            add(
                place,
                "line \(max(first.field.line, other.field.line)): is another field, or has other arguments, than before"
            )
        }
    }
}

extension GraphQLDocument.Field {
    fileprivate func isSame(as other: Self) -> Bool {
        func sorted(_ field: Self) -> [GraphQLArgument] { field.arguments.sorted { $0.name < $1.name } }
        return name == other.name && sorted(self) == sorted(other)
    }
}

extension [GraphQLDocument.Selection] {
    /// The names of the fragments that are spread in it, at any depth.
    fileprivate var spreadNames: Set<String> {
        reduce(into: []) { names, selection in
            switch selection {
            case .field(let field): names.formUnion(field.selections.spreadNames)
            case .inline(_, _, let inner, _): names.formUnion(inner.spreadNames)
            case .spread(let name, _, _): names.insert(name)
            }
        }
    }
}

extension [String] {
    /// What is there more than once, in the order of the alphabet.
    var repeated: [String] {
        Dictionary(grouping: self, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
    }
}
