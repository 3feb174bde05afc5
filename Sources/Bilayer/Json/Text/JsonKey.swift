/// A key that is equal to another only if the bytes are: `"é"` in one scalar and in two are different.
struct JsonKey: Hashable, Sendable {
    let text: String

    static func == (left: JsonKey, right: JsonKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
