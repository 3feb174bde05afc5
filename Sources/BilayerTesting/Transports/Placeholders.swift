/// What the secrets of one recording are replaced by: equal values by equal placeholders, others by others, so that
/// requests that differ still do.
///
/// A text becomes `redacted-1`; one of digits stays one, `12.50` becomes `10.01`, so that a quoted number can be read.
struct Placeholders {
    private var indices: [String: Int] = [:]
    /// The names whose values were replaced.
    private(set) var names: Set<String> = []

    static let prefix = "redacted-"

    mutating func placeholder(for secret: RecordingRedaction.Secret) -> String {
        names.insert(secret.name)
        let index = indices[secret.text] ?? indices.count + 1
        indices[secret.text] = index
        if secret.isNumber { return "\(index)" }
        return digits(like: secret.text, index) ?? "\(Self.prefix)\(index)"
    }
}

/// A decimal of the form of another one, whose last digits are an index; `nil` for other texts.
private func digits(like text: String, _ index: Int) -> String? {
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
    let count = text.count(where: \.isNumber)
    let last = String(index)
    // The first digit is another one than zero, and all digits give the index: no two indices have equal digits.
    var digits: [Character] = count == 1 && last.count == 1 ? [] : ["1"]
    digits += Array(repeating: "0", count: max(count - digits.count - last.count, 0)) + Array(last)
    var result = text.hasPrefix("-") ? "-" : ""
    // An index with more digits than the text makes it longer.
    result += digits.prefix(digits.count - count)
    var rest = digits.dropFirst(digits.count - count)
    for character in text where character != "-" {
        result.append(character == "." ? "." : rest.popFirst() ?? "0")
    }
    return result
}
