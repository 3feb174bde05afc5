/// Names in the two customary forms, `firstName` and `first_name`.
enum SnakeCase {
    /// `first_name` as `firstName`. Underscores at either end stay, and a name without any inside stays as it is.
    static func toCamelCase(_ name: String) -> String {
        guard let start = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[start...last].split(separator: "_")
        guard words.count > 1, let first = words.first else { return name }
        let camelCase = first.lowercased() + words.dropFirst().map { $0.capitalizedWord }.joined()
        return name[..<start] + camelCase + name[name.index(after: last)...]
    }

    /// `firstName` as `first_name`. Of a run of capitals the last one starts a word if a small letter follows it:
    /// `myURLProperty` is `my_url_property`.
    static func fromCamelCase(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let followsSmall = !characters[index - 1].isUppercase
                let precedesSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsSmall || precedesSmall { result.append("_") }
            }
            result += character.lowercased()
        }
        return result
    }
}

extension Substring {
    /// The first character large, the others small.
    fileprivate var capitalizedWord: String {
        prefix(1).uppercased() + dropFirst().lowercased()
    }
}
