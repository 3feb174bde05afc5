import Bilayer

/// The operations and fragments of a document (GraphQL §2.2), reduced to the parts that the checks use.
struct GraphQLDocument {
    private(set) var operations: [Operation] = []
    private(set) var fragments: [String: Fragment] = [:]
    /// The names that several fragments have.
    private(set) var repeatedFragments: Set<String> = []

    struct Operation {
        let kind: GraphQLOperationKind
        let name: String?
        var variables: [Variable] = []
        var directives: [Directive] = []
        var selections: [Selection] = []
    }

    struct Variable {
        let name: String
        let type: GraphQLTypeReference
        let defaultValue: GraphQLValue?

        /// Whether the variable has a default value other than `null`.
        var hasDefault: Bool { defaultValue.map { $0 != .scalar(.null) } ?? false }
    }

    struct Fragment {
        let type: String
        let selections: [Selection]
    }

    indirect enum Selection: Equatable {
        case field(Field)
        /// The spread of a named fragment.
        case spread(String, [Directive], line: Int)
        /// An inline fragment with its type condition.
        case inline(String?, [Directive], [Selection], line: Int)
    }

    typealias Directive = GraphQLParser.Directive

    struct Field: Equatable {
        let alias: String?
        let name: String
        let arguments: [GraphQLArgument]
        let directives: [Directive]
        let selections: [Selection]
        let line: Int

        var key: String { alias ?? name }
    }

    init(_ text: String) throws {
        var parser = try GraphQLParser(text)
        while !parser.isAtEnd {
            parser.takeDescription()
            if parser.next.text == "{" {
                operations.append(
                    Operation(kind: .query, name: nil, selections: try Self.selections(&parser))
                )
            } else if parser.take("fragment") {
                let name = try parser.name()
                try parser.expect("on")
                let type = try parser.name()
                _ = try parser.directives()
                let fragment = Fragment(type: type, selections: try Self.selections(&parser))
                if fragments.updateValue(fragment, forKey: name) != nil { repeatedFragments.insert(name) }
            } else {
                guard let kind = GraphQLOperationKind(rawValue: parser.next.text) else {
                    throw parser.error(expected: "an operation or a fragment")
                }
                parser.advance()
                operations.append(try Self.operation(kind, &parser))
            }
        }
    }

    private static func operation(
        _ kind: GraphQLOperationKind,
        _ parser: inout GraphQLParser
    ) throws -> Operation {
        var operation = Operation(kind: kind, name: parser.next.kind == .name ? try parser.name() : nil)
        try parser.list("(", ")", of: "a variable") { parser in
            parser.takeDescription()
            try parser.expect("$")
            let name = try parser.name()
            try parser.expect(":")
            let type = try parser.type()
            let defaultValue = parser.take("=") ? try parser.value() : nil
            _ = try parser.directives()
            operation.variables.append(Variable(name: name, type: type, defaultValue: defaultValue))
        }
        operation.directives = try parser.directives()
        operation.selections = try selections(&parser)
        return operation
    }

    private static func selections(_ parser: inout GraphQLParser) throws -> [Selection] {
        guard parser.next.text == "{", parser.next.kind == .punctuator else {
            throw parser.error(expected: "a selection in braces")
        }
        var selections: [Selection] = []
        try parser.list("{", "}", of: "a field") { selections.append(try selection(&$0)) }
        return selections
    }

    private static func selection(_ parser: inout GraphQLParser) throws -> Selection {
        let line = parser.next.line
        if parser.take("...") {
            let isNamed = parser.next.kind == .name && parser.next.text != "on"
            if isNamed {
                let name = try parser.name()
                return .spread(name, try parser.directives(), line: line)
            }
            let type = parser.take("on") ? try parser.name() : nil
            let directives = try parser.directives()
            return .inline(type, directives, try selections(&parser), line: line)
        }
        var name = try parser.name()
        var alias: String?
        if parser.take(":") { (alias, name) = (name, try parser.name()) }
        let arguments = try parser.arguments()
        let directives = try parser.directives()
        let isComposite = parser.next.text == "{" && parser.next.kind == .punctuator
        return .field(
            Field(
                alias: alias,
                name: name,
                arguments: arguments,
                directives: directives,
                selections: isComposite ? try selections(&parser) : [],
                line: line
            )
        )
    }
}

extension [GraphQLDocument.Directive] {
    /// Whether one of the directives can leave out the selection to which it belongs.
    var mayLeaveOut: Bool { contains { ["include", "skip", "defer"].contains($0.name) } }
}
