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
    func corrupted(_ description: String, _ place: CodingPathNode) -> DecodingError {
        .dataCorrupted(.init(codingPath: place.path(in: nodes), debugDescription: description))
    }
}
