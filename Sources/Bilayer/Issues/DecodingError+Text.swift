extension DecodingError.Context {
    /// The description, if it is a text of this library, Foundation or the standard library that is known to contain no
    /// values. `nil` for any other description, because it may contain a found value.
    ///
    /// The whole text is compared, because the description of an app's type can begin like a known one and end with a
    /// value.
    var descriptionWithoutValue: String? {
        if textsWithoutValues.contains(debugDescription) || isSyntaxErrorOfText { return debugDescription }
        return countedTexts.contains(debugDescription.withoutCount) ? debugDescription : nil
    }

    /// The key type of a dictionary, if the standard library reports that a member's name is no key of this type;
    /// otherwise `nil`.
    var keyType: String? {
        let isNotInt = debugDescription == notIntKey
        // The text is compared first, because making the name of a type takes long.
        guard isNotInt || debugDescription.hasPrefix(notKey), let key = codingPath.last,
            String(describing: type(of: key)) == "_DictionaryCodingKey"
        else { return nil }
        return isNotInt ? "Int" : String(debugDescription.dropFirst(notKey.count))
    }

    /// Whether the error is that an array has no further element, as this library's decoder or Foundation's reports it.
    var isPastEnd: Bool {
        debugDescription.withoutCount == endOfArray || debugDescription == "Unkeyed container is at end."
    }

    /// The end of this library's text for a value that is read from the super decoder of a missing member. That decoder
    /// decodes `null`, as Foundation's does.
    static let foundNoValue = ", found no value."

    /// Whether the error is that a member is missing, as the text of this library's decoder says.
    var isOfNoValue: Bool { debugDescription.hasPrefix("Expected ") && debugDescription.hasSuffix(Self.foundNoValue) }

    private var isSyntaxErrorOfText: Bool {
        guard let error = underlyingError as? JsonSyntaxError else { return false }
        return debugDescription == "The text is not JSON. \(error)"
    }

    /// The kind of the problem and the expected value, if the description is a known text with this information;
    /// otherwise `nil`. Reading a ``Json`` by hand throws errors with the same words.
    var knownExpectation: (kind: MappingIssue.Kind, expected: String)? {
        if let expected = expectations[debugDescription] { return (.invalidValue, expected) }
        if debugDescription.hasPrefix(tooLarge), debugDescription.hasSuffix(".") {
            let type = String(debugDescription.dropFirst(tooLarge.count).dropLast())
            return rawTypes.contains(type) ? (.outOfRange, type) : nil
        }
        return enumName.map { (.invalidValue, "a value of \($0)") }
    }

    /// The enum's name, if the description is the standard library's text for a raw value without a case; otherwise
    /// `nil`. The text cannot be shown, because it ends with the value.
    private var enumName: Substring? {
        guard debugDescription.hasPrefix("Cannot initialize "), let value = debugDescription.firstRange(of: " value ")
        else { return nil }
        let words = debugDescription[..<value.lowerBound].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[3] == "from", words[4] == "invalid", rawTypes.contains(String(words[5])) else {
            return nil
        }
        return words[2]
    }
}

private let notIntKey = "Expected Int key but found String key instead."
private let notKey = "Could not convert key to type "
private let tooLarge = "The number does not fit in "

/// The expected value for each known error text of this library's decoder, Foundation and the standard library.
private let expectations: [String: String] = [
    "The string is not a URL.": "a URL",
    "Invalid URL string.": "a URL",
    "Attempted to decode UUID from invalid UUID string.": "a UUID",
    "The string is not an RFC 3339 date.": "an RFC 3339 date",
    "Expected date string to be ISO8601-formatted.": "an ISO 8601 date",
    "The string is not a date in the formatter's form.": "a date in the formatter's form",
    "The string is not Base64.": "Base64",
    "Encountered Data is not valid Base64.": "Base64",
]

private let rawTypes: Set<String> = [
    "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64",
    "UInt128", "Double", "Float", "Float16", "Decimal",
]

private let textsWithoutValues: Set<String> = [
    "JSON has no such value.", "The given data was not valid JSON.",
    "Expected fewer nested values on this thread's stack, found more.",
]

private let endOfArray = "The array has no more than # elements."

/// Texts with `#` instead of a count.
private let countedTexts: Set<String> = [
    endOfArray, "Expected at most # nested values, found more.",
    "Expected at most # nested values on this thread's stack, found more.",
]

extension String {
    /// The text with its first number replaced by `#`. A number of ten or more digits is not a count, and is not
    /// replaced.
    fileprivate var withoutCount: String {
        guard let start = firstIndex(where: \.isWholeNumber) else { return self }
        let digits = self[start...].prefix { $0.isASCII && $0.isWholeNumber }
        return digits.count < 10 ? self[..<start] + "#" + self[digits.endIndex...] : self
    }
}
