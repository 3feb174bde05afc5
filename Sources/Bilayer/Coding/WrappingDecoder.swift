/// A decoder that adds to another one: types that read from this library's decoder alone read from the one inside.
protocol WrappingDecoder: Decoder {
    /// The decoder inside.
    var base: any Decoder { get }
}
