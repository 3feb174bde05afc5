import Bilayer

/// The responses that a schema allows for a selection: a first sample, and variations. Each variation differs from the
/// first sample in one value, and perhaps in the types of the objects around the value.
indirect enum ResponseShape {
    /// The fields for each object type that the value can have.
    case object([(type: String, fields: [Field])])
    /// The shape and the type of the elements.
    case list(ResponseShape, type: GraphQLTypeReference)
    /// The samples of a scalar or an enum.
    case leaf([Json])

    struct Field {
        let key: String
        let shape: ResponseShape
        let type: GraphQLTypeReference
        /// Whether a directive may leave out the field.
        let isConditional: Bool
        /// Whether another type of the same object also has this selection. If true, the values inside are varied only
        /// for that other type.
        var isVariedElsewhere = false
    }

    /// A sample, and the path at which it differs from the first sample.
    struct Variation {
        let path: String
        let text: String
        let json: Json
        /// Whether the sample has another enum value, or another type of a union or interface.
        var isAlternative = false
    }

    /// The first sample.
    var base: Json {
        switch self {
        case .object(let types): Self.object(types.first?.fields ?? [])
        case .list(let element, _): Json([element.base])
        case .leaf(let samples): samples.first ?? .null
        }
    }

    /// The number of fields in the first sample.
    var baseFieldCount: Int {
        switch self {
        case .object(let types): types.first?.fields.reduce(0) { $0 + 1 + $1.shape.baseFieldCount } ?? 0
        case .list(let element, _): element.baseFieldCount
        case .leaf: 0
        }
    }

    /// Returns the other samples.
    func variations(at path: String) -> [Variation] {
        switch self {
        case .object(let types):
            types.enumerated()
                .flatMap { index, type in
                    let other = Variation(
                        path: path,
                        text: "may be a \(type.type)",
                        json: Self.object(type.fields),
                        isAlternative: true
                    )
                    return (index == 0 ? [] : [other]) + Self.variations(of: type.fields, at: path)
                }
        case .list(let element, let type):
            [Variation(path: path, text: "may be an empty list", json: [])]
                + (type.isNonNull
                    ? [] : [Variation(path: "\(path)[]", text: "may be null (\(type))", json: Json([Json.null]))])
                + element.variations(at: "\(path)[]").map { $0.with(Json([$0.json])) }
        case .leaf(let samples):
            samples.dropFirst().map { Variation(path: path, text: "may be \($0)", json: $0, isAlternative: true) }
        }
    }

    private static func object(_ fields: [Field]) -> Json {
        Json(members: fields.map { (key: $0.key, value: $0.shape.base) })
    }

    /// Returns samples of an object that each differ in one field from the first sample with its type.
    private static func variations(of fields: [Field], at path: String) -> [Variation] {
        let base = object(fields)
        return fields.flatMap { field in
            let place = "\(path).\(field.key)"
            func changed(_ value: Json?) -> Json {
                var json = base
                json[field.key] = value
                return json
            }
            let inner = field.isVariedElsewhere ? [] : field.shape.variations(at: place)
            var found = inner.map { $0.with(changed($0.json)) }
            if !field.type.isNonNull {
                found.insert(
                    Variation(path: place, text: "may be null (\(field.type))", json: changed(Json.null)),
                    at: 0
                )
            }
            if field.isConditional {
                found.insert(Variation(path: place, text: "may be left out", json: changed(nil)), at: 0)
            }
            return found
        }
    }
}

extension ResponseShape.Variation {
    fileprivate func with(_ json: Json) -> Self {
        Self(path: path, text: text, json: json, isAlternative: isAlternative)
    }
}

/// Makes the shape of an operation's responses. The operation must already be valid for the schema.
struct ResponseShaper {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    /// The sample values of custom scalars.
    let scalars: [String: Json]
    /// The custom scalars that have no sample value.
    private(set) var unknown: Set<String> = []
    /// The number of fields that the shape has so far. It can grow exponentially if fragments contain fields with
    /// fragments.
    private var count = 0
    /// The maximum number of fields of a shape, over all possible types. Real documents have fewer.
    private static let maximumFields = 200_000
    /// The maximum number of fields to read in all samples together.
    private static let maximumReads = 100_000_000

    private var isCutShort: Bool { count > Self.maximumFields }

    /// Whether the samples of a shape are few enough to check an entry. Each varied field needs a sample of its own.
    func isBounded(_ shape: ResponseShape) -> Bool {
        !isCutShort && shape.baseFieldCount <= Self.maximumReads / max(count, 1)
    }
    /// The current number of nested objects that can have several types.
    private var levels = 0

    init(schema: GraphQLSchema, document: GraphQLDocument, scalars: [String: Json]) {
        self.schema = schema
        self.document = document
        self.scalars = scalars
    }

    /// Returns the shape of a selection on a type.
    ///
    /// The number of combinations grows exponentially if an object that can have several types contains other such
    /// objects. So if several types of such an inner object select a field with inner fields equally, with the same
    /// type, it is varied only for the first of these types. A field without inner fields is varied for every type.
    mutating func shape(of selections: [GraphQLDocument.Selection], on type: String) -> ResponseShape {
        let types = schema.possibleTypes(of: type)
        if types.count > 1 { levels += 1 }
        defer { if types.count > 1 { levels -= 1 } }
        var known: [(selection: Collected, field: ResponseShape.Field)] = []
        var objects: [(type: String, fields: [ResponseShape.Field])] = []
        for concrete in types {
            var selected: [Collected] = []
            var visited: Set<String> = []
            collect(selections, of: concrete, isConditional: false, visited: &visited, into: &selected)
            var fields: [ResponseShape.Field] = []
            for selection in selected {
                let same =
                    levels > 1
                    ? known.first { $0.selection == selection && isShared(selection, concrete, $0.field) } : nil
                if var field = same?.field {
                    field.isVariedElsewhere = true
                    fields.append(field)
                } else {
                    let field = field(selection, of: concrete)
                    fields.append(field)
                    known.append((selection, field))
                }
            }
            objects.append((concrete, fields))
        }
        return .object(objects)
    }

    /// Whether a field, selected equally on another type, has equal samples on this type: it has inner fields, and its
    /// type is the same.
    private func isShared(_ selection: Collected, _ type: String, _ field: ResponseShape.Field) -> Bool {
        !selection.selections.isEmpty && schema.field(selection.name, of: type)?.type == field.type
    }

    /// The merged selections of one key. A document can select a key several times.
    private struct Collected: Equatable {
        let key: String
        let name: String
        private(set) var isConditional: Bool
        private(set) var selections: [GraphQLDocument.Selection]

        /// Adds another selection of the same key. Inner fields selected only under a condition can be left out, even
        /// if the field itself is always sent.
        mutating func add(_ others: [GraphQLDocument.Selection], isConditional isOtherConditional: Bool) {
            selections = Self.under(isConditional, selections) + Self.under(isOtherConditional, others)
            isConditional = isConditional && isOtherConditional
        }

        private static func under(
            _ isConditional: Bool,
            _ selections: [GraphQLDocument.Selection]
        ) -> [GraphQLDocument.Selection] {
            let include = GraphQLDocument.Directive(name: "include", arguments: [])
            return isConditional ? [.inline(nil, [include], selections, line: 0)] : selections
        }
    }

    /// Collects the fields that selections have on an object type, with the fields of their fragments (GraphQL §6.3.2).
    /// - Parameters:
    ///   - selections: The selections.
    ///   - type: The object type. Fragments that cannot apply to it are skipped.
    ///   - isConditional: Whether a directive around the selections may leave them out.
    ///   - visited: The fragments that were collected. A `?` follows the name of one that may be left out.
    ///   - fields: Receives the fields. A further selection of a key is merged into its first one.
    private func collect(
        _ selections: [GraphQLDocument.Selection],
        of type: String,
        isConditional: Bool,
        visited: inout Set<String>,
        into fields: inout [Collected]
    ) {
        for selection in selections {
            switch selection {
            case .field(let field):
                let isConditional = isConditional || field.directives.mayLeaveOut
                if let index = fields.firstIndex(where: { $0.key == field.key }) {
                    fields[index].add(field.selections, isConditional: isConditional)
                } else {
                    fields.append(
                        Collected(
                            key: field.key,
                            name: field.name,
                            isConditional: isConditional,
                            selections: field.selections
                        )
                    )
                }
            case .inline(let condition, let directives, let inner, _):
                if let condition, !schema.possibleTypes(of: condition).contains(type) { continue }
                collect(
                    inner,
                    of: type,
                    isConditional: isConditional || directives.mayLeaveOut,
                    visited: &visited,
                    into: &fields
                )
            case .spread(let name, let directives, _):
                guard let fragment = document.fragments[name],
                    schema.possibleTypes(of: fragment.type).contains(type)
                else { continue }
                // A fragment adds its fields only once (GraphQL §6.3.2). But after a spread with a condition, a spread
                // without a condition adds them again.
                let isConditional = isConditional || directives.mayLeaveOut
                guard visited.insert(isConditional ? name + "?" : name).inserted,
                    !isConditional || !visited.contains(name)
                else { continue }
                collect(fragment.selections, of: type, isConditional: isConditional, visited: &visited, into: &fields)
            }
        }
    }

    private mutating func field(_ field: Collected, of type: String) -> ResponseShape.Field {
        let reference = schema.field(field.name, of: type)?.type ?? GraphQLSchema.typename.type
        count += 1
        if isCutShort {
            return .init(key: field.key, shape: .leaf([]), type: reference, isConditional: field.isConditional)
        }
        let shape =
            field.name == "__typename" ? .leaf([Json(type)]) : value(of: reference, field.selections)
        return .init(key: field.key, shape: shape, type: reference, isConditional: field.isConditional)
    }

    private mutating func value(
        of type: GraphQLTypeReference,
        _ selections: [GraphQLDocument.Selection]
    ) -> ResponseShape {
        switch type {
        case .nonNull(let inner): return value(of: inner, selections)
        case .list(let inner): return .list(value(of: inner, selections), type: inner)
        case .named(let name):
            guard let definition = schema.types[name] else { return .leaf([]) }
            if definition.kind == .enumeration { return .leaf(definition.values.map { Json($0) }) }
            return definition.kind == .scalar ? .leaf([scalar(name)]) : shape(of: selections, on: name)
        }
    }

    private mutating func scalar(_ name: String) -> Json {
        switch name {
        case _ where scalars[name] != nil: return scalars[name] ?? .null
        case "Int": return 7
        case "Float": return 1.5
        case "Boolean": return true
        case "ID": return "7"
        case "String": return "text"
        default:
            unknown.insert(name)
            return .null
        }
    }
}
