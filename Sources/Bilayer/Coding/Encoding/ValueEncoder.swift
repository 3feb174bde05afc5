/// The argument of a type's `encode(to:)`: an encoder for one value. The encoder is also the single-value container for
/// this value.
///
/// Like a ``ValueDecoder``, one object serves one value after another, as long as user code does not retain it.
@safe
final class ValueEncoder {
    let frame: UnsafeMutablePointer<EncodingFrame>
    private(set) var owner: FrameOwner
    /// The call. It must not be used once ``hasEnded`` is true.
    let context: EncodingContext
    /// The encoder as user code receives it, without a counted reference, so that a frame neither retains nor releases
    /// the encoder. This saves up to 6 % of the instructions. The compiler flag `-D BILAYER_COUNTED_REFERENCES`
    /// disables it, for measurements.
    ///
    /// **Bound.** Used only while ``EncodingContext/Storage/encoders`` owns the object. The existential is made with
    /// one reference, which `init` releases at once. `deinit` frees it without releasing another reference.
    let uncounted: UnsafeMutablePointer<Borrowed<any Encoder>>
    private var endedUserInfo: [CodingUserInfoKey: Any]?
    /// The number of open frames when the encoder was registered.
    var depth = 0
    /// Set when the frame that registered the encoder ends: whether the encoder's container encloses the value of that
    /// frame.
    var isInUse = false
    /// The next of the encoders that a frame has registered.
    var nextChild: Unmanaged<ValueEncoder>?

    /// Makes an encoder for the value of a frame.
    init(_ context: EncodingContext, _ owner: FrameOwner) {
        self.context = context
        self.owner = owner
        unsafe self.frame = owner.frame
        unsafe uncounted = .allocate(capacity: 1)
        unsafe uncounted.initialize(to: Borrowed(self))
        unsafe Unmanaged.passUnretained(self).release()
    }

    deinit {
        // The memory is freed without deinitializing it, because deinitializing would release this object.
        unsafe uncounted.deallocate()
    }

    /// Makes an encoder of a call that has ended. Writing to it throws, or has no effect.
    static func ended(path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) -> ValueEncoder {
        let base = CodingPathBase(path)
        let owner = unsafe FrameOwner(.dead, CodingPathNode(base: base), isRunning: false, holding: base)
        let encoder = unsafe ValueEncoder(.none, owner)
        encoder.endedUserInfo = userInfo
        return encoder
    }

    /// The number of elements written so far.
    var elementCount: Int { unsafe frame.pointee.count }

    /// Begins the next element; returns `nil` after the end of the call.
    @inline(__always)
    func beginElement() -> BegunValue? { unsafe frame.begin() }

    /// Removes an element whose value failed.
    func discard(_ begun: BegunValue) {
        unsafe frame.pointee.count &-= 1
        begun.discard()
    }

    /// The coding path of the value.
    var node: CodingPathNode { unsafe frame.pointee.node.pointee }

    /// Returns the coding path of an element. The value must be an array.
    func node(ofElement index: Int) -> CodingPathNode {
        unsafe CodingPathNode(in: UnsafePointer(frame.pointee.node), index: index)
    }

    var hasEnded: Bool { endedUserInfo != nil }

    /// Ends the value. A registered encoder to which nothing was written leaves `{}`.
    func finish() {
        unsafe frame.settleIfUnwritten()
        unsafe frame.finish()
    }

    /// Whether the encoder can be reset to another value. False if its value is unwritten, and if it is a container,
    /// because the container's contents may be in use.
    var isReusable: Bool {
        guard unsafe frame.pointee.form == .scalar else { return false }
        return isKnownUniquelyReferenced(&owner)
    }

    /// Points the encoder at the next value of a segment.
    func reset(to segment: OutputSegment, _ node: CodingPathNode) {
        finish()
        owner.keySource = node.ownSource
        unsafe frame.reset(to: segment, node)
    }

    /// Makes the encoder independent of the ending frame that has registered it.
    func detach() {
        let base = CodingPathBase(codingPath)
        owner.keySource = base
        unsafe frame.pointee.node.pointee = CodingPathNode(base: base)
        // If the `encode(to:)` of the frame has written nothing, the value cannot be written later.
        if unsafe frame.pointee.isRunning, unsafe frame.pointee.form == .nothing { unsafe frame.pointee.form = .scalar }
        unsafe frame.pointee.isRunning = false
        unsafe frame.pushIfUnwritten()
        unsafe frame.pointee.segment.recordDetached(frame)
    }

    /// Disconnects a detached encoder from its ending call. Later writes throw; where the `Encoder` protocol does not
    /// allow throwing, they have no effect.
    func end() {
        endedUserInfo = context.settings.userInfo
        unsafe frame.pointee.segment = .dead
        unsafe frame.pointee.isOpen = false
    }

    var codingPath: [any CodingKey] { unsafe frame.pointee.node.pointee.path(in: nil) }

    /// The settings of the call, if the app made them. `nil` if the mapping layer made them, and after the end of the
    /// call.
    var settingsOfApp: JsonEncoder? { hasEnded || context.settings.isOfMapping ? nil : context.settings }

    var userInfo: [CodingUserInfoKey: Any] { endedUserInfo ?? context.settings.userInfo }
}
