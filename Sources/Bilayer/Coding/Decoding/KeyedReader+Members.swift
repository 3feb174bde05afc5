// Decoders for members, and the errors about them.

extension KeyedReader {
    /// A decoder for a member's value.
    func child(_ key: some CodingKey, at position: Int) throws -> ValueDecoder {
        try withPlace(of: key) { place in try context.makeChild(at: position, place) }
    }

    /// A decoder for a member's value; for `null` if there is no such member.
    func superDecoder(_ key: some CodingKey) throws -> ValueDecoder {
        let position = find(named: key.stringValue)
        if position >= 0 { return try withNamedPlace(of: key) { place in try context.makeChild(at: position, place) } }
        return .forNull(context.settings, path: path(to: key))
    }

    /// The place of a key's value.
    @inline(__always)
    func withPlace<Key: CodingKey, Value>(of key: Key, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        if let home = unsafe state.pointee.home, let source = unsafe home.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(
                unsafe CodingPathNode(in: state.pointee.place, source: .passUnretained(source), number: number)
            )
        }
        return try withNamedPlace(of: key, body)
    }

    /// The place of the value of a key of any type.
    private func withNamedPlace<Value>(
        of key: any CodingKey,
        _ body: (CodingPathNode) throws -> Value
    ) rethrows -> Value {
        let base = CodingPathBase([key])
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPathNode(in: state.pointee.place, source: .passUnretained(base), number: 0))
        }
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
        context.failure(type, at: position, path(to: key))
    }
}
