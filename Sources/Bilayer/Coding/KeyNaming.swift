/// A rule that makes JSON keys from property names, for decoding and for encoding.
///
/// Choose it for a server with its own convention for keys. A conversion from JSON keys to property names cannot decide
/// whether `user_url` means `userUrl` or `userURL`. A naming converts in the other direction only, so every property
/// finds its own key:
///
/// ```swift
/// var decoder = JsonDecoder()
/// decoder.keys = .naming(.snakeCase)
/// print(KeyNaming.snakeCase.key(for: "userURL"))      // user_url
/// print(KeyNaming.snakeCase.key(for: "imageURLs"))    // image_urls
/// print(KeyNaming.snakeCase.key(for: "id3Tag"))       // id3_tag
/// ```
///
/// - A JSON key that equals the property's name is read, too. With ``snakeCase`` and ``kebabCase``, a key with a
///   separator before each number after a letter is also read, because some servers write it: `sha_256` for `sha256`,
///   `address_line_1` for `addressLine1`.
/// - The keys of dictionaries are values and are not converted.
/// - In ``snakeCase`` and ``kebabCase``, two adjacent abbreviations are one word, and so is an abbreviation next to a
///   word of one capital letter: `URLID` becomes `urlid`, for decoding and for encoding. If the server uses another
///   key, declare it in `CodingKeys`.
/// - These two namings do not convert names with characters other than letters, digits and underscores.
/// - If two keys of an object lead to the same property, or two properties to the same key, a
///   ``MappingIssue/Kind/keyClash`` is reported. ``MappingPolicy/strict`` refuses it. A nested container for a key that
///   another property has written is always an error.
public struct KeyNaming: Sendable {
    private let convert: @Sendable (String) -> String
    /// The character between words; `nil` for a custom naming.
    private let separator: Character?
    /// The keys made so far, one for each property name. The limit bounds memory where names are made at run time.
    private let converted = NameCache(limit: 4096)

    /// Makes a custom naming.
    /// - Parameter key: Returns the JSON key for a property's name. Equal names must give equal keys.
    public init(_ key: @escaping @Sendable (_ name: String) -> String) {
        convert = key
        separator = nil
    }

    /// Converts `userURL` to `user_url`. Leading and trailing underscores are not changed.
    public static let snakeCase = KeyNaming(joiningWordsWith: "_")

    /// Converts `userURL` to `user-url`. Leading and trailing underscores are not changed.
    public static let kebabCase = KeyNaming(joiningWordsWith: "-")

    private init(joiningWordsWith separator: Character) {
        convert = { $0.joiningWords(with: String(separator)) }
        self.separator = separator
    }

    /// Returns the JSON key for a property.
    /// - Parameter name: The property's name.
    /// - Returns: The key.
    public func key(for name: String) -> String { converted.name(for: name, convert) }

    /// Returns the key with a separator before each number after a letter. Returns `nil` if the key does not change,
    /// and for a custom naming.
    func alternative(to key: String) -> String? {
        guard let separator, key.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        var last: Character?
        var text = ""
        for character in key {
            if character.isNumber, let last, last.isLetter { text.append(separator) }
            text.append(character)
            last = character
        }
        return text == key ? nil : text
    }

    /// An object that identifies the naming. Copies of a naming share the object. Different namings have different
    /// objects.
    var identity: AnyObject { converted }
}

extension String {
    /// The name's words in lower case, joined with the separator.
    fileprivate func joiningWords(with separator: String) -> String {
        guard allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            let start = firstIndex(where: { $0 != "_" }), let last = lastIndex(where: { $0 != "_" })
        else { return self }
        let words = self[start...last].split(separator: "_").flatMap { Array($0).words }
        return self[..<start] + words.joined(separator: separator).lowercased() + self[index(after: last)...]
    }
}

extension [Character] {
    /// The words of a camel-case name. A run of capitals is one word, together with a plural `s`. If a word follows the
    /// run, the last capital belongs to that word.
    fileprivate var words: [String] {
        var starts = indices.filter { $0 > 0 && startsWord($0) }
        starts.append(count)
        var start = 0
        return starts.map { end in
            defer { start = end }
            return String(self[start..<end])
        }
    }

    private func startsWord(_ index: Int) -> Bool {
        guard self[index].isUppercase else { return false }
        if !self[index - 1].isUppercase { return true }
        guard index + 1 < count, self[index + 1].isLowercase else { return false }
        let isPlural = self[index + 1] == "s" && (index + 2 == count || !self[index + 2].isLowercase)
        return !isPlural
    }
}

extension KeyNaming: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
