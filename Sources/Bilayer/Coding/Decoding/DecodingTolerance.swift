/// Decides which of the values that cannot be read are left out. The mapping layer implements this protocol for
/// policies that salvage. A call with a tolerance is *tolerant*. In any other call, an error ends the decoding unless a
/// type catches it.
///
/// The protocol is for classes, because each call of a decoder tests whether there is a tolerance: an optional object
/// is tested without a copy.
protocol DecodingTolerance: AnyObject, Sendable {
    /// Reads the value of an optional property, element or member.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The value's coding path.
    ///   - read: Reads the value.
    /// - Returns: The value; `nil` if it is left out.
    /// - Throws: The error of `read`, if it is not tolerated.
    func optional<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ read: () throws -> Value
    ) throws -> Value?
}

/// A collection that can leave out single elements or members, or an optional that can leave out its value.
protocol SalvagedCollection {
    /// Whether a tolerant call reads the collection with ``salvaged(from:)``. False for a dictionary whose values store
    /// their own errors: the code that reads it leaves out the failed members.
    static var isSalvaged: Bool { get }

    /// Reads the collection without the elements that cannot be read.
    /// - Throws: An error if the value is not such a collection, if an element that cannot be read must not be left
    ///   out, or if too much would be left out. Also throws the `CancellationError` of an element.
    static func salvaged(from decoder: any Decoder) throws -> Self
}

extension SalvagedCollection {
    static var isSalvaged: Bool { true }
}

/// A decoder of a call that may be tolerant.
protocol TolerantDecoder: Decoder {
    /// Decides which values are left out; `nil` if the call is not tolerant.
    var tolerance: (any DecodingTolerance)? { get }
}
