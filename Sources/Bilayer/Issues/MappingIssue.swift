/// One error, warning or info of a mapping, as a value.
///
/// The description of an issue contains no payload values, with one exception: the code of a GraphQL or JSON-RPC error.
/// A reporter can disclose further values (``ValueDisclosure``). The ``underlyingError`` and the dictionary keys in
/// ``path`` can be payload values. An issue has the expected and the found type, the ``path`` in the document, and the
/// source location of the rule that failed.
///
/// ```swift
/// for issue in failure.issues where issue.kind == .missing {
///     print(issue.path, issue.expected ?? "-", issue.owner ?? "-")     // $.items[1].sku String ItemEntry
/// }
/// ```
public struct MappingIssue: Sendable {
    /// How much an issue matters to the call.
    public enum Severity: String, Sendable, Hashable {
        /// The value could not be made.
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
    /// Outside of a call, the path of a value that is a part of a parsed text also begins at the root of that text. The
    /// path is then computed at each access: see <doc:Errors>. A path that was set is returned unchanged.
    public var path: JsonPath {
        get { pathOfOrigin.map { localPath.prefixed(by: $0) } ?? localPath }
        set {
            localPath = newValue
            part = nil
        }
    }
    /// The path relative to the value that was read, which is ``origin`` if that is known. Code that prepends
    /// components changes this property.
    var localPath: JsonPath
    /// The value at which ``localPath`` begins, if it is a part of a parsed text, or the root of a text that is read by
    /// hand. It is `nil` after a component was prepended to the path, until `setOrigin(_:)` sets it to the enclosing
    /// value.
    var origin: Json? { outerComponents == 0 ? part : nil }
    /// The last origin.
    private var part: Json? {
        didSet { outerComponents = 0 }
    }
    /// The number of components that were prepended to the path since ``part`` was set.
    private var outerComponents = 0
    /// Whether the path was completed: see ``completePath(in:at:)``.
    private(set) var isPathComplete = false
    /// The member's key in the JSON, if it differs from ``propertyName``; otherwise `nil`. It is a path if the code
    /// passed a path as the key.
    public var jsonKey: String?
    /// The name of the Swift property at the end of the path, if it is known.
    public var propertyName: String?
    /// The expected value, as a noun phrase: `Int`, `an RFC 3339 date`.
    public var expected: String?
    /// The JSON type and length found at the path. Never contains the value.
    public var found: Found?
    /// The types of the conversion: `CustomerEntry` for an entry, `CustomerEntry -> Customer` for a model.
    public var owner: String?
    /// The value found at the path, as JSON text; `nil` unless the report discloses the value.
    public internal(set) var shownValue: String?
    /// The source location of the rule, if the code passed it.
    public var source: SourceLocation?
    /// A remark from the code that found the problem. Contains no payload values but the code of a GraphQL or JSON-RPC
    /// error.
    public var detail: String?
    /// The action that the mapping took instead of failing, for example `kept`. The message of a warning contains it;
    /// the message of an error never does.
    var outcome: String?
    /// The issues because of which a part was left out, a default replaced a value, or a collection failed. Their paths
    /// begin where this issue's path begins.
    public var causes: [MappingIssue]
    /// The error that caused this issue, if there is one.
    public var underlyingError: (any Error)?
    /// The number of components at the end of the path that are already keys of the JSON. The components before them
    /// may be property names, which a ``KeyNaming`` converts once.
    var namedComponents = 0
    /// Whether a search for all errors has found this issue, and has ended early at the policy's limit. It is stored in
    /// an issue and not in the log, because code may discard the error of a search and continue.
    var endsSearch = false
    /// Where the path begins in a call.
    var pathState = PathState.relative

    /// How complete a path is in a call.
    enum PathState: Sendable {
        /// The path begins at the value that a node or a conversion received.
        case relative
        /// As `relative`, but with the keys of the JSON, and with indices that the call does not change.
        case renamed
        /// The path begins at the root of the received text. The call no longer changes it.
        case whole
    }

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
        if !isPathComplete {
            localPath = localPath.prefixed(by: path)
            outerComponents += path.components.count
        }
        for position in causes.indices { causes[position].prefix(by: path) }
    }

    /// Sets the owner of the issue and its causes, if they have none.
    mutating func setOwner(by name: String) {
        owner = owner ?? name
        for position in causes.indices { causes[position].setOwner(by: name) }
    }

    /// Sets the origin of the issue and its causes to the value that was read. If an issue already has an origin inside
    /// this value, the code has kept a part of the value and read it later, so the path from the value to this part is
    /// prepended.
    mutating func setOrigin(_ value: Json) {
        guard case .view = value.storage else { return }
        if let path = origin.flatMap(value.path(toInner:)) {
            localPath = localPath.prefixed(by: path.withUndeclaredKeys)
            part = nil
        }
        if origin == nil { part = value.isPartOfText ? value : nil }
        for position in causes.indices { causes[position].setOrigin(value) }
    }

    /// Sets the origin to a value that is read by hand. The keys in the paths are keys of the JSON, so no ``KeyNaming``
    /// applies to them.
    mutating func setContainer(_ value: Json) {
        setOrigin(value)
        // The root of a text changes no path, but it identifies the value: see `IssueLog.removeRepeatedInTexts()`.
        if origin == nil, case .view = value.storage { part = value }
        keepKeys()
    }

    /// Marks the keys in the paths of the issue and its causes as keys of the JSON.
    mutating func keepKeys() {
        namedComponents = localPath.components.count
        for position in causes.indices { causes[position].keepKeys() }
    }

    /// Clears the origins, so that the paths are relative to the value that was read.
    mutating func forgetOrigin() {
        part = nil
        for position in causes.indices { causes[position].forgetOrigin() }
    }

    /// Clears the origins, and prepends their paths.
    mutating func resolveOrigin() {
        if let path = pathOfOrigin { localPath = localPath.prefixed(by: path) }
        part = nil
        for position in causes.indices { causes[position].resolveOrigin() }
    }

    /// Completes the path of an issue whose value the code has kept as ``Json`` and read outside of its entry, for
    /// example in a model's `from(dto:)`. If the components that the conversion has prepended do not lead to this value,
    /// the value's own path replaces them. Does the same for the causes.
    /// - Parameters:
    ///   - mapped: The value that the stage before has mapped.
    ///   - textPath: The path of the text that contains this value; `nil` if the text is the whole response.
    mutating func completePath(in mapped: Json, at textPath: JsonPath?) {
        for position in causes.indices { causes[position].completePath(in: mapped, at: textPath) }
        guard let part, mapped.position(ofPart: part) != nil, !part.isSameView(as: mapped),
            let path = part.pathInDocument?.withUndeclaredKeys
        else { return }
        let whole = localPath.dropFirst(outerComponents).prefixed(by: path)
        if localPath.prefixed(by: mapped.pathInDocument ?? .root) == whole { return }
        localPath = textPath.map(whole.prefixed) ?? whole
        self.part = nil
        namedComponents = localPath.components.count
        isPathComplete = true
    }

    /// The path of the origin in its document.
    private var pathOfOrigin: JsonPath? { origin?.pathInDocument?.withUndeclaredKeys }

    /// A text for counting: the kind, the path without indices, and the owner. It is equal for the same fault at
    /// different indices and in different responses. Without an owner, the last part names the fault or the type of
    /// ``underlyingError``: `failed $ status 503`, `failed $ timed out`, `failed $ CircuitOpenError`. Without such an
    /// error, the last part is `-`.
    public var groupingKey: String {
        [kind.rawValue, path.withoutIndices, owner ?? underlyingError.map(faultName(of:)) ?? "-"].joined(separator: " ")
    }
}

extension JsonPath {
    /// The path of a value in a text. Whether its keys are declared names or data is unknown, so they become `.entry`
    /// components, which descriptions do not show.
    fileprivate var withUndeclaredKeys: JsonPath {
        JsonPath(components.map { component in component.key.map { .entry($0) } ?? component })
    }
}

extension MappingIssue {
    /// The kind of an issue. An app may add kinds of its own.
    public struct Kind: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The name of the kind in lower case: `missing`.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }

        /// A required value is missing.
        public static let missing = Kind(rawValue: "missing")
        /// A required value is `null`.
        public static let null = Kind(rawValue: "null")
        /// The value is of another JSON type.
        public static let wrongType = Kind(rawValue: "wrong type")
        /// The value has the right JSON type but is not valid, for example a string that is no date.
        public static let invalidValue = Kind(rawValue: "invalid value")
        /// A number that does not fit in the Swift type, such as 1.5 in an `Int`, or that is outside of its format's
        /// range.
        public static let outOfRange = Kind(rawValue: "out of range")
        /// An enum has no case for the value, or a type with variants has none for the tag. As a warning: the value was
        /// kept or replaced. As an error: it was refused.
        public static let unknownCase = Kind(rawValue: "unknown value")
        /// A value that cannot be read or converted was left out: an element, a member or an optional property.
        public static let dropped = Kind(rawValue: "dropped")
        /// The collection failed because too many elements were left out.
        public static let tooManyDropped = Kind(rawValue: "too many dropped")
        /// A default was used in place of a missing, `null` or invalid value.
        public static let usedDefault = Kind(rawValue: "used default")
        /// A value in another form was converted to the expected type, for example a string to a number.
        public static let coerced = Kind(rawValue: "coerced")
        /// A key that the type does not read.
        public static let unknownKey = Kind(rawValue: "unknown key")
        /// Two keys lead to the same property, or two properties to the same key.
        public static let keyClash = Kind(rawValue: "key clash")
        /// The values violate a rule of the model, or a path in the app's code is invalid.
        public static let brokenRule = Kind(rawValue: "broken rule")
        /// Any other failure: a call that failed, or an error from code outside the framework.
        public static let foreign = Kind(rawValue: "failed")
    }

    /// The type and the length of a value that was found, never the value.
    public struct Found: Sendable, Hashable, CustomStringConvertible {
        /// The JSON type (`string`, `array`, …), or another noun phrase (`nothing`, `an empty body`).
        public var type: String
        /// The number of characters of a string, elements of an array, or members of an object.
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
        if let name = differingName, name != causes.first?.differingName { text += " (property \(name))" }
        if let owner, causes.isEmpty { text += kind == .missing ? ", required by \(owner)" : " in \(owner)" }
        if let source { text += " at \(source)" }
        return text
    }

    /// The kind's name. For an error, a kind that is named after an action of the mapping has another text, because the
    /// action was refused.
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
