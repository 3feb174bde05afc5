/// What a type's `init(from:)` gets: a decoder aimed at one value, which is its own single-value container.
///
/// One object is aimed at one value after another, as long as it is not kept. A decoder that user code keeps holds all
/// it needs (``detach()``). Being an object is what makes keeping it visible, by its count of references.
final class ValueDecoder {
    let state: DecoderState
    private(set) var detachment: Detachment?

    private let keySource: CodingKeySource?

    /// Makes a decoder.
    /// - Parameters:
    ///   - state: What it is aimed at.
    ///   - keySource: What its place gets its key from, if nothing else holds that.
    init(_ state: DecoderState, holding keySource: CodingKeySource? = nil) {
        self.state = state
        self.keySource = keySource
    }

    deinit { state.deallocate() }

    /// Makes the decoder independent of its call: it keeps the document, the settings and its path.
    func detach() {
        let detachment = Detachment(state.context, path: state.path)
        state.move(to: detachment)
        self.detachment = detachment
    }

    /// A decoder for a value that is not there.
    static func forNull(_ settings: JsonDecoder, path: [any CodingKey]) -> ValueDecoder {
        let detachment = Detachment(ofNull: settings, path: path)
        let decoder = ValueDecoder(DecoderState(detachment.context, 0, detachment.place))
        decoder.detachment = detachment
        return decoder
    }
}
