/// The kind of a coder that is not this library's.
enum OtherCoder {
    /// Foundation's coder for JSON. It writes and reads every `Decimal` by its digits. Its key strategies do not
    /// convert the keys of `[String: …]`.
    case foundationJson
    /// Foundation's coder for property lists. It writes `null` as the string `$null`, and `Decimal` as an object.
    case propertyList
    /// A coder of another library, or of the app.
    case unknown

    /// - Parameter coder: The type of an encoder or a decoder. Foundation's types are private, so they are identified
    ///   by name.
    init(_ coder: Any.Type) {
        let name = String(reflecting: coder)
        if !name.hasPrefix("Foundation") {
            self = .unknown
        } else if name.contains("JSON") {
            self = .foundationJson
        } else {
            self = name.contains("Plist") || name.contains("PropertyList") ? .propertyList : .unknown
        }
    }
}

/// A decoder that wraps another decoder. Code that needs this library's own decoder takes it from ``base``.
protocol WrappingDecoder: Decoder {
    /// The wrapped decoder.
    var base: any Decoder { get }
}

extension Decoder {
    /// The decoder inside of all wrappers.
    var unwrapped: any Decoder { (self as? any WrappingDecoder)?.base.unwrapped ?? self }
}
