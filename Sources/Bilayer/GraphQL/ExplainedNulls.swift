/// Finds the nulls of a GraphQL response for which one of its `errors` gives the reason: the error's path leads to the
/// null, or through it.
///
/// One search finds all these nulls, and follows the path of each error once. A separate search for each null would
/// take quadratic time in a list of nulls.
struct ExplainedNulls {
    private let document: JsonDocument
    /// The position of the error for each explained null, by the position of the null.
    private var errors: [Int: Int] = [:]
    /// For each array that an error's path enters, by the array's position: the positions of its elements. Built once,
    /// because finding element n walks over all elements before it.
    private var elements: [Int: [Int]] = [:]

    /// Returns the position of the error for each explained null, by the position of the null. Of several errors for a
    /// null, the first counts.
    static func find(in document: JsonDocument) -> [Int: Int] {
        document.withNodes { nodes in
            var search = ExplainedNulls(document: document)
            search.run(in: nodes)
            return search.errors
        }
    }

    private init(document: JsonDocument) { self.document = document }

    /// Searches for the responses: the root, the elements of a batch, or the payload of a message. A `data` without
    /// `errors` is searched, too, because a response may be inside.
    private mutating func run(in nodes: JsonNodes) {
        var position = 0
        while position < nodes.words.count {
            guard nodes.tag(at: position).isContainer else {
                position += 1
                continue
            }
            let value = Json(.view(document, position))
            guard let data = value["data"] else {
                position = nodes.firstChild(of: position)
                continue
            }
            let errors = value["errors"]
            if let errors { add(errors, ofFieldsIn: data, nodes) }
            position = errors == nil ? nodes.firstChild(of: position) : nodes.words.next(after: position)
        }
    }

    private mutating func add(_ errors: Json, ofFieldsIn data: Json, _ nodes: JsonNodes) {
        for error in errors.kind == .array ? Array(errors.elements) : [errors] {
            guard let path = GraphQLError.from(raw: error).path, let error = error.position, let data = data.position,
                let null = null(on: path, from: data, nodes), self.errors[null] == nil
            else { continue }
            self.errors[null] = error
        }
    }

    /// Returns the position of the null on a path. The null is the field at the end of the path. If the schema does not
    /// allow that field to be null, the null is a field around it.
    private mutating func null(on path: JsonPath, from data: Int, _ nodes: JsonNodes) -> Int? {
        var position = data
        for component in path.components {
            if nodes.tag(at: position) == .null { break }
            guard let next = child(component, of: position, nodes) else { return nil }
            position = next
        }
        return nodes.tag(at: position) == .null ? position : nil
    }

    private mutating func child(_ component: JsonPath.Component, of position: Int, _ nodes: JsonNodes) -> Int? {
        guard case .index(let index) = component else {
            return component.key.flatMap { Json(.view(document, position))[$0]?.position }
        }
        guard nodes.tag(at: position) == .array else { return nil }
        let known = elements[position] ?? Json(.view(document, position)).elements.compactMap(\.position)
        elements[position] = known
        return known.indices.contains(index) ? known[index] : nil
    }
}

extension Json {
    /// The error that explains why this value is null: one of the `errors` of the GraphQL response that contains the
    /// value. `nil` if there is no such error.
    var serverError: GraphQLError? {
        guard let position, isNull, case .view(let document, _) = storage,
            let error = document.reasons(ExplainedNulls.find)[position]
        else { return nil }
        return GraphQLError.from(raw: Json(.view(document, error)))
    }

    /// The position of the value in the parsed text that contains it; nil if the value is not a view.
    fileprivate var position: Int? {
        guard case .view(_, let position) = storage else { return nil }
        return position
    }
}
