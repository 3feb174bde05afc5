/// One error or warning between the bytes and the app's model, as a value.
///
/// An issue contains no payload value, unless a reporter discloses it (``ValueDisclosure``). It has the expected and
/// the found type, the ``path`` in the document, and the source location of the rule.
///
/// ```swift
/// for issue in failure.issues where issue.kind == .missing {
///     print(issue.path, issue.expected ?? "-", issue.owner ?? "-")     // $.items[1].sku String ItemEntry
/// }
/// ```
public struct MappingIssue: Sendable {
    /// How much an issue matters to the call.
    public enum Severity: String, Sendable, Hashable {
        /// There is no value.
        case error
        /// The value was made despite a problem.
        case warning
        /// The value was made as the model specifies, for example with a default for a missing value.
        case info
    }

    /// How much the issue matters.
    public var severity: Severity
    /// The kind of problem.
    public var kind: Kind
    /// The path in the document, from its root.
    ///
    /// A part of a parsed text that is read outside of a call counts from the root of that text, too. The path is then
    /// made when it is read: see <doc:Errors>. Setting it makes it a path as it is.
    public var path: JsonPath {
        get { pathOfOrigin.map { localPath.prefixed(by: $0) } ?? localPath }
        set {
            localPath = newValue
            origin = nil
        }
    }
    /// The path from the value that was read: from ``origin``, if that is known. All code that adds components uses it.
    var localPath: JsonPath
    /// The part of a parsed text that was read, until code without the text adds a component to the path.
    private(set) var origin: Json?
    /// The member's key in the JSON, where it differs from ``propertyName``.
    public var jsonKey: String?
    /// The name on the Swift side, where the issue belongs to a property.
    public var propertyName: String?
    /// The expected value, as a noun phrase: `Int`, `an RFC 3339 date`.
    public var expected: String?
    /// The JSON type and length found at the path. Never contains the value.
    public var found: Found?
    /// The types of the conversion: `CustomerEntry` for an entry, `CustomerEntry -> Customer` for a model.
    public var owner: String?
    /// The value found at the path, as JSON: only in a report that discloses it.
    public internal(set) var shownValue: String?
    /// The source location of the rule, if the code passed it.
    public var source: SourceLocation?
    /// A sentence from the code that found the problem; no payload values.
    public var detail: String?
    /// The action of the mapping instead of a failure, for example `kept`; part of the message of a warning, never of
    /// an error.
    var outcome: String?
    /// The issues of the part that was left out, with whole paths.
    public var causes: [MappingIssue]
    /// The cause of this issue, if it is an error of code outside the framework.
    public var underlyingError: (any Error)?
    /// The number of components at the end of the path that are the JSON's already. Those before them may be names of
    /// properties, to which a naming applies once.
    var namedComponents = 0
    /// Whether the value that reported the issue then failed. A mapping that succeeds has done without that value.
    var isDiscarded = false

    /// Makes an issue.
    public init(
        _ kind: Kind,
        severity: Severity = .error,
        path: JsonPath = .root,
        jsonKey: String? = nil,
        propertyName: String? = nil,
        expected: String? = nil,
        found: Found? = nil,
        owner: String? = nil,
        source: SourceLocation? = nil,
        detail: String? = nil,
        causes: [MappingIssue] = [],
        underlyingError: (any Error)? = nil
    ) {
        self.kind = kind
        self.severity = severity
        localPath = path
        self.jsonKey = jsonKey
        self.propertyName = propertyName
        self.expected = expected
        self.found = found
        self.owner = owner
        self.source = source
        self.detail = detail
        self.causes = causes
        self.underlyingError = underlyingError
    }

    /// Prepends `path` to the paths of the issue and its causes.
    mutating func prefix(by path: JsonPath) {
        localPath = localPath.prefixed(by: path)
        if !path.isRoot { origin = nil }
        for position in causes.indices { causes[position].prefix(by: path) }
    }

    /// Adds the name of the type to the issue and its causes, where they have none.
    mutating func own(by name: String) {
        owner = owner ?? name
        for position in causes.indices { causes[position].own(by: name) }
    }

    /// Notes the value that the paths of the issue and its causes begin at, where none is known.
    mutating func setOrigin(_ value: Json) {
        guard value.isPartOfText else { return }
        if origin == nil { origin = value }
        for position in causes.indices { causes[position].setOrigin(value) }
    }

    /// Notes the value that the paths of the issue and its causes lead from, which is read by hand: no naming applies
    /// to the keys.
    mutating func setContainer(_ value: Json) {
        setOrigin(value)
        keepKeys()
    }

    private mutating func keepKeys() {
        namedComponents = localPath.components.count
        for position in causes.indices { causes[position].keepKeys() }
    }

    /// Makes the paths those of the value that was read.
    mutating func forgetOrigin() {
        origin = nil
        for position in causes.indices { causes[position].forgetOrigin() }
    }

    /// Nothing says whether the keys around a part are names or data, so descriptions leave them out.
    private var pathOfOrigin: JsonPath? {
        guard let path = origin?.pathInDocument else { return nil }
        return JsonPath(path.components.map { component in component.key.map { .entry($0) } ?? component })
    }

    /// Equal for the same fault at different indices and in different responses: kind, path without indices, owner.
    public var groupingKey: String {
        [kind.rawValue, path.withoutIndices, owner ?? "-"].joined(separator: " ")
    }
}

extension MappingIssue {
    /// The kind of an issue: a fixed list that an app may extend.
    public struct Kind: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The word, lower case: `missing`.
        public let rawValue: String

        /// Makes a kind from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word.
        public var description: String { rawValue }

        /// A required value is missing.
        public static let missing = Kind(rawValue: "missing")
        /// There is a `null` where a value is required.
        public static let null = Kind(rawValue: "null")
        /// The value is of another JSON type.
        public static let wrongType = Kind(rawValue: "wrong type")
        /// The value is of the right JSON type but not valid: a text that is no date, for example.
        public static let invalidValue = Kind(rawValue: "invalid value")
        /// A number that the Swift type cannot hold exactly.
        public static let outOfRange = Kind(rawValue: "out of range")
        /// An unknown value of an enum; kept or replaced.
        public static let unknownCase = Kind(rawValue: "unknown value")
        /// An element or member of a collection that was left out.
        public static let dropped = Kind(rawValue: "dropped")
        /// The collection failed because too many elements were left out.
        public static let tooManyDropped = Kind(rawValue: "too many dropped")
        /// A default replaced a value.
        public static let usedDefault = Kind(rawValue: "used default")
        /// A value of another type was converted to the expected type: a string to a number.
        public static let coerced = Kind(rawValue: "coerced")
        /// A key that the type does not read.
        public static let unknownKey = Kind(rawValue: "unknown key")
        /// Two keys that are converted to one name.
        public static let keyClash = Kind(rawValue: "key clash")
        /// A rule of the model that the values violate.
        public static let brokenRule = Kind(rawValue: "broken rule")
        /// An error from code outside the framework.
        public static let foreign = Kind(rawValue: "failed")
    }

    /// The type and the length of a value that was found, never the value.
    public struct Found: Sendable, Hashable, CustomStringConvertible {
        /// The JSON type (`string`, `array`, …), or another noun phrase (`nothing`, `an empty body`).
        public var type: String
        /// Characters of a string, elements of an array, members of an object.
        public var length: Int?

        /// Makes a description of what was found.
        public init(type: String, length: Int? = nil) {
            self.type = type
            self.length = length
        }

        /// For example `string (5 characters)`.
        public var description: String {
            guard let length else { return type }
            let noun = type == "string" ? "character" : type == "object" ? "member" : "element"
            return "\(type) (\(length) \(noun)\(length == 1 ? "" : "s"))"
        }
    }

    /// The source location of a rule.
    public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
        /// The file, `Module/File.swift`.
        public var fileID: String
        /// The line, counted from 1.
        public var line: UInt
        /// The function, `from(dto:)`.
        public var function: String

        /// Makes a location, usually from `#fileID`, `#line` and `#function`.
        public init(fileID: String, line: UInt, function: String) {
            self.fileID = fileID
            self.line = line
            self.function = function
        }

        /// For example `Customer+Entry.swift:31 from(dto:)`.
        public var description: String {
            let file = fileID.split(separator: "/").last.map(String.init) ?? fileID
            return "\(file):\(line) \(function)"
        }
    }
}

extension MappingIssue: Redacted {
    /// The issue on one line, path first:
    /// `$.items[1].price: wrong type: expected Decimal, found string (5 characters)`.
    public var description: String { "\(path): \(message)" }

    /// The message, without the path.
    public var message: String {
        var text = headword
        let remarks = [expectation, detail, severity == .error ? nil : outcome].compactMap { $0 }
        if !remarks.isEmpty { text += ": " + remarks.joined(separator: "; ") }
        if let cause = causes.first { text += ": " + cause.description }
        if let name = differingName { text += " (property \(name))" }
        if let owner, causes.isEmpty { text += kind == .missing ? ", required by \(owner)" : " in \(owner)" }
        if let source { text += " at \(source)" }
        return text
    }

    /// The kind's text. A kind that names an action of a mapping has another text for an error.
    private var headword: String {
        switch (severity, kind) {
        case (.error, .usedDefault): "default refused"
        case (.error, .coerced): "coercion refused"
        default: kind.rawValue
        }
    }

    private var expectation: String? {
        switch (expected, found) {
        case (let expected?, let found?): "expected \(expected), found \(found)\(shownText)"
        case (let expected?, nil): "expected \(expected)\(shownText)"
        case (nil, let found?): "found \(found)\(shownText)"
        case (nil, nil): shownValue
        }
    }

    private var shownText: String { shownValue.map { ", " + $0 } ?? "" }

    private var differingName: String? {
        guard let propertyName, case .key(let key)? = localPath.components.last, key != propertyName else { return nil }
        return propertyName
    }
}
