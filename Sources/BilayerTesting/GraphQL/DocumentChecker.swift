import Bilayer

/// Compares the selections, arguments and variables of an operation with a schema. It checks rules of GraphQL §5. A
/// server would refuse an operation that breaks one of them.
struct DocumentChecker {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    let operation: GraphQLDocument.Operation
    /// The variables that the operation uses.
    private var used: Set<String> = []
    /// The fragments that contain the current selections.
    private var openFragments: Set<String> = []
    /// The fragments that were checked, each with the type on which it was spread.
    private var checkedFragments: Set<[String]> = []
    /// The maximum nesting of fragments. Real documents have less nesting.
    private static let mostOpenFragments = 100
    /// Whether the checked values are from the JSON of the variables. In this JSON, enum values are strings.
    private var readsJson = false
    private(set) var problems: [ContractError.Problem] = []
    private var hasEndlessFragment = false

    init(_ operation: GraphQLDocument.Operation, in document: GraphQLDocument, _ schema: GraphQLSchema) {
        self.schema = schema
        self.document = document
        self.operation = operation
    }

    /// Finds the problems of the document.
    mutating func checkDocument() {
        guard let root = schema.roots[operation.kind] else {
            return add("$", "the schema has no \(operation.kind.rawValue)")
        }
        checkDefinitions()
        check(operation.directives, at: "")
        check(operation.selections, of: root, at: "")
        if !hasEndlessFragment {
            var merging = FieldMerging(self)
            merging.check(operation.selections, on: root)
            problems += merging.problems
        }
        if operation.kind == .subscription, fields(of: [(operation.selections, root)]).count > 1 {
            add("$", "a subscription has one field at its root")
        }
        for variable in operation.variables {
            if schema.types[variable.type.name] == nil {
                add("$\(variable.name)", "the schema has no type \(variable.type.name)")
            } else if let value = variable.defaultValue {
                check(value, variable.type, at: "$\(variable.name)")
            }
            if !used.contains(variable.name) { add("$\(variable.name)", "is declared and not used") }
        }
        let declared = Set(operation.variables.map(\.name))
        for name in used.subtracting(declared).sorted() { add("$\(name)", "is used and not declared") }
    }

    /// Adds a problem. The path of the root is empty, and is shown as `$`.
    mutating func add(_ path: String, _ text: String) {
        problems.append(.init(path: Self.shown(path), text: text))
    }

    /// Returns the path as a problem shows it.
    static func shown(_ path: String) -> String { path.isEmpty ? "$" : path }

    // MARK: Selections

    /// Checks selections on a type. A fragment that was checked on the type is not checked again.
    private mutating func check(_ selections: [GraphQLDocument.Selection], of type: String, at path: String) {
        for selection in selections {
            switch selection {
            case .field(let field): check(field, of: type, at: path.isEmpty ? field.key : "\(path).\(field.key)")
            case .inline(let condition, let directives, let inner, let line):
                check(directives, at: path)
                checkFragment(inner, of: condition ?? type, in: type, at: path, line)
            case .spread(let name, let directives, let line):
                check(directives, at: path)
                guard let fragment = document.fragments[name] else {
                    add(path, "line \(line): the document has no fragment \(name)")
                    continue
                }
                guard openFragments.insert(name).inserted else {
                    hasEndlessFragment = true
                    add(path, "line \(line): the fragment \(name) contains itself")
                    continue
                }
                if openFragments.count > Self.mostOpenFragments {
                    add(path, "line \(line): there are more than \(Self.mostOpenFragments) fragments in each other")
                } else if checkedFragments.insert([name, type]).inserted {
                    checkFragment(fragment.selections, of: fragment.type, in: type, at: path, line)
                }
                openFragments.remove(name)
            }
        }
    }

    /// Checks the selections of a fragment on a type, inside a parent type.
    private mutating func checkFragment(
        _ selections: [GraphQLDocument.Selection],
        of type: String,
        in parent: String,
        at path: String,
        _ line: Int
    ) {
        guard schema.types[type] != nil else { return add(path, "line \(line): the schema has no type \(type)") }
        if Set(schema.possibleTypes(of: type)).isDisjoint(with: schema.possibleTypes(of: parent)) {
            return add(path, "line \(line): a \(parent) is never a \(type)")
        }
        check(selections, of: type, at: path)
    }

    private mutating func check(_ field: GraphQLDocument.Field, of parent: String, at path: String) {
        check(field.directives, at: path)
        if ["__schema", "__type"].contains(field.name) {
            return add(path, "line \(field.line): introspection is not known to this check")
        }
        guard let definition = schema.field(field.name, of: parent) else {
            return add(path, "line \(field.line): \(parent) has no field \(field.name)")
        }
        checkArguments(field.arguments, definition.arguments, of: field, at: path)
        let type = definition.type.name
        guard let inner = schema.types[type] else { return add(path, "the schema has no type \(type)") }
        if inner.isLeaf {
            if !field.selections.isEmpty { add(path, "line \(field.line): \(type) has no fields to select") }
        } else if field.selections.isEmpty {
            add(path, "line \(field.line): \(type) needs a selection of its fields")
        }
        check(field.selections, of: type, at: path)
    }

    /// Checks the arguments of a field against their definitions. Required arguments must be given.
    private mutating func checkArguments(
        _ arguments: [GraphQLArgument],
        _ definitions: [String: GraphQLSchema.InputDefinition],
        of field: GraphQLDocument.Field,
        at path: String
    ) {
        for name in arguments.map(\.name).repeated {
            add(path, "line \(field.line): the argument \(name) is there more than once")
        }
        for argument in arguments {
            let (name, value) = (argument.name, argument.value)
            guard let definition = definitions[name] else {
                recordVariables(of: value)
                add(path, "line \(field.line): \(field.name) has no argument \(name)")
                continue
            }
            check(value, definition, at: "\(path)(\(name))")
        }
        let given = Set(arguments.map(\.name))
        for (name, definition) in definitions.sorted(by: { $0.key < $1.key })
        where definition.isRequired && !given.contains(name) {
            add(path, "line \(field.line): the argument \(name) (\(definition.type)) is missing")
        }
    }

    /// Records that the variables in a value are used.
    mutating func recordVariables(of value: GraphQLValue) {
        switch value {
        case .variable(let name): used.insert(name)
        case .list(let elements): for element in elements { recordVariables(of: element) }
        case .object(let members): for member in members { recordVariables(of: member.value) }
        case .scalar, .constant: break
        }
    }

    // MARK: Values

    private mutating func check(_ value: GraphQLValue, _ definition: GraphQLSchema.InputDefinition, at path: String) {
        guard case .variable(let name) = value else { return check(value, definition.type, at: path) }
        used.insert(name)
        guard let variable = operation.variables.first(where: { $0.name == name }) else { return }
        let mayBeNull = variable.hasDefault || definition.hasDefault
        let expected = mayBeNull ? definition.type.nullable : definition.type
        if !variable.type.isUsable(for: expected) {
            add(path, "found $\(name) of type \(variable.type), expected \(definition.type)")
        }
    }

    mutating func check(_ value: GraphQLValue, _ type: GraphQLTypeReference, at path: String) {
        switch (type, value) {
        case (_, .variable): check(value, .init(type: type, hasDefault: false), at: path)
        case (.nonNull(let inner), _):
            if case .scalar(.null) = value { return add(path, "found null, expected \(type)") }
            check(value, inner, at: path)
        case (_, .scalar(.null)): break
        case (.list(let inner), .list(let elements)):
            for (index, element) in elements.enumerated() { check(element, inner, at: "\(path)[\(index)]") }
        // A single value is coerced to a list with one element (GraphQL §3.11).
        case (.list(let inner), _): check(value, inner, at: path)
        case (.named(let name), _):
            recordVariables(of: value)
            guard let definition = schema.types[name] else { return add(path, "the schema has no type \(name)") }
            checkNamed(value, name, definition, at: path)
        }
    }

    /// Checks a value for a named type. The value is neither a variable nor null.
    private mutating func checkNamed(
        _ value: GraphQLValue,
        _ name: String,
        _ type: GraphQLSchema.TypeDefinition,
        at path: String
    ) {
        switch type.kind {
        case .enumeration:
            let text: String? =
                switch value {
                case .constant(let text): text
                case .scalar(let json) where readsJson: json.string
                default: nil
                }
            if let text, type.values.contains(text) { return }
            add(path, "found \(value.kind), expected \(name): \(type.values.joined(separator: ", "))")
        case .input:
            guard case .object(let members) = value else {
                return add(path, "found \(value.kind), expected an object of \(name)")
            }
            for key in members.map(\.name).repeated { add("\(path).\(key)", "is there more than once") }
            for member in members {
                let (key, value) = (member.name, member.value)
                guard let input = type.inputs[key] else {
                    add("\(path).\(key)", "\(name) has no field \(key)")
                    continue
                }
                check(value, input, at: "\(path).\(key)")
            }
            if type.isOneOf { checkOneOf(members, name, type, at: path) }
            let given = Set(members.map(\.name))
            for (key, input) in type.inputs.sorted(by: { $0.key < $1.key })
            where input.isRequired && !given.contains(key) {
                add("\(path).\(key)", "is missing (\(input.type))")
            }
        case .scalar:
            if !value.isScalar(name) { add(path, "found \(value.kind), expected \(name)") }
        case .object, .interface, .union: add(path, "\(name) is no type of an input")
        }
    }

    /// Checks an input object of which exactly one field must be given and not be null (GraphQL §3.10.1).
    private mutating func checkOneOf(
        _ members: [GraphQLArgument],
        _ name: String,
        _ type: GraphQLSchema.TypeDefinition,
        at path: String
    ) {
        if members.count != 1 { add(path, "found \(members.count) fields, expected exactly one of \(name)") }
        for member in members {
            guard let input = type.inputs[member.name] else { continue }
            switch member.value {
            case .scalar(.null): add("\(path).\(member.name)", "found null, expected \(input.type.nullable)!")
            case .variable(let variable):
                guard let declared = operation.variables.first(where: { $0.name == variable })?.type else { continue }
                if !declared.isNonNull {
                    let expected = "\(input.type.nullable)!"
                    add("\(path).\(member.name)", "found $\(variable) of type \(declared), expected \(expected)")
                }
            default: break
            }
        }
    }

    /// Compares the variables that are sent with their declarations in the document.
    mutating func checkVariables(_ json: Json) {
        readsJson = true
        defer { readsJson = false }
        for variable in operation.variables where schema.types[variable.type.name] != nil {
            let path = "$\(variable.name)"
            if let value = json[variable.name] {
                check(GraphQLValue(value), variable.type, at: path)
            } else if variable.type.isNonNull, !variable.hasDefault {
                add(path, "is not sent (\(variable.type))")
            }
        }
        let declared = Set(operation.variables.map(\.name))
        for (name, _) in json.members where !declared.contains(name) { add("$\(name)", "is sent and not declared") }
    }
}

extension GraphQLTypeReference {
    /// Whether a variable of this type may be used where another type is expected (GraphQL §5.8.5).
    fileprivate func isUsable(for expected: GraphQLTypeReference) -> Bool {
        switch (self, expected) {
        case (.nonNull(let one), .nonNull(let other)): one.isUsable(for: other)
        case (_, .nonNull): false
        case (.nonNull(let one), _): one.isUsable(for: expected)
        case (.list(let one), .list(let other)): one.isUsable(for: other)
        case (.named(let one), .named(let other)): one == other
        default: false
        }
    }
}

extension GraphQLValue {
    /// Makes a value from a value of the variables' JSON.
    fileprivate init(_ json: Json) {
        switch json.kind {
        case .array: self = .list(json.elements.map { GraphQLValue($0) })
        case .object: self = .object(json.members.map { GraphQLArgument(name: $0.key, value: GraphQLValue($0.value)) })
        default: self = .scalar(json)
        }
    }

    /// The kind of the value. The text never contains the value.
    fileprivate var kind: String {
        switch self {
        case .variable: "a variable"
        case .scalar(let json):
            switch json.kind {
            case .string: "a string"
            case .number: "a number"
            case .bool: "a Boolean value"
            default: "null"
            }
        case .constant: "another name"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// Whether this is a value of a built-in scalar (GraphQL §3.5). True for every other scalar, because its values are
    /// unknown.
    fileprivate func isScalar(_ name: String) -> Bool {
        guard GraphQLSchema.builtIn[name] != nil else { return true }
        guard case .scalar(let json) = self else { return false }
        switch name {
        case "Int": return json.int32 != nil
        case "Float": return json.kind == .number
        case "Boolean": return json.bool != nil
        case "ID": return json.kind == .string || json.int != nil
        default: return json.kind == .string
        }
    }
}

extension Json {
    fileprivate var int32: Int32? { int.flatMap { Int32(exactly: $0) } }
}
