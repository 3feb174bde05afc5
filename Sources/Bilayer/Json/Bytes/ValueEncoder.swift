/// What a type's `encode(to:)` gets: an encoder for one value, which is its own single-value container.
///
/// As with ``ValueDecoder``, the same object is aimed at one value after another as long as nobody keeps it.
@safe
final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    let slot: UnsafeMutablePointer<EncodingSlot>
    /// The call. Not to be used after it, which ``hasEnded`` tells.
    let context: EncodingContext
    /// The encoder as user code gets it. It does not own the object, or nobody could tell whether user code has kept that.
    let lent: UnsafeMutablePointer<Lent<any Encoder>>
    private var keySource: CodingKeySource?
    private var endedUserInfo: [CodingUserInfoKey: Any]?
    /// The next of the encoders that a frame has handed out.
    var nextChild: Unmanaged<ValueEncoder>?

    /// Makes an encoder for the value that is written next into a sink.
    /// - Parameters:
    ///   - context: The call.
    ///   - sink: Where to write.
    ///   - place: The value's place.
    ///   - keySource: What the place gets its key from, if nothing else holds that.
    init(
        _ context: EncodingContext,
        _ sink: EncodingSink,
        _ place: CodingPlace,
        holding keySource: CodingKeySource? = nil
    ) {
        self.context = context
        self.keySource = keySource
        let placeStorage = UnsafeMutablePointer<CodingPlace>.allocate(capacity: 1)
        unsafe placeStorage.initialize(to: place)
        unsafe slot = .allocate(capacity: 1)
        unsafe slot.initialize(to: EncodingSlot(sink: sink, place: placeStorage))
        unsafe lent = .allocate(capacity: 1)
        unsafe slot.aim(at: sink, place)
        unsafe lent.initialize(to: Lent(self))
        unsafe Unmanaged.passUnretained(self).release()
    }

    deinit {
        // Freed without ending what it refers to, which is this object.
        unsafe lent.deallocate()
        if hasEnded { unsafe slot.pointee.sink.deallocate() }
        unsafe slot.pointee.place.deallocate()
        unsafe slot.deinitialize(count: 1)
        unsafe slot.deallocate()
    }

    /// An encoder of a call that has ended.
    static func ended(path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) -> ValueEncoder {
        let base = CodingPathBase(path)
        let encoder = unsafe ValueEncoder(.none, .makeDead(), CodingPlace(base: base), holding: base)
        encoder.endedUserInfo = userInfo
        return encoder
    }

    /// Elements written so far.
    var elementCount: Int { unsafe slot.pointee.count }

    /// The sink, ready for the next element; nil after the end of the call.
    @inline(__always)
    func beginElement() -> EncodingSink? { unsafe slot.begin() }

    /// The place of the value itself.
    var place: CodingPlace { unsafe slot.pointee.place.pointee }

    /// The place of an element, if the value is an array.
    func place(ofElement index: Int) -> CodingPlace {
        unsafe CodingPlace(in: UnsafePointer(slot.pointee.place), index: index)
    }

    var hasEnded: Bool { endedUserInfo != nil }

    /// Ends the value; false if nothing was written.
    @inline(__always)
    func finish() -> Bool { unsafe slot.finish() }

    /// Makes the path independent of the frames around.
    func spellOutPath() {
        let base = CodingPathBase(codingPath)
        keySource = base
        unsafe slot.pointee.place.pointee = CodingPlace(base: base)
    }

    /// Makes an encoder that user code has kept harmless, when its call ends: what is written to it goes nowhere.
    func end() {
        endedUserInfo = context.settings.userInfo
        unsafe slot.pointee.sink = .makeDead()
        unsafe slot.pointee.isOpen = false
    }

    var codingPath: [any CodingKey] { unsafe slot.pointee.place.pointee.path(in: nil) }

    var userInfo: [CodingUserInfoKey: Any] { endedUserInfo ?? context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.object)
        return context.keyedContainer(type, of: self)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array)
        return UnkeyedWriting(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    @inline(__always)
    private func open(_ form: EncodingSlot.Form) {
        if unsafe !slot.open(form), !hasEnded { noteSecondForm() }
    }

    @inline(never)
    private func noteSecondForm() {
        context.noteMisuse("A second value of another form at one place.", at: place)
    }
}

// MARK: - A single value

extension ValueEncoder {
    /// The sink, if it is this value's turn.
    @inline(__always)
    private func begin(_ value: some Any) throws -> EncodingSink {
        let sink = unsafe slot.pointee.sink
        guard unsafe slot.pointee.form == .nothing, unsafe sink.count == slot.pointee.start, !sink.isDead else {
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
        let sink = try begin(value)
        if value.isFinite { return value.write(to: sink) }
        try context.writeNonConforming(value, unsafe slot.pointee.place.pointee, into: sink)
    }

    func encodeNil() throws { try begin(Any?.none as Any).write(literal: "null") }

    func encode<Value: Encodable>(_ value: Value) throws {
        let sink = try begin(value)
        let place = unsafe slot.pointee.place.pointee
        // A value that writes nothing leaves this one as it was.
        if try !context.encode(value, place, into: sink) { unsafe slot.pointee.form = .nothing }
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
