/// What a type's `encode(to:)` gets: an encoder for one value, which is its own single-value container.
///
/// As with ``ValueDecoder``, the same object is aimed at one value after another as long as it is not kept.
@safe
final class ValueEncoder {
    let frame: UnsafeMutablePointer<EncodingFrame>
    private var owner: FrameOwner
    /// The call. Not to be used after it, which ``hasEnded`` tells.
    let context: EncodingContext
    /// The encoder as user code gets it, without a counted reference: a frame then neither retains nor releases it (5 %
    /// of encoding; `-D BILAYER_COUNTED_REFERENCES` measures it).
    ///
    /// **Bound.** Used only while a frame's list owns the object. The existential is made with one reference, which
    /// `init` gives up at once, and freed without giving up another.
    let uncounted: UnsafeMutablePointer<Borrowed<any Encoder>>
    private var endedUserInfo: [CodingUserInfoKey: Any]?
    /// How many frames were open when the encoder was handed out.
    var depth = 0
    /// Whether the encoder's container is around the value of the frame that has handed it out, and ends.
    var isInUse = false
    /// The next of the encoders that a frame has handed out.
    var nextChild: Unmanaged<ValueEncoder>?

    /// Makes an encoder for the value of a slot.
    init(_ context: EncodingContext, _ owner: FrameOwner) {
        self.context = context
        self.owner = owner
        unsafe self.frame = owner.frame
        unsafe uncounted = .allocate(capacity: 1)
        unsafe uncounted.initialize(to: Borrowed(self))
        unsafe Unmanaged.passUnretained(self).release()
    }

    deinit {
        // Not deinitialised: that would release this object.
        unsafe uncounted.deallocate()
    }

    /// An encoder of a call that has ended.
    static func ended(path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) -> ValueEncoder {
        let base = CodingPathBase(path)
        let owner = unsafe FrameOwner(.dead, CodingPathNode(base: base), isRunning: false, holding: base)
        let encoder = unsafe ValueEncoder(.none, owner)
        encoder.endedUserInfo = userInfo
        return encoder
    }

    /// Elements written so far.
    var elementCount: Int { unsafe frame.pointee.count }

    /// Begins the next element; nil after the end of the call.
    @inline(__always)
    func beginElement() -> BegunValue? { unsafe frame.begin() }

    /// Removes an element whose value has failed.
    func discard(_ begun: BegunValue) {
        unsafe frame.pointee.count &-= 1
        begun.discard()
    }

    /// The place of the value itself.
    var node: CodingPathNode { unsafe frame.pointee.node.pointee }

    /// The place of an element, if the value is an array.
    func node(ofElement index: Int) -> CodingPathNode {
        unsafe CodingPathNode(in: UnsafePointer(frame.pointee.node), index: index)
    }

    var hasEnded: Bool { endedUserInfo != nil }

    /// Ends the value. An encoder that was handed out and not used leaves `{}`.
    func finish() {
        unsafe frame.settleIfUnwritten()
        unsafe frame.finish()
    }

    /// Whether the encoder can be aimed at another value. Not after a container: what is inside that may be in use.
    var isReusable: Bool {
        guard unsafe frame.pointee.form == .scalar else { return false }
        return isKnownUniquelyReferenced(&owner)
    }

    /// Aims at the value that is written next into a sink.
    func reset(to segment: OutputSegment, _ node: CodingPathNode) {
        finish()
        owner.keySource = node.heldSource
        unsafe frame.reset(to: segment, node)
    }

    /// Makes the encoder independent of its frame, which ends.
    func detach() {
        let base = CodingPathBase(codingPath)
        owner.keySource = base
        unsafe frame.pointee.node.pointee = CodingPathNode(base: base)
        // A value that wrote nothing until its frame ended cannot be written any more.
        if unsafe frame.pointee.isRunning, unsafe frame.pointee.form == .nothing { unsafe frame.pointee.form = .scalar }
        unsafe frame.pointee.isRunning = false
        unsafe frame.pushIfUnwritten()
        unsafe frame.pointee.segment.noteDetached(frame)
    }

    /// Makes an encoder that user code has kept harmless, when its call ends: what is written to it goes nowhere.
    func end() {
        endedUserInfo = context.settings.userInfo
        unsafe frame.pointee.segment = .dead
        unsafe frame.pointee.isOpen = false
    }

    var codingPath: [any CodingKey] { unsafe frame.pointee.node.pointee.path(in: nil) }

    var userInfo: [CodingUserInfoKey: Any] { endedUserInfo ?? context.settings.userInfo }
}
