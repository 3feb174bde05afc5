// The errors of decoding, made only when something failed. They say what was found by its type, never by its value.

extension DecodingContext {
    /// Why the value at an index position is not one of a type.
    ///
    /// Chains of `try?` make many of these and read none. An error holds its path and its text, so both are made now,
    /// but only the path is new each time.
    @inline(never)
    func failure(_ type: Any.Type, at position: Int, _ path: [any CodingKey]) -> DecodingError {
        let tag = nodes.tag(at: position)
        let texts = failureTexts(of: type)
        let context = DecodingError.Context(codingPath: path, debugDescription: texts.text(for: tag))
        if tag == .null { return .valueNotFound(type, context) }
        return tag.isNumber && texts.isNumeric ? .dataCorrupted(context) : .typeMismatch(type, context)
    }

    /// An error about a value of the right JSON type that means nothing.
    func corrupted(_ description: String, _ node: CodingPathNode) -> DecodingError {
        .dataCorrupted(.init(codingPath: node.path(in: nodes), debugDescription: description))
    }
}

/// What errors about one type say, by what was found.
final class FailureTexts {
    /// Whether a number that is no such value does not fit.
    let isNumeric: Bool
    private let texts: [String]

    /// The words for a type.
    init(_ type: Any.Type) {
        let isNumeric = type is any Numeric.Type
        let noun = expectedNoun(type)
        self.isNumeric = isNumeric
        texts = IndexWord.Tag.nounPhrases.map { phrase in
            isNumeric && phrase == "a number"
                ? "The number does not fit in \(noun)." : "Expected \(noun), found \(phrase)."
        }
    }

    /// The words for a value that was found.
    func text(for tag: IndexWord.Tag) -> String { texts[tag.nounPhraseIndex] }
}

extension IndexWord.Tag {
    /// What values are, in an error's words.
    fileprivate static let nounPhrases = ["an object", "an array", "a string", "a number", "a bool", "null"]

    /// Which of ``nounPhrases`` a value is.
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
