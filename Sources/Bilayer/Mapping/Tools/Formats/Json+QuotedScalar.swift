extension Json {
    /// Makes the number or Boolean that a text represents; returns `nil` for any other text.
    init?(scalar text: String) {
        if let integer = Int64(text), String(integer) == text {
            self.init(integer)
            return
        }
        switch text {
        case "true": self.init(true)
        case "false": self.init(false)
        default:
            guard text.utf8.spellNumber else { return nil }
            self.init(.number(text))
        }
    }
}

extension String.UTF8View {
    /// Whether the text is a number as RFC 8259 §6 defines it.
    fileprivate var spellNumber: Bool {
        var rest = self[...]
        if rest.first == Ascii.minus { rest.removeFirst() }
        if rest.first == Ascii.zero { rest.removeFirst() } else if !rest.removeDigits() { return false }
        if rest.first == Ascii.point {
            rest.removeFirst()
            if !rest.removeDigits() { return false }
        }
        if rest.first == Ascii.e || rest.first == Ascii.e & ~0x20 {
            rest.removeFirst()
            if rest.first == Ascii.plus || rest.first == Ascii.minus { rest.removeFirst() }
            if !rest.removeDigits() { return false }
        }
        return rest.isEmpty
    }
}

extension Substring.UTF8View {
    /// Removes the digits at the start.
    /// - Returns: Whether there were any digits.
    fileprivate mutating func removeDigits() -> Bool {
        let digits = prefix(while: Ascii.isDigit)
        removeFirst(digits.count)
        return !digits.isEmpty
    }
}
