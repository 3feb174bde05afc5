import Foundation

/// Converts names between camel case and snake case: `firstName` and `first_name`.
enum SnakeCase {
    /// Converts `first_name` to `firstName`. Leading and trailing underscores stay, and a name without inner
    /// underscores does not change.
    static func toCamelCase(_ name: String) -> String {
        guard let start = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[start...last].split(separator: "_")
        guard words.count > 1, let first = words.first else { return name }
        let camelCase = first.lowercased() + words.dropFirst().map(\.capitalized).joined()
        return name[..<start] + camelCase + name[name.index(after: last)...]
    }

    /// Converts `firstName` to `first_name`. A capital after the first character starts a word, and so does the last
    /// character before the next lower-case letter. No character between these two starts a word: `myURLProperty`
    /// becomes `my_url_property`.
    static func fromCamelCase(_ name: String) -> String {
        let characters = Array(name)
        var starts = [0]
        var position = min(1, characters.count)
        while let capital = characters[position...].firstIndex(where: \.isCapital) {
            starts.append(capital)
            guard let small = characters[capital...].firstIndex(where: \.isSmall) else { break }
            if small > capital + 1 { starts.append(small - 1) }
            position = small
        }
        let ends = starts.dropFirst() + [characters.count]
        return zip(starts, ends).map { String(characters[$0..<$1]).lowercased() }.joined(separator: "_")
    }
}

// These properties use the general category, as Foundation's character sets do, so no character is both a capital and
// small. `Character.isUppercase` and `isLowercase` are not used, because both are true for some characters, such as
// `ℂ`.
extension Character {
    fileprivate var isCapital: Bool {
        if let ascii = asciiValue { return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(ascii) }
        let category = unicodeScalars.first?.properties.generalCategory
        return category == .uppercaseLetter || category == .titlecaseLetter
    }

    fileprivate var isSmall: Bool {
        if let ascii = asciiValue { return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ascii) }
        return unicodeScalars.first?.properties.generalCategory == .lowercaseLetter
    }
}
