import Bilayer

extension GraphQLSchema {
    /// Reads a schema in the schema definition language (GraphQL §3), including type extensions.
    /// - Parameter sdl: The text of the schema.
    /// - Throws: An error with the line, the text that was found, and the text that was expected.
    public init(sdl: String) throws {
        self.init()
        types = Self.builtIn
        var parser = try GraphQLParser(sdl)
        var implementations: [(type: String, interface: String)] = []
        while !parser.isAtEnd { try read(&parser, &implementations) }
        for (type, interface) in implementations where types[type]?.kind == .object {
            types[interface]?.possible.append(type)
        }
        roots = roots.filter { types[$0.value] != nil }
    }

    private mutating func read(
        _ parser: inout GraphQLParser,
        _ implementations: inout [(type: String, interface: String)]
    ) throws {
        if parser.next.kind == .string { parser.advance() }
        let isExtension = parser.take("extend")
        switch parser.next.text {
        case "schema": try schema(&parser, isExtension: isExtension)
        case "directive": try directive(&parser)
        case "scalar":
            parser.advance()
            types[try parser.name()] = TypeDefinition(kind: .scalar)
            _ = try parser.directives()
        case "type": try composite(.object, &parser, &implementations)
        case "interface": try composite(.interface, &parser, &implementations)
        case "union": try union(&parser)
        case "enum": try enumeration(&parser)
        case "input": try input(&parser)
        default: throw parser.error(expected: "a definition of a schema")
        }
    }

    private mutating func schema(_ parser: inout GraphQLParser, isExtension: Bool) throws {
        parser.advance()
        _ = try parser.directives()
        if !isExtension { roots = [:] }
        try parser.list("{", "}") { parser in
            if parser.next.kind == .string { parser.advance() }
            let kind = GraphQLOperationKind(rawValue: try parser.name())
            try parser.expect(":")
            let name = try parser.name()
            if let kind { roots[kind] = name }
        }
    }

    private mutating func union(_ parser: inout GraphQLParser) throws {
        parser.advance()
        let name = try parser.name()
        _ = try parser.directives()
        var union = types[name] ?? TypeDefinition(kind: .union)
        if parser.take("=") {
            _ = parser.take("|")
            repeat { union.possible.append(try parser.name()) } while parser.take("|")
        }
        types[name] = union
    }

    private mutating func enumeration(_ parser: inout GraphQLParser) throws {
        parser.advance()
        let name = try parser.name()
        _ = try parser.directives()
        var values = types[name] ?? TypeDefinition(kind: .enumeration)
        try parser.list("{", "}") { parser in
            if parser.next.kind == .string { parser.advance() }
            values.values.append(try parser.name())
            _ = try parser.directives()
        }
        types[name] = values
    }

    private mutating func input(_ parser: inout GraphQLParser) throws {
        parser.advance()
        let name = try parser.name()
        let directives = try parser.directives()
        var input = types[name] ?? TypeDefinition(kind: .input)
        if directives.contains(where: { $0.name == "oneOf" }) { input.isOneOf = true }
        try inputs(&parser, "{", "}") { input.inputs[$0] = $1 }
        types[name] = input
    }

    private mutating func composite(
        _ kind: TypeDefinition.Kind,
        _ parser: inout GraphQLParser,
        _ implementations: inout [(type: String, interface: String)]
    ) throws {
        parser.advance()
        let name = try parser.name()
        if parser.take("implements") {
            _ = parser.take("&")
            repeat { implementations.append((name, try parser.name())) } while parser.take("&")
        }
        _ = try parser.directives()
        var type = types[name] ?? TypeDefinition(kind: kind)
        try parser.list("{", "}") { parser in
            if parser.next.kind == .string { parser.advance() }
            let field = try parser.name()
            var arguments: [String: InputDefinition] = [:]
            try inputs(&parser, "(", ")") { arguments[$0] = $1 }
            try parser.expect(":")
            type.fields[field] = FieldDefinition(type: try parser.type(), arguments: arguments)
            _ = try parser.directives()
        }
        types[name] = type
    }

    private func inputs(
        _ parser: inout GraphQLParser,
        _ open: String,
        _ close: String,
        _ take: (String, InputDefinition) -> Void
    ) throws {
        try parser.list(open, close) { parser in
            if parser.next.kind == .string { parser.advance() }
            let name = try parser.name()
            try parser.expect(":")
            let type = try parser.type()
            let hasDefault = parser.take("=")
            if hasDefault { _ = try parser.value() }
            _ = try parser.directives()
            take(name, InputDefinition(type: type, hasDefault: hasDefault))
        }
    }

    /// Reads the definition of a directive. Keeps only whether it is repeatable.
    private mutating func directive(_ parser: inout GraphQLParser) throws {
        parser.advance()
        try parser.expect("@")
        let name = try parser.name()
        try inputs(&parser, "(", ")") { _, _ in }
        repeatableDirectives[name] = parser.take("repeatable")
        try parser.expect("on")
        _ = parser.take("|")
        repeat { _ = try parser.name() } while parser.take("|")
    }
}
