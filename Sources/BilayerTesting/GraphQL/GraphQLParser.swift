import Bilayer

/// Parses the parts that documents and schemas share: names, types, values, arguments, directives.
struct GraphQLParser {
    private let tokens: [GraphQLLexer.Token]
    private var position = 0
    private var depth = 0

    init(_ text: String) throws { tokens = try GraphQLLexer.tokens(of: text) }

    var next: GraphQLLexer.Token { tokens[position] }
    var isAtEnd: Bool { next.kind == .end }

    mutating func advance() { position = min(position + 1, tokens.count - 1) }

    func error(expected: String) -> GraphQLSyntaxError {
        GraphQLSyntaxError(line: next.line, found: next.shown, expected: expected)
    }

    /// Skips the description of a definition, if it has one.
    mutating func takeDescription() { if next.kind == .string { advance() } }

    /// Reads a punctuator or keyword. Returns false and reads nothing if another token follows.
    mutating func take(_ text: String) -> Bool {
        guard next.text == text, next.kind == .punctuator || next.kind == .name else { return false }
        advance()
        return true
    }

    mutating func expect(_ text: String) throws {
        guard take(text) else { throw error(expected: "\"\(text)\"") }
    }

    mutating func name() throws -> String {
        guard next.kind == .name else { throw error(expected: "a name") }
        defer { advance() }
        return next.text
    }

    /// Reads the elements between two punctuators. Reads nothing if the first punctuator does not follow.
    /// - Parameters:
    ///   - open: The first punctuator.
    ///   - close: The last punctuator.
    ///   - first: The expectation in the error for an empty list; `nil` if the list may be empty.
    ///   - element: Reads one element.
    /// - Throws: ``GraphQLSyntaxError``. Also throws what `element` throws.
    mutating func list(
        _ open: String,
        _ close: String,
        of first: String? = nil,
        _ element: (inout GraphQLParser) throws -> Void
    ) throws {
        guard take(open) else { return }
        if let first, next.text == close, next.kind == .punctuator { throw error(expected: first) }
        while !take(close) {
            if isAtEnd { throw error(expected: "\"\(close)\"") }
            try nested { try element(&$0) }
        }
    }

    /// Limits the depth, because the parser is recursive and uses the stack.
    mutating func nested<Value>(_ body: (inout GraphQLParser) throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 200 else { throw error(expected: "at most 200 levels") }
        return try body(&self)
    }

    /// Reads a type (GraphQL §2.11).
    mutating func type() throws -> GraphQLTypeReference {
        var type: GraphQLTypeReference
        if take("[") {
            type = .list(try nested { try $0.type() })
            try expect("]")
        } else {
            type = .named(try name())
        }
        if take("!") { type = .nonNull(type) }
        return type
    }

    /// Reads a value (GraphQL §2.9).
    mutating func value() throws -> GraphQLValue {
        let token = next
        if take("$") { return .variable(try name()) }
        switch token.kind {
        case .string, .number:
            advance()
            return .scalar(token.kind == .string ? Json(token.text) : (try? Json(parsing: token.text)) ?? .null)
        case .name:
            advance()
            switch token.text {
            case "null": return .scalar(.null)
            case "true", "false": return .scalar(Json(token.text == "true"))
            default: return .constant(token.text)
            }
        case .punctuator where token.text == "[":
            var elements: [GraphQLValue] = []
            try list("[", "]") { elements.append(try $0.value()) }
            return .list(elements)
        case .punctuator where token.text == "{":
            var members: [GraphQLArgument] = []
            try list("{", "}") { members.append(try $0.argument()) }
            return .object(members)
        default: throw error(expected: "a value")
        }
    }

    private mutating func argument() throws -> GraphQLArgument {
        let name = try name()
        try expect(":")
        return GraphQLArgument(name: name, value: try value())
    }

    /// Reads the arguments of a field or a directive.
    mutating func arguments() throws -> [GraphQLArgument] {
        var arguments: [GraphQLArgument] = []
        try list("(", ")", of: "an argument") { arguments.append(try $0.argument()) }
        return arguments
    }

    /// Reads directives with their arguments.
    mutating func directives() throws -> [Directive] {
        var directives: [Directive] = []
        while take("@") { directives.append(Directive(name: try name(), arguments: try arguments())) }
        return directives
    }

    struct Directive: Equatable {
        let name: String
        let arguments: [GraphQLArgument]
    }
}

/// A reference to a type, for example in a field or a variable: a name, with its lists and `!`.
indirect enum GraphQLTypeReference: Sendable, Equatable, CustomStringConvertible {
    case named(String)
    case list(GraphQLTypeReference)
    case nonNull(GraphQLTypeReference)

    /// The name of the innermost type.
    var name: String {
        switch self {
        case .named(let name): name
        case .list(let type), .nonNull(let type): type.name
        }
    }

    var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// The type without the outermost `!`.
    var nullable: GraphQLTypeReference { if case .nonNull(let type) = self { type } else { self } }

    var description: String {
        switch self {
        case .named(let name): name
        case .list(let type): "[\(type)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}

/// A value in a document, in a schema, or in the JSON of the variables.
indirect enum GraphQLValue: Equatable {
    case variable(String)
    case scalar(Json)
    /// A name that is a value: usually a value of an enum.
    case constant(String)
    case list([GraphQLValue])
    case object([GraphQLArgument])
}

/// A name and a value: an argument, or a member of an input object.
struct GraphQLArgument: Equatable {
    let name: String
    let value: GraphQLValue
}
