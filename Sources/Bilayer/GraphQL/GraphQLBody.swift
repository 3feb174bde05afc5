import Foundation

extension RouteBody {
    /// Returns a body with the parameters of an operation as JSON (GraphQL over HTTP §5.4). The body is multipart if a
    /// variable is a file.
    static func operation<Operation: GraphQLOperation>(_ operation: Operation, _ call: GraphQLCall) -> RouteBody {
        RouteBody(named: "WriteGraphQL") { context in
            try context.mapping {
                let files = FileCollector()
                let variables = try operation.variables(collecting: files)
                var parameters = GraphQLParameters(query: Operation.document, operationName: call.name)
                if !variables.members.isEmpty { parameters.variables = variables }
                parameters.extensions = operation.extensions
                return try files.body(of: parameters)
            }
        }
    }
}

extension GraphQLOperation {
    /// The variables as JSON. A file is represented by a unique text, its mark.
    package var variablesJson: Json { get throws { try variables(collecting: FileCollector()) } }

    fileprivate func variables(collecting files: FileCollector) throws -> Json {
        try FileCollector.$current.withValue(files) {
            try locating(at: .key("variables"), owner: typeName(Variables.self)) {
                let mark = IssueLog.current?.mark ?? .start
                let head = OperationHead(of: Self.document, named: Self.name)
                return try variables.toRaw().named(as: head.variables, since: mark)
            }
        }
    }
}

extension Json {
    /// Returns the variables with the names of the document. The client's key naming has already converted the property
    /// names, but the document may use the names before the conversion.
    /// - Parameters:
    ///   - names: The names of the variables in the document.
    ///   - mark: The mark of the issue log before the variables were written.
    /// - Returns: The variables.
    /// - Throws: ``MappingError`` if the naming converts two names to one key. This is an error under every policy,
    ///   because the server would get a value for the wrong variable.
    fileprivate func named(as names: [String], since mark: IssueLog.Mark) throws -> Json {
        guard let naming = MappingSession.inProgress?.conventions.keys else { return self }
        var sent: [String: String] = [:]
        for name in names where self[name] == nil {
            let key = naming.key(for: name)
            guard self[key] != nil else { continue }
            if let other = sent[key] ?? (names.contains(key) ? key : nil), other != name {
                throw Self.clash(of: other, name, at: key, since: mark)
            }
            sent[key] = name
        }
        if sent.isEmpty { return self }
        return Json(members: members.map { (key: sent[$0.key] ?? $0.key, value: $0.value) })
    }

    private static func clash(
        of name: String,
        _ other: String,
        at key: String,
        since mark: IssueLog.Mark
    ) -> MappingError {
        let path: JsonPath = [.key(key)]
        // If both variables have values, the encoder has reported the clash as a warning, unless the policy refuses it.
        // The error replaces the warning.
        IssueLog.current?.remove(since: mark) { $0.kind == .keyClash && $0.localPath == path }
        let detail = "the variables \"\(name)\" and \"\(other)\" are both written under this key"
        return MappingError(MappingIssue(.keyClash, path: path, detail: detail))
    }
}

/// A node that moves an operation from the body of a request to the query of its URL.
struct OperationInQuery: Node, CustomStringConvertible {
    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
        if context.options[GraphQLCall.self]?.kind == .mutation {
            throw RouteError(
                "a mutation is sent by POST (GraphQL over HTTP §5.3)",
                in: context.endpoint ?? Endpoint(.get, "")
            )
        }
        guard let parameters = GraphQLParameters(request) else {
            throw RouteError("found a file in the variables, expected POST", in: context.endpoint ?? Endpoint(.get, ""))
        }
        return try parameters.asQuery(of: request)
    }

    var description: String { "OperationInQuery" }
}
