/// One running encoding call: the settings, the frames of the values that are being written, and the caches for their
/// types. A handle of one word, copied without cost.
///
/// **Bound.** The storage belongs to an ``EncodingSession`` and outlives every frame of its call. What user code
/// retains longer is detected when its frame ends (``finish(_:to:)``). It is disconnected when the call ends
/// (``ValueEncoder/end()``).
@safe
struct EncodingContext {
    let storage: UnsafeMutablePointer<Storage>

    @safe
    struct Storage {
        /// The settings, owned by the caller of the running call; nil between two calls.
        var settings: UnsafePointer<JsonEncoder>?
        /// Whether keys are written as they are.
        var keepsKeys = true
        /// The identity of the naming, if keys depend on their names alone. Retained, so that no other naming can have
        /// its address.
        var naming: AnyObject?
        /// The number of namings used up to this one; 0 in calls without a naming.
        var namingNumber = 0
        var namingCount = 0
        var maximumDepth = 0
        /// The first segment of every call.
        let segment = OutputSegment(capacity: 1024)
        var fastPaths = TypeTable<EncodingFastPath>()
        /// The registered formats for which ``fastPaths`` is valid.
        var scalars = ScalarFormats()
        var keyTypeCaches = unsafe TypeTable<UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>>()
        /// The encoders of the frames. Those from ``depth`` on are idle.
        var encoders: UnsafeMutablePointer<OpenEncoder>
        var capacity: Int
        var depth = 0
        /// The keyed containers and further encoders that the open frames have registered, last first.
        var keyed: UnsafeMutablePointer<KeyedEncodingState>?
        var children: Unmanaged<ValueEncoder>?
        /// The encoders that user code retains, disconnected when the call ends.
        var detached: [ValueEncoder] = []
        /// The size of the last result in bytes, which is the capacity to reserve.
        var lastSize = 1024
    }

    /// The objects that write the value of one frame.
    @safe
    struct OpenEncoder {
        var encoder: ValueEncoder?
        /// The encoder's, to be had without counting references.
        var frame: UnsafeMutablePointer<EncodingFrame>?
        var uncounted: UnsafeMutablePointer<Borrowed<any Encoder>>?
    }

    /// The maximum number of idle frames, and of idle containers of one key type.
    static var mostIdle: Int { 32 }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// A handle without storage, for encoders of ended calls. They never read it.
    nonisolated(unsafe) static let none = unsafe EncodingContext(.allocate(capacity: 1))

    /// The call's settings.
    var settings: JsonEncoder {
        // Bound: a call sets the settings before its first value is written. They are not read after it.
        unsafeAddress { unsafe storage.pointee.settings.unsafelyUnwrapped }
    }
    /// The maximum nesting of arrays and objects.
    @inline(__always)
    var maximumDepth: Int { unsafe storage.pointee.maximumDepth }
    @inline(__always)
    var keepsKeys: Bool { unsafe storage.pointee.keepsKeys }

    /// The keys of a type as the call's naming converts them; nil without a naming, or if keys are written by name.
    func writtenKeys(
        of cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<EncodingKeyTable>? {
        let naming = unsafe storage.pointee.namingNumber
        guard naming > 0, let keys = unsafe cache.convertedKeys() else { return nil }
        unsafe keys.pointee.use(naming)
        return unsafe keys
    }

    /// The segment for the value that the call is for.
    var segment: OutputSegment { unsafe storage.pointee.segment }

    /// Records a key before it is written into an object that has it already. The last member counts, and the others
    /// are removed at the end.
    func noteRepeated(_ key: String, in node: CodingPathNode, _ segment: OutputSegment) {
        var clash: JsonPath?
        if case .naming = settings.keys { clash = JsonPath(node.path(in: nil)).appending(.key(key)) }
        segment.noteRepeatedKey(clash: clash)
    }

    /// Reports a key that two properties have, after both are written.
    func reportClash(at path: JsonPath) {
        var issue = MappingIssue(
            .keyClash,
            severity: .warning,
            path: path,
            detail: "two properties are written under this key"
        )
        issue.outcome = "the last one counts"
        issue.namedComponents = 1
        issue.report()
    }

    /// Records a mistake in user code where the interface cannot throw.
    /// - Parameters:
    ///   - description: The mistake.
    ///   - node: The coding path for the error.
    ///   - frame: The value with which the mistake is removed if it fails.
    func noteMisuse(_ description: String, at node: CodingPathNode, in frame: UnsafeMutablePointer<EncodingFrame>) {
        unsafe frame.pointee.segment.noteMisuse(at: frame.pointee.start) {
            EncodingError.invalidValue(
                description,
                .init(codingPath: node.path(in: nil), debugDescription: description)
            )
        }
    }
}
