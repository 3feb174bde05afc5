// Literals: `patch.nickname = "Ada"` makes a value. `patch.age = nil` makes a `null`, which clears the field.

extension Field: ExpressibleByNilLiteral {
    /// Makes ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension Field: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// Makes a value.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self = .value(Value(unicodeScalarLiteral: value))
    }
}

extension Field: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Makes a value.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Field: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Makes a value.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Field: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Makes a value.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Field: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// Makes a value.
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Field: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Makes a value.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

extension Field: ExpressibleByArrayLiteral where Value: RangeReplaceableCollection & ExpressibleByArrayLiteral {
    /// Makes a value.
    public init(arrayLiteral elements: Value.Element...) { self = .value(Value(elements)) }
}

extension Field: ExpressibleByDictionaryLiteral where Value: MembersInitializable {
    /// Makes a value.
    public init(dictionaryLiteral members: (Value.Key, Value.Value)...) { self = .value(Value(literal: members)) }
}

/// A type that a dictionary literal can make in a ``Field``: a dictionary or ``Json``.
public protocol MembersInitializable: ExpressibleByDictionaryLiteral {
    /// Makes the value from the members of a literal.
    init(literal members: [(Key, Value)])
}

extension Dictionary: MembersInitializable {
    /// Makes a dictionary from the members of a literal. Of members with equal keys, the last one counts.
    public init(literal members: [(Key, Value)]) { self.init(members, uniquingKeysWith: { $1 }) }
}

extension Json: MembersInitializable {
    /// Makes an object from the members of a literal.
    public init(literal members: [(String, Json)]) { self.init(members: members.map { (key: $0.0, value: $0.1) }) }
}
