import Bilayer

// Checks of the definitions of a document, of directives, and of fields with equal keys.
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

    /// Directives are there once, unless the schema says that they are repeatable (GraphQL §5.7.3). `@include` and
    /// `@skip` have a condition; of other directives only the variables are known.
    mutating func check(_ directives: [GraphQLDocument.Directive], at path: String) {
        for name in directives.map(\.name).repeated where schema.repeatableDirectives[name] == false {
            add(path, "@\(name) is there more than once")
        }
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

    /// The fields of selections with those of their fragments, each with the type that it is selected on, by their
    /// keys.
    func fields(
        of selections: [(selections: [GraphQLDocument.Selection], type: String)]
    ) -> [String: [(type: String, field: GraphQLDocument.Field)]] {
        var found: [String: [(type: String, field: GraphQLDocument.Field)]] = [:]
        var visited: Set<String> = []
        var open = selections[...]
        while let (selections, type) = open.popFirst() {
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
    /// The repeated elements, sorted.
    var repeated: [String] {
        Dictionary(grouping: self, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
    }
}
