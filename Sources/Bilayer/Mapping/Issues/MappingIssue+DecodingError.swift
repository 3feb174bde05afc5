extension MappingIssue {
    /// The issue that a `DecodingError` tells of. Its path is the error's coding path; below it the issue's own, if a mapping
    /// inside the decoding threw it.
    public init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.missing, context, last: key, detail: (key as? PathStep)?.remark)
        case .valueNotFound(let type, let context):
            self.init(.null, context, expected: expectedNoun(type), found: Found(type: "null"))
        case .typeMismatch(let type, let context):
            self.init(.wrongType, context, expected: expectedNoun(type))
        case .dataCorrupted(let context):
            if let issue = (context.underlyingError as? MappingError)?.issues.first {
                // From a mapping at the decoder's place, relative to it.
                self = issue
                let isInner = !path.isRoot
                prefix(by: JsonPath(context.codingPath))
                if !isInner { nameProperty(of: context.codingPath.last) }
                return
            }
            self.init(.invalidValue, context, detail: context.debugDescription)
        @unknown default:
            self.init(.foreign, underlying: error)
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
            underlying: context.underlyingError
        )
        nameProperty(of: last ?? context.codingPath.last)
    }

    /// Puts the property's name beside the JSON's key, where the last key knows both.
    private mutating func nameProperty(of key: (any CodingKey)?) {
        guard propertyName == nil, let step = key as? PathStep, let property = step.property else { return }
        propertyName = property
        if case .key(let name)? = path.components.last, name != property { jsonKey = name }
    }
}

extension JsonPath {
    /// The path that coding keys spell. A key with an integer value is an index, as `Codable` has it.
    public init(_ codingPath: [any CodingKey]) {
        self.init(
            codingPath.flatMap { key -> [Component] in
                if let index = key.intValue { return [.index(index)] }
                let place = KeyPlaces.of(type(of: key))?.places(of: key).first
                return place?.components ?? [.key(key.stringValue)]
            }
        )
    }
}
