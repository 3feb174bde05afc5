import Foundation

/// How the names of properties become the keys of the JSON, the same way for reading and for writing.
///
/// Choose it for a server that has its own custom for keys. Unlike a conversion of the JSON's keys, which cannot know
/// whether `user_url` was `userUrl` or `userURL`, a naming goes from the property to the key only, so every property
/// finds its own:
///
/// ```swift
/// var decoder = JsonDecoder()
/// decoder.keys = .naming(.snakeCase)
/// print(KeyNaming.snakeCase.key(for: "userURL"))      // user_url
/// print(KeyNaming.snakeCase.key(for: "imageURLs"))    // image_urls
/// print(KeyNaming.snakeCase.key(for: "id3Tag"))       // id3_tag
/// ```
///
/// - A key that is in the JSON exactly as the property is named is read, too.
/// - The keys of dictionaries are values and stay as they are.
/// - Two abbreviations side by side, or one beside a word of one letter, are one word to everybody: `URLID` is `urlid`,
///   both ways. Name such a key in `CodingKeys` if the server has another.
/// - Names with anything else than letters, digits and underscores are taken as chosen and stay as they are.
/// - If two keys of an object come together in one name, or two properties in one key, that is reported as
///   ``MappingIssue/Kind/keyClash``, and refused under ``MappingPolicy/strict``.
public struct KeyNaming: Sendable {
    private let memory: Memory

    /// Makes a naming of one's own.
    /// - Parameter key: Gives the JSON's key for a property's name; the same for the same name.
    public init(_ key: @escaping @Sendable (_ name: String) -> String) {
        memory = Memory(convert: key)
    }

    /// `userURL` is `user_url`. Underscores at either end stay.
    public static let snakeCase = KeyNaming { $0.joiningWords(with: "_") }

    /// `userURL` is `user-url`. Underscores at either end stay.
    public static let kebabCase = KeyNaming { $0.joiningWords(with: "-") }

    /// The JSON's key for a property.
    /// - Parameter name: The property's name.
    /// - Returns: The key.
    public func key(for name: String) -> String { memory.key(for: name) }

    /// Identical for copies of one naming, and for no other.
    var identity: AnyObject { memory }

    /// Names that were converted before. There are as many as properties have been coded.
    // Sendable: the table is only touched with the lock held; the closure is Sendable itself.
    private final class Memory: @unchecked Sendable {
        private let convert: @Sendable (String) -> String
        private let lock = NSLock()
        private var keys: [JsonKey: String] = [:]

        /// More names than an app's types have come from keys that are made at run time, and are not worth keeping.
        private static let limit = 4096

        init(convert: @escaping @Sendable (String) -> String) { self.convert = convert }

        func key(for name: String) -> String {
            let name = JsonKey(text: name)
            if let key = lock.withLock({ keys[name] }) { return key }
            let key = convert(name.text)
            lock.withLock { if keys.count < Self.limit { keys[name] = key } }
            return key
        }
    }
}

extension String {
    /// The name's words, all small.
    fileprivate func joiningWords(with separator: String) -> String {
        guard allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            let start = firstIndex(where: { $0 != "_" }), let last = lastIndex(where: { $0 != "_" })
        else { return self }
        let words = self[start...last].split(separator: "_").flatMap { Array($0).words }
        return self[..<start] + words.joined(separator: separator).lowercased() + self[index(after: last)...]
    }
}

extension [Character] {
    /// The parts of a name in camel case. A run of capitals is one word, with an `s` that makes it a plural; of the run
    /// before a word the last capital is the word's.
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
