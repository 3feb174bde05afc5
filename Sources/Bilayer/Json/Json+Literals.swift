public import Foundation

extension Json {
    /// Makes a string.
    /// - Parameter value: The text.
    public init(_ value: String) { storage = .string(value) }

    /// Makes a Boolean value.
    /// - Parameter value: The Boolean value.
    public init(_ value: Bool) { storage = .bool(value) }

    /// Makes a number.
    /// - Parameter value: An integer of any width.
    public init(_ value: some BinaryInteger) {
        storage = Int64(exactly: value).map(Storage.integer) ?? .number(String(value))
    }

    /// Makes a number with the fewest digits that read back as an equal double. Returns `nil` for infinities and NaN,
    /// which JSON cannot represent.
    /// - Parameter value: A finite value.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .double(value)
    }

    /// Makes a number with the fewest digits that read back as an equal float. Returns `nil` for infinities and NaN,
    /// which JSON cannot represent.
    /// - Parameter value: A finite value.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        storage = .number(ByteWriter.text { $0.write(value) })
    }

    /// Makes a number with exactly the digits of a decimal. Returns `nil` for NaN.
    /// - Parameter value: A decimal.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        storage = .number(value.description)
    }

    /// Makes an array.
    /// - Parameter elements: Its elements.
    public init(_ elements: some Sequence<Json>) { storage = .array(JsonArray(Array(elements))) }

    /// Makes an object from a literal, where the context does not determine the type: `Json(["id": 7])`.
    /// - Parameter members: Keys and values, in order. Of members with equal keys the first determines the position and
    ///   the last the value.
    public init(_ members: KeyValuePairs<String, Json>) { self.init(members: members) }

    /// Makes an object. Of members with equal keys the first determines the position and the last the value.
    /// - Parameter members: Keys and values, in order.
    public init(members: some Sequence<(key: String, value: Json)>) {
        storage = .object(JsonObject(members, lastWins: true))
    }
}

extension Json: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    /// The value `null`.
    public init(nilLiteral: ()) { storage = .null }

    /// Makes a Boolean value.
    /// - Parameter value: The Boolean value.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// Makes a string.
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Json: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Makes a number.
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { storage = .integer(value) }

    /// Makes a number.
    /// - Parameter value: The number. A literal too large for a `Double` becomes `null`.
    public init(floatLiteral value: Double) { self = Json(value) ?? .null }
}

extension Json: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Makes an array.
    /// - Parameter elements: Its elements.
    public init(arrayLiteral elements: Json...) { self.init(elements) }

    /// Makes an object, with the members in the order of the literal.
    /// - Parameter elements: Keys and values. Of members with equal keys the first determines the position and the last
    ///   the value.
    public init(dictionaryLiteral elements: (String, Json)...) {
        self.init(members: elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}
