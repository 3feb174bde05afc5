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
