public import Foundation

extension Json {
    /// A string.
    /// - Parameter value: The text.
    public init(_ value: String) { storage = .string(value) }

    /// A truth value.
    /// - Parameter value: The truth.
    public init(_ value: Bool) { storage = .bool(value) }

    /// A number.
    /// - Parameter value: An integer of any width.
    public init(_ value: some BinaryInteger) {
        storage = Int64(exactly: value).map(Storage.integer) ?? .number(String(value))
    }

    /// A number, written with the fewest digits that read back as the same double; nil for infinities and NaN, which
    /// JSON does not have.
    /// - Parameter value: A finite value.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .double(value)
    }

    /// A number, written with the fewest digits that read back as the same float; nil for infinities and NaN, which
    /// JSON does not have.
    /// - Parameter value: A finite value.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        storage = .number(ByteWriter.text { $0.write(value) })
    }

    /// A number with exactly the digits of a decimal; nil for NaN.
    /// - Parameter value: A decimal.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        storage = .number(value.description)
    }

    /// An array.
    /// - Parameter elements: Its elements.
    public init(_ elements: some Sequence<Json>) { storage = .array(JsonArray(Array(elements))) }

    /// An object. Of members with the same key the first keeps its place and the last its value.
    /// - Parameter members: Keys and values, in order.
    public init(members: some Sequence<(key: String, value: Json)>) {
        storage = .object(JsonObject(members, lastWins: true))
    }
}

extension Json: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    /// The value `null`.
    public init(nilLiteral: ()) { storage = .null }

    /// A truth value.
    /// - Parameter value: The truth.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// A string.
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Json: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A number.
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { storage = .integer(value) }

    /// A number.
    /// - Parameter value: The number; a literal too large for a double is `null`.
    public init(floatLiteral value: Double) { self = Json(value) ?? .null }
}

extension Json: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array.
    /// - Parameter elements: Its elements.
    public init(arrayLiteral elements: Json...) { self.init(elements) }

    /// An object, its members in the order they are written.
    /// - Parameter elements: Keys and values. Of members with the same key the first keeps its place and the last its
    ///   value.
    public init(dictionaryLiteral elements: (String, Json)...) {
        self.init(members: elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}
