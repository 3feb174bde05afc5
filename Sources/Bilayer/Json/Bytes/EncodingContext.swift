/// One encoding call at work: the settings, the frames of the values that are being written, and what is known about their types. A
/// handle of one word that costs nothing to copy.
///
/// **Bound.** The storage belongs to an ``EncodingSession`` and outlives every frame of its call. What user code keeps longer is
/// noticed when its frame ends (``takeBack(to:)``) and made harmless when the call ends (``ValueEncoder/end()``).
@safe
struct EncodingContext {
    private let storage: UnsafeMutablePointer<Storage>

    @safe
    struct Storage {
        /// What the caller of the running call lends; nil between two calls.
        var settings: UnsafePointer<JsonEncoder>?
        /// Whether keys are written as they are.
        var keepsKeys = true
        /// What names keys, if that goes by the key alone: held, so that no other can have its address.
        var naming: AnyObject?
        /// How many namings there were up to this one; 0 in calls without one.
        var namingNumber = 0
        var namingCount = 0
        var maximumDepth = 0
        /// What every call writes into.
        let sink = EncodingSink(capacity: 1024)
        var routes = TypeTable<EncodingRoute>()
        /// What ``routes`` were found out with.
        var scalars = ScalarFormats()
        var homes = unsafe TypeTable<UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>>()
        /// Those above ``depth`` are idle.
        var frames: UnsafeMutablePointer<Frame>
        var capacity: Int
        var depth = 0
        /// The keyed containers, and the further encoders, that the open frames have handed out, last first.
        var keyed: UnsafeMutablePointer<KeyedEncodingState>?
        var children: Unmanaged<ValueEncoder>?
        /// What user code has kept, to be told when the call ends.
        var kept: [ValueEncoder] = []
        /// Whether a key was written twice into one object.
        var hasDuplicates = false
        /// What user code did that no JSON can come of: an `EncodingError`.
        var misuse: (any Error)?
        /// Bytes of the last result: what to make room for.
        var lastSize = 1024
    }

    /// What the value of one type is written with.
    @safe
    struct Frame {
        var encoder: ValueEncoder?
        /// The encoder's, to be had without counting references.
        var slot: UnsafeMutablePointer<EncodingSlot>?
        var lent: UnsafeMutablePointer<Lent<any Encoder>>?
    }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// A handle to nothing, for encoders that belong to no call any more. They never look into it.
    nonisolated(unsafe) static let none = unsafe EncodingContext(.allocate(capacity: 1))

    /// The call's settings.
    var settings: JsonEncoder {
        // Bound: a call sets them before its first value is written, and nobody asks after it.
        unsafeAddress { unsafe storage.pointee.settings.unsafelyUnwrapped }
    }
    @inline(__always)
    var keepsKeys: Bool { unsafe storage.pointee.keepsKeys }

    /// The keys of a type as the call's naming writes them; nil if there is none, or they go by name.
    func writtenKeys(
        of home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<WrittenKeys>? {
        let naming = unsafe storage.pointee.namingNumber
        guard naming > 0, let keys = unsafe home.convertedKeys() else { return nil }
        unsafe keys.pointee.use(naming)
        return unsafe keys
    }

    /// How values of a type are written.
    @inline(__always)
    func route<Value: Encodable>(of type: Value.Type) -> EncodingRoute {
        unsafe storage.pointee.routes.traits(of: type) {
            EncodingRoute(type, settings)
        }
    }

    /// What is known about a key type.
    @inline(__always)
    func home<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<KeyedHome<KeyedEncodingState>> {
        unsafe storage.pointee.homes.traits(of: type) {
            unsafe .make(type, tricks: settings.tricks)
        }
    }

    /// Notes that a key was written twice: the last one counts, and the others are left out in the end.
    func noteDuplicate(_ key: String, in place: CodingPlace) {
        unsafe storage.pointee.hasDuplicates = true
        guard case .naming = settings.keys else { return }
        var issue = MappingIssue(
            .keyClash,
            severity: .warning,
            path: JsonPath(place.path(in: nil)).appending(.key(key)),
            detail: "two properties are written under this key"
        )
        issue.outcome = "the last one counts"
        issue.report()
    }

    /// Notes a mistake in user code that the interface gives no way to report at once.
    func noteMisuse(_ description: String, at place: CodingPlace) {
        guard unsafe storage.pointee.misuse == nil else { return }
        let path = place.path(in: nil)
        unsafe storage.pointee.misuse = EncodingError.invalidValue(
            description,
            .init(codingPath: path, debugDescription: description)
        )
    }
}

// MARK: - Frames

extension EncodingContext {
    /// What a frame found when it began, to be put back when it ends.
    @safe
    struct Mark {
        fileprivate let keyed: UnsafeMutablePointer<KeyedEncodingState>?
        fileprivate let children: Unmanaged<ValueEncoder>?
    }

    /// Writes a value through its type's own `encode(to:)`, in a frame of its own.
    @inline(__always)
    func encodePlain<Value: Encodable>(_ value: Value, _ place: CodingPlace, into sink: EncodingSink) throws -> Bool {
        try withEncoder(place, into: sink) { encoder in try value.encode(to: encoder) }
    }

    /// The same through a closure that gets the encoder.
    @inline(__always)
    func withEncoder(
        _ place: CodingPlace,
        into sink: EncodingSink,
        _ body: (any Encoder) throws -> Void
    ) throws -> Bool {
        let mark = try enter(place, sink)
        do {
            // Bound: `enter` has filled the frame below `depth`, and `leave` empties it.
            let encoder = unsafe storage.pointee.frames[storage.pointee.depth &- 1].lent.unsafelyUnwrapped
            try unsafe encoder.pointee.use(body)
        } catch {
            _ = leave(mark)
            throw error
        }
        return leave(mark)
    }

    @inline(__always)
    private func enter(_ place: CodingPlace, _ sink: EncodingSink) throws -> Mark {
        let depth = unsafe storage.pointee.depth
        let mark = unsafe Mark(keyed: storage.pointee.keyed, children: storage.pointee.children)
        let level = unsafe sink.top?.pointee.level ?? 0
        if unsafe level > storage.pointee.maximumDepth { throw tooDeep(place) }
        if unsafe depth < storage.pointee.capacity, let slot = unsafe storage.pointee.frames[depth].slot {
            unsafe slot.aim(at: sink, place)
        } else {
            try addEncoder(place, sink)
        }
        unsafe storage.pointee.depth = depth &+ 1
        return mark
    }

    @inline(never)
    private func tooDeep(_ place: CodingPlace) -> EncodingError {
        .invalidValue(
            settings.maximumDepth,
            .init(
                codingPath: place.path(in: nil),
                debugDescription: "More than \(settings.maximumDepth) arrays and objects inside each other."
            )
        )
    }

    @inline(never)
    private func addEncoder(_ place: CodingPlace, _ sink: EncodingSink) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.maximumFrames { throw tooDeep(place) }
        if unsafe depth == storage.pointee.capacity {
            let larger = UnsafeMutablePointer<Frame>.allocate(capacity: depth &* 2)
            unsafe larger.moveInitialize(from: storage.pointee.frames, count: depth)
            unsafe (larger + depth).initialize(repeating: Frame(), count: depth)
            unsafe storage.pointee.frames.deallocate()
            unsafe storage.pointee.frames = larger
            unsafe storage.pointee.capacity = depth &* 2
        }
        let encoder = ValueEncoder(self, sink, place)
        unsafe storage.pointee.frames[depth] = Frame(encoder: encoder, slot: encoder.slot, lent: encoder.lent)
    }

    /// Frames inside each other before an encoding is taken for one that never ends, though it opens no containers.
    private static var maximumFrames: Int { 4096 }

    /// Ends the frame; false if nothing was written.
    @inline(__always)
    private func leave(_ mark: Mark) -> Bool {
        let depth = unsafe storage.pointee.depth &- 1
        unsafe storage.pointee.depth = depth
        // Bound: the frame is filled since `enter`.
        let wasWritten = unsafe storage.pointee.frames[depth].slot.unsafelyUnwrapped.finish()
        let keyed = unsafe storage.pointee.keyed
        let children = unsafe storage.pointee.children?.toOpaque()
        if unsafe keyed != mark.keyed || children != mark.children?.toOpaque() { takeBack(to: mark) }
        let isFree = unsafe isKnownUniquelyReferenced(&storage.pointee.frames[depth].encoder)
        if !isFree { letGoEncoder(depth) }
        return wasWritten
    }

    @inline(never)
    private func letGoEncoder(_ depth: Int) {
        if let encoder = unsafe storage.pointee.frames[depth].encoder { keep(encoder) }
        unsafe storage.pointee.frames[depth] = Frame()
    }

    private func keep(_ encoder: ValueEncoder) {
        encoder.spellOutPath()
        unsafe storage.pointee.kept.append(encoder)
    }

    /// Takes back what was handed out since the mark; keeps what user code has kept.
    @inline(never)
    private func takeBack(to mark: Mark) {
        while let state = unsafe storage.pointee.keyed, unsafe state != mark.keyed {
            unsafe storage.pointee.keyed = state.pointee.next
            unsafe KeyedWriter(state).takeBack()
        }
        while let child = unsafe storage.pointee.children, unsafe child.toOpaque() != mark.children?.toOpaque() {
            var encoder: ValueEncoder? = unsafe child.takeRetainedValue()
            unsafe storage.pointee.children = encoder?.nextChild
            _ = encoder?.finish()
            if !isKnownUniquelyReferenced(&encoder), let encoder { keep(encoder) }
        }
    }

    /// A further encoder, for a value inside the one that a frame is for.
    func makeChild(_ place: CodingPlace, into sink: EncodingSink) -> ValueEncoder {
        let encoder = ValueEncoder(self, sink, place, holding: place.heldSource)
        unsafe encoder.nextChild = storage.pointee.children
        unsafe storage.pointee.children = .passRetained(encoder)
        return encoder
    }

    /// An encoder for a value at the end of a sink that may be written later, or not at all.
    func makeSuperEncoder(_ place: CodingPlace, in sink: EncodingSink) -> ValueEncoder {
        let later = EncodingSink(capacity: 0)
        sink.insert(later, at: sink.count)
        return makeChild(place, into: later)
    }

    /// Ends what user code has opened late, in something that it has kept.
    func finishKept() {
        for encoder in unsafe storage.pointee.kept { _ = encoder.finish() }
    }

    /// Notes that the innermost frame has handed out a keyed container.
    @inline(__always)
    func handOut(_ state: UnsafeMutablePointer<KeyedEncodingState>) {
        unsafe state.pointee.next = storage.pointee.keyed
        unsafe storage.pointee.keyed = state
    }
}
