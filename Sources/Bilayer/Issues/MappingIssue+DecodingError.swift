extension MappingIssue {
    /// Makes the issue of a `DecodingError`. Its path is the error's coding path. The missing key follows if a key was
    /// not found. If a mapping inside the decoding failed, the path of that mapping's first issue follows.
    public init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.missing, context, last: key, detail: (key as? PathStep)?.remark)
        case .valueNotFound(_, let context) where context.isPastEnd: self.init(.missing, context)
        case .valueNotFound(let type, let context) where context.isOfNoValue:
            self.init(.missing, context, expected: expectedNoun(type))
        case .valueNotFound(let type, let context):
            self.init(.null, context, expected: expectedNoun(type), found: Found(type: "null"))
        case .typeMismatch(_, let context) where context.keyType != nil,
            .dataCorrupted(let context) where context.keyType != nil:
            self = .invalidKey(of: context.keyType ?? "", at: JsonPath(context.codingPath))
        case .typeMismatch(let type, let context):
            self.init(.wrongType, context, expected: expectedNoun(type))
        case .dataCorrupted(let context):
            if var first = (context.underlyingError as? MappingError)?.issues.first {
                first.place(in: context)
                self = first
                return
            }
            if let known = context.knownExpectation {
                self.init(known.kind, context, expected: known.expected)
            } else {
                self.init(.invalidValue, context, detail: context.descriptionWithoutValue)
            }
        @unknown default:
            self.init(.foreign, underlyingError: error)
        }
    }

    private init(
        _ kind: Kind,
        _ context: DecodingError.Context,
        last: (any CodingKey)? = nil,
        expected: String? = nil,
        found: Found? = nil,
        detail: String? = nil
    ) {
        let path = JsonPath(context.codingPath + (last.map { [$0] } ?? []))
        self.init(
            kind,
            path: path,
            expected: expected,
            found: found,
            detail: detail,
            underlyingError: context.underlyingError
        )
        nameProperty(of: last ?? context.codingPath.last)
    }

    /// Sets the property's name, and the JSON's key if that differs, from a coding key that has both.
    fileprivate mutating func nameProperty(of key: (any CodingKey)?) {
        if let property = (key as? PathStep)?.property { nameProperty(property) }
    }
}

extension MappingError {
    /// Makes the mapping error of a `DecodingError`. It has several issues if the cause is a mapping error with
    /// several.
    init(_ error: DecodingError) {
        if case .dataCorrupted(let context) = error, let inner = MappingError(insideOf: context) {
            self = inner
        } else {
            self.init(MappingIssue(error))
        }
    }

    /// Makes the mapping error that a decoding error contains. The decoder's coding path is prepended to the paths of
    /// its issues. `nil` if the decoding error contains no mapping error.
    fileprivate init?(insideOf context: DecodingError.Context) {
        guard let error = context.underlyingError as? MappingError else { return nil }
        self = error.updatingIssues { $0.place(in: context) }
    }
}

extension MappingIssue {
    /// Prepends a decoder's coding path to the issue's path. The issue is from a mapping that failed at this coding
    /// path.
    fileprivate mutating func place(in context: DecodingError.Context) {
        let isInner = !localPath.isRoot
        prefix(by: JsonPath(context.codingPath))
        if !isInner { nameProperty(of: context.codingPath.last) }
    }

    /// Makes the issue of a member whose name is no key of a dictionary's key type. The issue is about the key, not the
    /// value.
    static func invalidKey(of type: String, at path: JsonPath) -> MappingIssue {
        MappingIssue(.invalidValue, path: path, expected: keyNoun + type)
    }

    /// Whether the issue is about the last key of its path, and not about the value.
    var isAboutKey: Bool { kind == .invalidValue && expected?.hasPrefix(keyNoun) == true }
}

private let keyNoun = "a key of type "

extension JsonPath {
    /// Makes the path of a coding path. The index of an element becomes an `.index` component. The cases of an enum and
    /// the key `super` are declared in code, and become `.key` components. A case with a path becomes the components of
    /// its path (``PathCodingKey``). The keys of any other type, for example a dictionary's keys, are data. They become
    /// `.entry` components.
    public init(_ codingPath: [any CodingKey]) {
        var components: [Component] = []
        var madeKeys: [Int] = []
        for key in codingPath {
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                components.append(.index(index))
            } else if let path = MemberPaths.of(type(of: key))?.paths(of: key).first {
                components += path.components
            } else if key.isDeclared {
                components.append(.key(key.stringValue))
            } else {
                if !DictionaryKeys.contain(key) { madeKeys.append(components.count) }
                components.append(.entry(key.stringValue))
            }
        }
        let last = components.count - 1
        self.init(components, madeKeys: madeKeys.map { last - $0 })
    }
}

extension CodingKey {
    /// Whether the key is declared in code: it is an enum case without a payload, a component of a path in code, or
    /// `super`.
    fileprivate var isDeclared: Bool {
        if self is PathStep || stringValue == "super" { return true }
        if self is any UndeclaredKey { return false }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }
}
