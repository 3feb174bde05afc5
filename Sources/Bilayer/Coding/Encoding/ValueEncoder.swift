/// What a type's `encode(to:)` gets: an encoder for one value, which is its own single-value container.
///
/// As with ``ValueDecoder``, the same object is aimed at one value after another as long as it is not kept.
@safe
final class ValueEncoder {
    let slot: UnsafeMutablePointer<EncodingFrame>
    private var owner: SlotOwner
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
    init(_ context: EncodingContext, _ owner: SlotOwner) {
        self.context = context
        self.owner = owner
        unsafe self.slot = owner.slot
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
        let owner = unsafe SlotOwner(.dead, CodingPathNode(base: base), isRunning: false, holding: base)
        let encoder = unsafe ValueEncoder(.none, owner)
        encoder.endedUserInfo = userInfo
        return encoder
    }

    /// Elements written so far.
    var elementCount: Int { unsafe slot.pointee.count }

    /// Begins the next element; nil after the end of the call.
    @inline(__always)
    func beginElement() -> BegunValue? { unsafe slot.begin() }

    /// Removes an element whose value has failed.
    func takeBack(_ begun: BegunValue) {
        unsafe slot.pointee.count &-= 1
        begun.takeBack()
    }

    /// The place of the value itself.
    var place: CodingPathNode { unsafe slot.pointee.place.pointee }

    /// The place of an element, if the value is an array.
    func place(ofElement index: Int) -> CodingPathNode {
        unsafe CodingPathNode(in: UnsafePointer(slot.pointee.place), index: index)
    }

    var hasEnded: Bool { endedUserInfo != nil }

    /// Ends the value. An encoder that was handed out and not used leaves `{}`.
    func finish() {
        unsafe slot.settleIfUnwritten()
        unsafe slot.finish()
    }

    /// Whether the encoder can be aimed at another value. Not after a container: what is inside that may be in use.
    var isReusable: Bool {
        guard unsafe slot.pointee.form == .scalar else { return false }
        return isKnownUniquelyReferenced(&owner)
    }

    /// Aims at the value that is written next into a sink.
    func aim(at sink: OutputSegment, _ place: CodingPathNode) {
        finish()
        owner.keySource = place.heldSource
        unsafe slot.aim(at: sink, place)
    }

    /// Makes the encoder independent of its frame, which ends.
    func letGo() {
        let base = CodingPathBase(codingPath)
        owner.keySource = base
        unsafe slot.pointee.place.pointee = CodingPathNode(base: base)
        // A value that wrote nothing until its frame ended cannot be written any more.
        if unsafe slot.pointee.isRunning, unsafe slot.pointee.form == .nothing { unsafe slot.pointee.form = .scalar }
        unsafe slot.pointee.isRunning = false
        unsafe slot.waitForValue()
        unsafe slot.pointee.sink.noteKept(slot)
    }

    /// Makes an encoder that user code has kept harmless, when its call ends: what is written to it goes nowhere.
    func end() {
        endedUserInfo = context.settings.userInfo
        unsafe slot.pointee.sink = .dead
        unsafe slot.pointee.isOpen = false
    }

    var codingPath: [any CodingKey] { unsafe slot.pointee.place.pointee.path(in: nil) }

    var userInfo: [CodingUserInfoKey: Any] { endedUserInfo ?? context.settings.userInfo }
}
