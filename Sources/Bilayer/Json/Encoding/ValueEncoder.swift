/// What a type's `encode(to:)` gets: an encoder for one value, which is its own single-value container.
///
/// As with ``ValueDecoder``, the same object is aimed at one value after another as long as nobody keeps it.
@safe
final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    let slot: UnsafeMutablePointer<EncodingSlot>
    private var owner: SlotOwner
    /// The call. Not to be used after it, which ``hasEnded`` tells.
    let context: EncodingContext
    /// The encoder as user code gets it. It does not own the object, or nobody could tell whether user code has kept that.
    let lent: UnsafeMutablePointer<Lent<any Encoder>>
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
        unsafe lent = .allocate(capacity: 1)
        unsafe lent.initialize(to: Lent(self))
        unsafe Unmanaged.passUnretained(self).release()
    }

    deinit {
        // Freed without ending what it refers to, which is this object.
        unsafe lent.deallocate()
    }

    /// An encoder of a call that has ended.
    static func ended(path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) -> ValueEncoder {
        let base = CodingPathBase(path)
        let owner = unsafe SlotOwner(.dead, CodingPlace(base: base), isRunning: false, holding: base)
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
    var place: CodingPlace { unsafe slot.pointee.place.pointee }

    /// The place of an element, if the value is an array.
    func place(ofElement index: Int) -> CodingPlace {
        unsafe CodingPlace(in: UnsafePointer(slot.pointee.place), index: index)
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
    func aim(at sink: EncodingSink, _ place: CodingPlace) {
        finish()
        owner.keySource = place.heldSource
        unsafe slot.aim(at: sink, place)
    }

    /// Makes the encoder independent of its frame, which ends.
    func letGo() {
        let base = CodingPathBase(codingPath)
        owner.keySource = base
        unsafe slot.pointee.place.pointee = CodingPlace(base: base)
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

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if open(.object) { return context.keyedContainer(type, of: self) }
        return context.keyedContainer(type, of: astray(.object))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array) ? UnkeyedWriting(self) : UnkeyedWriting(astray(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Makes the value a container of a form; false if it has another form. True after the call, whose context is gone.
    @inline(__always)
    private func open(_ form: EncodingSlot.Form) -> Bool {
        if unsafe slot.pointee.sink.isDead { return true }
        guard unsafe slot.open(form) else { return false }
        if unsafe slot.pointee.level > context.maximumDepth { context.noteTooDeep(at: place) }
        return true
    }

    /// An encoder that writes nowhere: the call fails in the end.
    @inline(never)
    private func astray(_ form: EncodingSlot.Form) -> ValueEncoder {
        context.noteMisuse("A second value of another form at one place.", at: place)
        let nowhere = unsafe slot.pointee.sink.makeSink(level: 0, isPart: true)
        let child = context.makeChild(place, into: nowhere)
        _ = child.open(form)
        return child
    }
}

// MARK: - A single value

extension ValueEncoder {
    /// The sink, if it is this value's turn.
    @inline(__always)
    private func begin(_ value: some Any) throws -> EncodingSink {
        let sink = unsafe slot.pointee.sink
        guard unsafe slot.pointee.form == .nothing, !sink.isDead else {
            throw refusal(of: value)
        }
        unsafe slot.pointee.form = .scalar
        return sink
    }

    private func refusal(of value: some Any) -> EncodingError {
        let description = hasEnded ? "The encoding has ended." : "A second value at one place."
        return .invalidValue(value, .init(codingPath: codingPath, debugDescription: description))
    }

    private func floatingPoint(_ value: some WritableFloatingPoint) throws {
        if value.isFinite { return value.write(to: try begin(value)) }
        guard !hasEnded else { throw refusal(of: value) }
        let text = try context.text(ofNonConforming: value) { codingPath }
        try begin(value).write(text)
    }

    func encodeNil() throws { try begin(Any?.none as Any).write(literal: "null") }

    func encode<Value: Encodable>(_ value: Value) throws {
        let sink = try begin(value)
        let begun = unsafe BegunValue(at: slot.pointee.start, of: sink)
        do {
            try context.encodeMember(value, by: context.route(of: Value.self), place, into: sink)
        } catch {
            begun.takeBack()
            unsafe slot.pointee.form = .nothing
            throw error
        }
    }

    func encode(_ value: Bool) throws { try begin(value).write(value) }

    func encode(_ value: String) throws { try begin(value).write(value) }

    func encode(_ value: Double) throws {
        try floatingPoint(value)
    }

    func encode(_ value: Float) throws {
        try floatingPoint(value)
    }

    func encode(_ value: Int) throws { try begin(value).write(value) }

    func encode(_ value: Int8) throws { try begin(value).write(value) }

    func encode(_ value: Int16) throws { try begin(value).write(value) }

    func encode(_ value: Int32) throws { try begin(value).write(value) }

    func encode(_ value: Int64) throws { try begin(value).write(value) }

    func encode(_ value: UInt) throws { try begin(value).write(value) }

    func encode(_ value: UInt8) throws { try begin(value).write(value) }

    func encode(_ value: UInt16) throws { try begin(value).write(value) }

    func encode(_ value: UInt32) throws { try begin(value).write(value) }

    func encode(_ value: UInt64) throws { try begin(value).write(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try begin(value).write(ascii: value.description) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try begin(value).write(ascii: value.description) }
}
