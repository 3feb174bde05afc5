/// An error in a GraphQL response (GraphQL §7.1.2).
///
/// Errors are read tolerantly: a member that is missing or has another type is left out.
public struct GraphQLError: Error, Sendable, Hashable {
    /// The server's message; empty if the server sent none.
    public let message: String
    /// The path of the failed field in the response's `data`: `$.trip.days[2].hotel`. `nil` for an error of the whole
    /// request, or if the server sent no valid path.
    public let path: JsonPath?
    /// The positions in the document that the error is about.
    public let locations: [Location]
    /// More about the error, in a form that the server defines. An empty object if the server sent nothing.
    public let extensions: Json

    /// A position in the document.
    public struct Location: Sendable, Hashable {
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1.
        public let column: Int

        /// Makes a position.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// Makes an error, for tests and for GraphQL servers inside an app.
    /// - Parameters:
    ///   - message: The message.
    ///   - path: The path of the failed field in `data`.
    ///   - locations: The positions in the document.
    ///   - extensions: More about the error.
    public init(_ message: String, at path: JsonPath? = nil, locations: [Location] = [], extensions: Json = [:]) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
    }

    /// The member `code` of the extensions, by which servers distinguish errors, for example `UNAUTHENTICATED`.
    public var code: String? { extensions["code"]?.textOrNumber }
}

extension GraphQLError: RawDecodable {
    /// Reads an error tolerantly. Never throws.
    public static func from(raw: Json) -> GraphQLError {
        let locations = raw["locations"]?.elements
            .compactMap { location -> Location? in
                guard let line = location["line"]?.int, let column = location["column"]?.int else { return nil }
                return Location(line: line, column: column)
            }
        let extensions = raw["extensions"].flatMap { $0.kind == .object ? $0 : nil }
        return GraphQLError(
            raw["message"]?.string ?? raw.string ?? "",
            at: raw["path"].flatMap(path(of:)),
            locations: locations ?? [],
            extensions: extensions ?? [:]
        )
    }

    /// Returns the path for an array of strings and integers; `nil` for any other value.
    private static func path(of json: Json) -> JsonPath? {
        guard json.kind == .array else { return nil }
        let components = json.elements.compactMap { step -> JsonPath.Component? in
            step.string.map { .key($0) } ?? step.int.map { .index($0) }
        }
        return components.count == json.elements.count ? JsonPath(components) : nil
    }

    /// Reads the `errors` of a response. If the value is not a list, it is read as a single error.
    static func list(in response: Json) -> [GraphQLError] {
        guard let errors = response["errors"], !errors.isNull else { return [] }
        return errors.kind == .array ? errors.elements.map(from(raw:)) : [from(raw: errors)]
    }
}

extension GraphQLError {
    /// Whether this error is the reason why `data` has no value at a path. The path of the error is then the path of
    /// the field, or of a non-null field inside it.
    func explains(_ fieldPath: JsonPath) -> Bool {
        guard let path, path.components.count >= fieldPath.components.count else { return false }
        return zip(path.components, fieldPath.components).allSatisfy { $0.isSame(as: $1) }
    }

    /// Returns an issue with the path and the code. The message is left out, because it can contain values.
    func issue(_ severity: MappingIssue.Severity, owner: String) -> MappingIssue {
        MappingIssue(
            .serverError,
            severity: severity,
            path: (path ?? .root).prefixed(by: .key("data")),
            owner: owner,
            detail: shownCode.map { "code \($0)" }
        )
    }

    /// The code if it can be shown: at most 64 capital letters, digits and underscores.
    fileprivate var shownCode: String? {
        guard let code, code.utf8.count <= 64 else { return nil }
        let isConstant = code.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return isConstant ? code : nil
    }
}

extension JsonPath.Component {
    /// Whether two path components are equal. The key of a member equals the key of a dictionary entry.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.index(let one), .index(let other)): one == other
        case (.key(let one), .key(let other)), (.key(let one), .entry(let other)): one == other
        default: false
        }
    }
}

extension MappingIssue.Kind {
    /// The server reported in the `errors` of a GraphQL response that it could not make the value.
    public static let serverError = MappingIssue.Kind(rawValue: "server error")
}

extension GraphQLError: Redacted {
    /// The path in the response, and the code: `$.data.trip.hotel (NOT_FOUND)`. It leaves out the ``message``, because
    /// the message can contain values.
    public var description: String {
        let name = path?.prefixed(by: .key("data")).description ?? "the request"
        return shownCode.map { "\(name) (\($0))" } ?? name
    }
}

extension GraphQLError.Location: Redacted {
    /// The line and the column: `1:2`.
    public var description: String { "\(line):\(column)" }
}
