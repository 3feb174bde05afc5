/// An error in a GraphQL response (GraphQL §7.1.2).
///
/// Members that are missing or of another type are left out: the errors of a server are read as far as they can be.
public struct GraphQLError: Error, Sendable, Hashable {
    /// The server's words; empty if it sent none.
    public let message: String
    /// The path of the field in the response's `data` that failed: `$.trip.days[2].hotel`; `nil` for an error of the
    /// request.
    public let path: JsonPath?
    /// The positions in the document.
    public let locations: [Location]
    /// More about the error, in a form that the server defines; an empty object if there is nothing.
    public let extensions: Json

    /// A position in the document.
    public struct Location: Sendable, Hashable {
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int

        /// Makes a position.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// Makes an error, for tests and for servers in the app.
    /// - Parameters:
    ///   - message: The words.
    ///   - path: The path in `data`.
    ///   - locations: The positions in the document.
    ///   - extensions: More about the error.
    public init(_ message: String, at path: JsonPath? = nil, locations: [Location] = [], extensions: Json = [:]) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
    }

    /// The `code` of the extensions, by which servers distinguish errors: `UNAUTHENTICATED`.
    public var code: String? { extensions["code"]?.textOrNumber }
}

extension GraphQLError: RawDecodable {
    /// Reads an error as far as it can be read. Never throws.
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

    /// A list of names and indices; `nil` if it is anything else.
    private static func path(of json: Json) -> JsonPath? {
        guard json.kind == .array else { return nil }
        let components = json.elements.compactMap { step -> JsonPath.Component? in
            step.string.map { .key($0) } ?? step.int.map { .index($0) }
        }
        return components.count == json.elements.count ? JsonPath(components) : nil
    }

    /// Reads the list of errors of a response; one that is no list has one error.
    static func list(in response: Json) -> [GraphQLError] {
        guard let errors = response["errors"], !errors.isNull else { return [] }
        return errors.kind == .array ? errors.elements.map(from(raw:)) : [from(raw: errors)]
    }
}

extension GraphQLError {
    /// Whether this error is the reason why there is no value at a path of `data`. Its path is that of the field, or of
    /// a field inside of it that may not be null.
    func explains(_ fieldPath: JsonPath) -> Bool {
        guard let path, path.components.count >= fieldPath.components.count else { return false }
        return zip(path.components, fieldPath.components).allSatisfy { $0.isSame(as: $1) }
    }

    /// The error as an issue of the report: the path and the code, not the words.
    func issue(_ severity: MappingIssue.Severity, owner: String) -> MappingIssue {
        MappingIssue(
            .serverError,
            severity: severity,
            path: (path ?? .root).prefixed(by: .key("data")),
            owner: owner,
            detail: shownCode.map { "code \($0)" }
        )
    }

    /// The code, if it is written as a constant.
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
    /// Whether two path components are equal.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.index(let one), .index(let other)): one == other
        case (.key(let one), .key(let other)), (.key(let one), .entry(let other)): one == other
        default: false
        }
    }
}

extension MappingIssue.Kind {
    /// The server could not make the value, and says so in the `errors` of a GraphQL response.
    public static let serverError = MappingIssue.Kind(rawValue: "server error")
}

extension GraphQLError: Redacted {
    /// The path and the code: `$.trip.hotel (NOT_FOUND)`. The words may contain values, so they are only in
    /// ``message``.
    public var description: String {
        let name = path?.description ?? "the request"
        return shownCode.map { "\(name) (\($0))" } ?? name
    }
}

extension GraphQLError.Location: Redacted {
    /// The line and the column: `1:2`.
    public var description: String { "\(line):\(column)" }
}
