/// One decoding call at work: the text, the settings, the frames of the values that are being made, and what is known
/// about their types. A handle of one word that costs nothing to copy, so that containers can carry it without
/// reference counting.
///
/// **Bound.** The storage belongs to a ``DecodingSession`` and outlives every frame of its call. Decoders and
/// containers that user code keeps are noticed when their frame ends, because each is counted by one object, and are
/// then given a storage of their own (``Detachment``). So no handle is left when a call has ended.
@safe
struct DecodingContext {
    let storage: UnsafeMutablePointer<Storage>

    @safe
    struct Storage {
        var nodes: JsonNodes
        /// Both are lent for the length of a call, and by the detachment for a storage that outlived its call.
        var document: Unmanaged<JsonDocument>?
        var settings: UnsafePointer<JsonDecoder>
        /// Whether this is the storage of something that outlived its call. Such a storage is never written.
        var isDetached = false
        /// Whether keys are looked up by names that differ from those in the text, or by the last of equal names.
        var convertsKeys = false
        /// What the key strategy made of names so far.
        var convertedNames: DecodedNameCache?
        /// What conversion from snake case made of keys, in this call and in those before; nil in calls that look keys
        /// up otherwise.
        var conversions: UnsafeMutablePointer<KeyConversionCache>?
        /// The conversions, kept for the next call that needs them.
        var keptConversions: UnsafeMutablePointer<KeyConversionCache>?
        /// The naming that spells the keys of the running call, 0 if there is none: 1 for the session's first, and so
        /// on.
        var namingNumber = 0
        /// How many namings the session has had, and the last of them.
        var namingCount = 0
        var naming: AnyObject?
        /// Whether dates are RFC 3339 strings, the usual case.
        var hasRFC3339Dates = false
        var routes = TypeTable<DecodingFastPath>()
        /// What errors about types say, so that `try?` in chains of attempts is cheap.
        var failureTexts = TypeTable<FailureTexts>()
        /// What ``routes`` were found out with.
        var scalars = ScalarFormats()
        var keyTypeCaches = unsafe TypeTable<UnsafeMutablePointer<KeyTypeCache<KeyedState>>>()
        /// One decoder for each frame; those above ``depth`` are idle.
        var decoders: UnsafeMutablePointer<ValueDecoder?>
        var capacity: Int
        var depth = 0
        /// The keyed containers, and the further decoders, that the open frames have handed out, last first.
        var keyed: UnsafeMutablePointer<KeyedState>?
        var children: Unmanaged<ValueDecoder>?
        var root = CodingPathNode()
    }

    /// Containers and decoders of one kind that are kept for the next call.
    static var mostIdle: Int { 32 }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// The text and its index.
    @inline(__always)
    var nodes: JsonNodes { unsafe storage.pointee.nodes }
    @inline(__always)
    var isDetached: Bool { unsafe storage.pointee.isDetached }
    @inline(__always)
    var convertsKeys: Bool { unsafe storage.pointee.convertsKeys }
    /// What the key strategy made of names so far; nil where keys are not converted, and for what user code has kept.
    var convertedNames: DecodedNameCache? {
        guard convertsKeys, !isDetached else { return nil }
        if unsafe storage.pointee.convertedNames == nil { unsafe storage.pointee.convertedNames = DecodedNameCache() }
        return unsafe storage.pointee.convertedNames
    }
    /// What conversion from snake case made of keys; nil where keys are looked up otherwise.
    @inline(__always)
    var conversions: UnsafeMutablePointer<KeyConversionCache>? { unsafe storage.pointee.conversions }
    /// Which naming spells the keys, 0 if none does.
    @inline(__always)
    var namingNumber: Int { unsafe storage.pointee.namingNumber }
    @inline(__always)
    var hasRFC3339Dates: Bool { unsafe storage.pointee.hasRFC3339Dates }
    /// Whether the first of two equal keys counts.
    var firstWins: Bool { document?.repeatedKeys != .lastWins }
    var settings: JsonDecoder { unsafe storage.pointee.settings.pointee }
    var document: JsonDocument? { unsafe storage.pointee.document?.takeUnretainedValue() }
    /// The place of the value that the call is for.
    var root: CodingPathNode { unsafe storage.pointee.root }

    /// How values of a type are made.
    @inline(__always)
    func route<Value: Decodable>(of type: Value.Type) -> DecodingFastPath {
        unsafe storage.pointee.routes.traits(of: type) {
            unsafe DecodingFastPath(type, storage.pointee.settings.pointee)
        }
    }

    /// What errors about a type say.
    func failureTexts(of type: Any.Type) -> FailureTexts {
        // Tasks share a storage that is detached.
        if isDetached { return FailureTexts(type) }
        return unsafe storage.pointee.failureTexts.traits(of: type) { FailureTexts(type) }
    }

    /// What is known about a key type.
    @inline(__always)
    func keyTypeCache<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<KeyTypeCache<KeyedState>> {
        unsafe storage.pointee.keyTypeCaches.traits(of: type) {
            unsafe .make(type, optimizations: storage.pointee.settings.pointee.optimizations)
        }
    }
}

extension DecodingContext.Storage {
    /// Frees what the storage owns.
    func destroy() {
        unsafe keptConversions?.pointee.deallocate()
        unsafe keptConversions?.deinitialize(count: 1)
        unsafe keptConversions?.deallocate()
        routes.deallocate()
        failureTexts.deallocate()
        unsafe keyTypeCaches.deallocate { cache in unsafe cache.destroy() }
        unsafe decoders.deinitialize(count: capacity)
        unsafe decoders.deallocate()
    }
}
