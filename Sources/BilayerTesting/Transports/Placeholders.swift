/// The placeholders for the secrets of one recording. Equal secrets have equal placeholders. Different secrets have
/// different placeholders, so that different requests stay different.
///
/// A text becomes `redacted-1`. A text that is a number becomes another number, so that a quoted number can still be
/// read: `12.50` becomes `10.01`.
struct Placeholders {
    private var indices: [String: Int] = [:]
    /// The names whose values have placeholders.
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

/// Returns a number that has the form of the number in `text` and ends with the digits of `index`. Returns `nil` if the
/// text is not a number.
private func digits(like text: String, _ index: Int) -> String? {
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
    let count = text.count(where: \.isNumber)
    let last = String(index)
    // A result of several digits begins with 1, so that different indices have different results.
    var digits: [Character] = count == 1 && last.count == 1 ? [] : ["1"]
    digits += Array(repeating: "0", count: max(count - digits.count - last.count, 0)) + Array(last)
    var result = text.hasPrefix("-") ? "-" : ""
    // If the index has more digits than the text, the result is longer than the text.
    result += digits.prefix(digits.count - count)
    var rest = digits.dropFirst(digits.count - count)
    for character in text where character != "-" {
        result.append(character == "." ? "." : rest.popFirst() ?? "0")
    }
    return result
}
