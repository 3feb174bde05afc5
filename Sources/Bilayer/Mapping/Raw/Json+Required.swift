import Foundation

// Functions that throw the errors of scalars that cannot be read or written.
extension Json {
    /// Returns a value that was read from this JSON. Throws the reason if `value` is `nil`.
    func required<Value>(_ value: Value?) throws -> Value {
        if let value { return value }
        throw MappingError(unreadable(Value.self))
    }

    func requiredInteger<Integer: FixedWidthInteger>() throws -> Integer {
        if let value: Integer = integer() { return value }
        throw MappingError(unreadable(Integer.self))
    }

    /// Returns the JSON of a number. If `json` is `nil`, throws the error for a number that is not finite.
    static func required<Value>(_ json: Json?, of value: Value) throws -> Json {
        if let json { return json }
        throw MappingError(notFinite: Value.self)
    }

    private func unreadable(_ type: Any.Type) -> MappingIssue {
        let isNumberForNumber = kind == .number && type != Bool.self && type != String.self
        if !isNumberForNumber { return .wrongType(in: self, expected: type) }
        var issue = MappingIssue(.outOfRange, expected: typeName(type), found: found)
        issue.setOrigin(self)
        return issue
    }

    /// The number as the nearest float, made from its digits, so that it is rounded once.
    var float: Float? {
        guard let text = numberText, let value = Float(text), value.isFinite else { return nil }
        return value
    }
}

extension MappingError {
    /// Makes the error for a number that JSON cannot represent: an infinity or NaN.
    init(notFinite type: Any.Type) {
        self.init(MappingIssue(.invalidValue, expected: "a finite number", found: .init(type: typeName(type))))
    }
}
