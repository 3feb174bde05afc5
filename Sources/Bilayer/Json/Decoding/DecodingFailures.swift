// The errors of decoding, made only when something failed. They say what was found by its type, never by its value.

extension DecodingContext {
    /// Why the value at an index position is not one of a type.
    func failure(_ type: Any.Type, at position: Int, _ path: [any CodingKey]) -> DecodingError {
        let tag = nodes.tag(at: position)
        if tag == .null {
            return .valueNotFound(
                type,
                .init(codingPath: path, debugDescription: "Expected \(expectedNoun(type)), found null.")
            )
        }
        if tag.isNumber, type is any Numeric.Type {
            return .dataCorrupted(
                .init(codingPath: path, debugDescription: "The number does not fit in \(typeName(type)).")
            )
        }
        return .typeMismatch(
            type,
            .init(codingPath: path, debugDescription: "Expected \(expectedNoun(type)), found \(tag.nounPhrase).")
        )
    }

    /// An error about a value of the right JSON type that means nothing.
    func corrupted(_ description: String, _ place: CodingPlace) -> DecodingError {
        .dataCorrupted(.init(codingPath: place.path(in: nodes), debugDescription: description))
    }
}

/// What a type is read from, in an error's words: containers are named as JSON names them.
func expectedNoun(_ type: Any.Type) -> String {
    switch type {
    case is any KeyedContainerType.Type: "an object"
    case is (any UnkeyedDecodingContainer).Type: "an array"
    default: typeName(type)
    }
}

extension KeyedReader {
    func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(
            key,
            .init(codingPath: path, debugDescription: "The object has no member \"\(key.stringValue)\".")
        )
    }

    func failure(_ type: Any.Type, _ key: any CodingKey, at position: Int) -> DecodingError {
        context.failure(type, at: position, path + [key])
    }
}

/// Names the generic container types in one word.
private protocol KeyedContainerType {}
extension KeyedDecodingContainer: KeyedContainerType {}

extension IndexWord.Tag {
    /// What a value is, in an error's words.
    fileprivate var nounPhrase: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a bool"
        case .null: "null"
        }
    }
}
