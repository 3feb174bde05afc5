import Bilayer

// Checks of definitions and directives, and the fields of selections by their keys.
extension DocumentChecker {
    /// Checks that names are unique, that an unnamed operation is the only one, and that every fragment is used
    /// (GraphQL §5.2, §5.5, §5.8.1).
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

    /// Checks that directives are not repeated, unless the schema lacks them or declares them repeatable (GraphQL
    /// §5.7.3). Checks the condition of `@include` and `@skip`. For other directives, only records the variables.
    mutating func check(_ directives: [GraphQLDocument.Directive], at path: String) {
        for name in directives.map(\.name).repeated where schema.repeatableDirectives[name] == false {
            add(path, "@\(name) is there more than once")
        }
        for directive in directives {
            guard ["include", "skip"].contains(directive.name) else {
                for argument in directive.arguments { recordVariables(of: argument.value) }
                continue
            }
            let condition = directive.arguments.first { $0.name == "if" }
            for argument in directive.arguments where argument.name != "if" {
                recordVariables(of: argument.value)
                add(path, "@\(directive.name) has no argument \(argument.name)")
            }
            guard let condition else {
                add(path, "@\(directive.name) needs the argument if")
                continue
            }
            check(condition.value, .nonNull(.named("Boolean")), at: "\(Self.shown(path))@\(directive.name)")
        }
    }

    /// Returns the fields of selections by their keys, including the fields of fragments. Each field has the type on
    /// which it is selected.
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
    /// The names of the fragments that the selections spread, at any depth.
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
    /// The elements that occur more than once, sorted.
    var repeated: [String] {
        Dictionary(grouping: self, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
    }
}
