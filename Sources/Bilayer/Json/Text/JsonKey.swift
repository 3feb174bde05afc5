/// A key that is compared by its bytes: `"é"` as one scalar and as two scalars are different keys.
struct JsonKey: Hashable, Sendable {
    let text: String

    static func == (left: JsonKey, right: JsonKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
