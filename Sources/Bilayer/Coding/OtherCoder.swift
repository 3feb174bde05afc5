/// What is known of a coder that is not this library's.
enum OtherCoder {
    /// Foundation's for JSON: it writes and reads every `Decimal` by its digits, and leaves keys of `[String: …]` as
    /// they are.
    case foundationJson
    /// Foundation's for property lists: it writes `null` as the string `$null`, and `Decimal` as an object.
    case propertyList
    case unknown

    /// - Parameter coder: The type of an encoder or a decoder. Foundation's are private, so they are known by their
    ///   names.
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

/// A decoder that adds to another one: types that read from this library's decoder alone read from the one inside.
protocol WrappingDecoder: Decoder {
    /// The decoder inside.
    var base: any Decoder { get }
}
