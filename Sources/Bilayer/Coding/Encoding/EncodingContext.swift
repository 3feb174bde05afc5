/// One encoding call at work: the settings, the frames of the values that are being written, and what is known about
/// their types. A handle of one word that costs nothing to copy.
///
/// **Bound.** The storage belongs to an ``EncodingSession`` and outlives every frame of its call. What user code keeps
/// longer is noticed when its frame ends (``finish(_:to:)``) and made harmless when the call ends
/// (``ValueEncoder/end()``).
@safe
struct EncodingContext {
    let storage: UnsafeMutablePointer<Storage>

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
        let segment = OutputSegment(capacity: 1024)
        var routes = TypeTable<EncodingFastPath>()
        /// What ``routes`` were found out with.
        var scalars = ScalarFormats()
        var keyTypeCaches = unsafe TypeTable<UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>>()
        /// Those above ``depth`` are idle.
        var encoders: UnsafeMutablePointer<OpenEncoder>
        var capacity: Int
        var depth = 0
        /// The keyed containers, and the further encoders, that the open frames have handed out, last first.
        var keyed: UnsafeMutablePointer<KeyedEncodingState>?
        var children: Unmanaged<ValueEncoder>?
        /// What user code has kept, to be told when the call ends.
        var detached: [ValueEncoder] = []
        /// Whether a key was written twice into one object.
        var hasDuplicates = false
        /// What user code did that no JSON can come of: an `EncodingError`.
        var misuse: (any Error)?
        /// Bytes of the last result: what to make room for.
        var lastSize = 1024
    }

    /// What the value of one type is written with.
    @safe
    struct OpenEncoder {
        var encoder: ValueEncoder?
        /// The encoder's, to be had without counting references.
        var frame: UnsafeMutablePointer<EncodingFrame>?
        var uncounted: UnsafeMutablePointer<Borrowed<any Encoder>>?
    }

    /// How many frames, and how many containers of one frame, are kept for the next one.
    static var mostIdle: Int { 32 }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// A handle to nothing, for encoders that belong to no call any more. They never look into it.
    nonisolated(unsafe) static let none = unsafe EncodingContext(.allocate(capacity: 1))

    /// The call's settings.
    var settings: JsonEncoder {
        // Bound: a call sets them before its first value is written, and they are not read after it.
        unsafeAddress { unsafe storage.pointee.settings.unsafelyUnwrapped }
    }
    /// How many arrays and objects may be inside each other.
    @inline(__always)
    var maximumDepth: Int { unsafe storage.pointee.maximumDepth }
    @inline(__always)
    var keepsKeys: Bool { unsafe storage.pointee.keepsKeys }

    /// The keys of a type as the call's naming writes them; nil if there is none, or they go by name.
    func writtenKeys(
        of cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<EncodingKeyTable>? {
        let naming = unsafe storage.pointee.namingNumber
        guard naming > 0, let keys = unsafe cache.convertedKeys() else { return nil }
        unsafe keys.pointee.use(naming)
        return unsafe keys
    }

    /// How values of a type are written.
    @inline(__always)
    func route<Value: Encodable>(of type: Value.Type) -> EncodingFastPath {
        unsafe storage.pointee.routes.traits(of: type) {
            EncodingFastPath(type, settings)
        }
    }

    /// What is known about a key type.
    @inline(__always)
    func keyTypeCache<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>> {
        unsafe storage.pointee.keyTypeCaches.traits(of: type) {
            unsafe .make(type, optimizations: settings.optimizations)
        }
    }

    /// Notes that a key was written twice: the last one counts, and the others are left out in the end.
    func noteDuplicate(_ key: String, in node: CodingPathNode) {
        unsafe storage.pointee.hasDuplicates = true
        guard case .naming = settings.keys else { return }
        var issue = MappingIssue(
            .keyClash,
            severity: .warning,
            path: JsonPath(node.path(in: nil)).appending(.key(key)),
            detail: "two properties are written under this key"
        )
        issue.outcome = "the last one counts"
        issue.report()
    }

    /// Notes a mistake in user code that the interface gives no way to report at once.
    func noteMisuse(_ description: String, at node: CodingPathNode) {
        guard unsafe storage.pointee.misuse == nil else { return }
        let path = node.path(in: nil)
        unsafe storage.pointee.misuse = EncodingError.invalidValue(
            description,
            .init(codingPath: path, debugDescription: description)
        )
    }
}
