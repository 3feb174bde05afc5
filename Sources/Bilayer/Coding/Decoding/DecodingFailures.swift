// The errors of decoding, made only after a failure. They contain at most the type of the JSON found, never its value.

extension DecodingContext {
    /// Returns the error for a value that cannot be read as a type.
    ///
    /// Chains of `try?` make many of these errors and read none. An error stores its path and its text, so both must be
    /// made immediately. The texts are cached; only the path is made each time.
    @inline(never)
    func failure(_ type: Any.Type, at position: Int, _ path: [any CodingKey]) -> DecodingError {
        let tag = nodes.tag(at: position)
        let texts = failureTexts(of: type)
        let isMissing = tag == .null && document === JsonDocument.null
        let text = isMissing ? texts.textForNoValue : texts.text(for: tag)
        let context = DecodingError.Context(codingPath: path, debugDescription: text)
        if tag == .null { return .valueNotFound(type, context) }
        return tag.isNumber && texts.isNumeric ? .dataCorrupted(context) : .typeMismatch(type, context)
    }

    /// Returns the error for a value of the right JSON type that is not valid, or is nested too deeply.
    func corrupted(_ description: String, _ node: CodingPathNode) -> DecodingError {
        .dataCorrupted(.init(codingPath: node.path(in: nodes), debugDescription: description))
    }
}

/// The texts of the errors about one type, by the JSON type found.
final class FailureTexts {
    /// Whether the type is numeric. For a numeric type, a number that cannot be read is out of range, or is not an
    /// integer.
    let isNumeric: Bool
    private let texts: [String]
    private let noun: String

    /// Makes the texts for a type.
    init(_ type: Any.Type) {
        let isNumeric = type is any Numeric.Type
        let noun = expectedNoun(type)
        self.isNumeric = isNumeric
        self.noun = noun
        texts = IndexWord.Tag.nounPhrases.map { phrase in
            isNumeric && phrase == "a number"
                ? "The number does not fit in \(noun)." : "Expected \(noun), found \(phrase)."
        }
    }

    /// Returns the text for the tag of a value that was found.
    func text(for tag: IndexWord.Tag) -> String { texts[tag.nounPhraseIndex] }

    /// The text for the decoder of a missing member: see ``KeyedReader/decoderOfNull(at:)``.
    var textForNoValue: String { "Expected \(noun)" + DecodingError.Context.foundNoValue }
}

extension IndexWord.Tag {
    /// The JSON types as noun phrases.
    fileprivate static let nounPhrases = ["an object", "an array", "a string", "a number", "a bool", "null"]

    /// The index of a value's type in ``nounPhrases``.
    fileprivate var nounPhraseIndex: Int {
        switch kind {
        case .object: 0
        case .array: 1
        case .string: 2
        case .number: 3
        case .bool: 4
        case .null: 5
        }
    }
}

/// Calls `make`, which returns the container of a collection. If the value has another JSON type, the thrown error
/// names the collection's type instead of the container's type.
func naming<Container>(_ type: Any.Type, _ make: () throws -> Container) throws -> Container {
    do {
        return try make()
    } catch DecodingError.typeMismatch(_, let context) {
        throw DecodingError.typeMismatch(type, context.naming(type))
    } catch DecodingError.valueNotFound(_, let context) {
        throw DecodingError.valueNotFound(type, context.naming(type))
    }
}

extension DecodingError.Context {
    fileprivate func naming(_ type: Any.Type) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "Expected \(typeName(type)), found another type of value.",
            underlyingError: underlyingError
        )
    }
}
