/// Leaves out values that cannot be read, instead of failing. The mapping layer implements it for a policy that
/// salvages. Without it, the first error ends the decoding.
protocol DecodingTolerance: Sendable {
    /// Reads the value of an optional property.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The value's coding path.
    ///   - read: Reads the value.
    /// - Returns: The value; nil if it is left out.
    /// - Throws: An error that is not tolerated.
    func optional<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ read: () throws -> Value
    ) throws -> Value?
}

/// A collection that can leave out its elements or members, each by itself.
protocol SalvagedCollection {
    /// Whether the collection leaves out elements by this protocol and not by other means.
    static var isSalvaged: Bool { get }

    /// Reads the collection without the elements that cannot be read.
    /// - Throws: An error if the value is not such a collection, or if too much would be left out.
    static func salvaged(from decoder: any Decoder) throws -> Self
}

extension SalvagedCollection {
    static var isSalvaged: Bool { true }
}

/// A decoder of a call that may be tolerant.
protocol TolerantDecoder: Decoder {
    /// What the call leaves out; nil if its first error ends it.
    var tolerance: (any DecodingTolerance)? { get }
}
