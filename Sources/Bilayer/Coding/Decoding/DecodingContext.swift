/// One running decoding call: the text, the settings, the values that are being made, and the caches for their types. A
/// frame is the making of one value by its `init(from:)`, or of one collection. The context is a handle of one word,
/// which containers copy without reference counting.
///
/// **Bound.** The storage belongs to a ``DecodingSession`` and outlives every frame of its call. Each decoder and each
/// container has an object with a reference count. A count above one at the end of a frame shows that user code retains
/// the decoder or container. That decoder or container then gets a storage of its own (``Detachment``). So no handle to
/// the call's storage is left when the call has ended.
@safe
struct DecodingContext {
    let storage: UnsafeMutablePointer<Storage>

    @safe
    struct Storage {
        var nodes: JsonNodes
        /// The document and the settings are owned by the caller during a call, and by the ``Detachment`` in a detached
        /// storage.
        var document: Unmanaged<JsonDocument>?
        var settings: UnsafePointer<JsonDecoder>
        /// Whether the storage belongs to a ``Detachment``, which outlives the call. Such a storage is never written.
        var isDetached = false
        /// Whether look-up differs from the default: a strategy converts keys, or the last of several members with the
        /// same key is read.
        var needsSpecialLookup = false
        /// The names that the key strategy has converted so far.
        var convertedNames: NameCache?
        /// The keys converted from snake case, in this call and in earlier calls; `nil` in calls with other look-ups.
        var activeSnakeCaseCache: UnsafeMutablePointer<KeyConversionCache>?
        /// The session's cache, kept between the calls. ``activeSnakeCaseCache`` points to it in calls that convert
        /// from snake case.
        var snakeCaseCache: UnsafeMutablePointer<KeyConversionCache>?
        /// The number of the running call's naming (``KeyNaming``), counted from 1 per session. It is 0 without a
        /// naming, and for a document in which the last of several members with the same key is read.
        var namingNumber = 0
        /// The number of changes of the naming in the session, and the last naming.
        var namingCount = 0
        var naming: AnyObject?
        /// Whether the running task may have an issue log (``IssueLog/current``). If it has one, failures are recorded
        /// in the log.
        var hasLog = false
        /// Whether values that cannot be read may be left out.
        var isTolerant = false
        /// The budget of a tolerant call for elements that it reads twice.
        var trialBudget = TrialBudget()
        /// Whether dates are RFC 3339 strings, which is the common case.
        var hasRFC3339Dates = false
        var fastPaths = TypeTable<DecodingFastPath>()
        /// The cached texts of errors about types. They make the errors of `try?` chains cheap.
        var failureTexts = TypeTable<FailureTexts>()
        /// The registered formats with which ``fastPaths`` were made.
        var scalars = ScalarFormats()
        var keyTypeCaches = unsafe TypeTable<UnsafeMutablePointer<KeyTypeCache<KeyedDecodingState>>>()
        /// One decoder for each frame. The decoders from index ``depth`` on are idle.
        var decoders: UnsafeMutablePointer<ValueDecoder?>
        var capacity: Int
        var depth = 0
        /// The keyed containers and child decoders that the open frames have registered, last first.
        var keyed: UnsafeMutablePointer<KeyedDecodingState>?
        var children: Unmanaged<ValueDecoder>?
        var root = CodingPathNode()
    }

    /// The maximum number of decoders that an idle session keeps, and of containers that one frame leaves for reuse.
    static var maximumIdle: Int { 32 }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// The text and its index.
    @inline(__always)
    var nodes: JsonNodes { unsafe storage.pointee.nodes }
    @inline(__always)
    var isDetached: Bool { unsafe storage.pointee.isDetached }
    @inline(__always)
    var needsSpecialLookup: Bool { unsafe storage.pointee.needsSpecialLookup }
    /// The names that the key strategy has converted so far; `nil` with the default look-up, and in a detached storage.
    var convertedNames: NameCache? {
        guard needsSpecialLookup, !isDetached else { return nil }
        if unsafe storage.pointee.convertedNames == nil {
            unsafe storage.pointee.convertedNames = NameCache(limit: 1000)
        }
        return unsafe storage.pointee.convertedNames
    }
    /// The keys converted from snake case; `nil` in calls with other look-ups.
    @inline(__always)
    var activeSnakeCaseCache: UnsafeMutablePointer<KeyConversionCache>? { unsafe storage.pointee.activeSnakeCaseCache }
    /// The number of the call's naming, or 0 (``DecodingContext/Storage/namingNumber``).
    @inline(__always)
    var namingNumber: Int { unsafe storage.pointee.namingNumber }
    @inline(__always)
    var isTolerant: Bool { unsafe storage.pointee.isTolerant }
    /// The budget of a tolerant call for elements that it reads twice.
    var trialBudget: TrialBudget {
        get { unsafe storage.pointee.trialBudget }
        nonmutating set { unsafe storage.pointee.trialBudget = newValue }
    }
    @inline(__always)
    var hasRFC3339Dates: Bool { unsafe storage.pointee.hasRFC3339Dates }
    /// Whether the first of several members with the same key is read, and not the last.
    var firstWins: Bool { document?.repeatedKeys != .lastWins }
    var settings: JsonDecoder { unsafe storage.pointee.settings.pointee }
    var document: JsonDocument? { unsafe storage.pointee.document?.takeUnretainedValue() }
    /// Whether values are read as with the default settings (``JsonDecoder/isPlain``).
    var hasPlainSettings: Bool { unsafe storage.pointee.settings.pointee.isPlain }

    /// Whether the mapping layer made the settings.
    var isOfMapping: Bool { unsafe storage.pointee.settings.pointee.isOfMapping }
    /// A number that identifies the call while it runs.
    var call: Int { unsafe Int(bitPattern: storage) }
    /// The coding path of the call's value.
    var root: CodingPathNode { unsafe storage.pointee.root }

    /// Returns the texts of errors about a type.
    func failureTexts(of type: Any.Type) -> FailureTexts {
        // Several tasks may share a detached storage, so nothing is cached in it.
        if isDetached { return FailureTexts(type) }
        return unsafe storage.pointee.failureTexts.value(for: type) { FailureTexts(type) }
    }
}

extension DecodingContext.Storage {
    /// Frees everything that the storage owns.
    func destroy() {
        unsafe snakeCaseCache?.pointee.deallocate()
        unsafe snakeCaseCache?.deinitialize(count: 1)
        unsafe snakeCaseCache?.deallocate()
        fastPaths.deallocate()
        failureTexts.deallocate()
        unsafe keyTypeCaches.deallocate { cache in unsafe cache.destroy() }
        unsafe decoders.deinitialize(count: capacity)
        unsafe decoders.deallocate()
    }
}
