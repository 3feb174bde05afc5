/// One running encoding call: the settings, the values that are being written (one ``EncodingFrame`` each), and the
/// caches for their types. The context is a handle of one word, which is copied without reference counting.
///
/// **Bound.** The storage belongs to an ``EncodingSession`` and outlives every frame of its call. If user code retains
/// an encoder or a container after its frame, this is detected at the end of the frame (``leave(_:)``). The encoder or
/// container is disconnected when the call or, in a ``ListEncoding``, the element ends (``ValueEncoder/end()``).
@safe
struct EncodingContext {
    let storage: UnsafeMutablePointer<Storage>

    @safe
    struct Storage {
        /// The settings, owned by the caller of the running call; `nil` between two calls.
        var settings: UnsafePointer<JsonEncoder>?
        /// Whether keys are written without a conversion.
        var keepsKeys = true
        /// The identity of the last naming (``KeyNaming``). It is retained, so that no other naming can have the same
        /// address.
        var naming: AnyObject?
        /// The number of the running call's naming, counted from 1 per session; 0 in calls without a naming.
        var namingNumber = 0
        var namingCount = 0
        var maximumDepth = 0
        /// The first segment of every call.
        let segment = OutputSegment(capacity: 1024)
        var fastPaths = TypeTable<EncodingFastPath>()
        /// The registered formats with which ``fastPaths`` were made.
        var scalars = ScalarFormats()
        var keyTypeCaches = unsafe TypeTable<UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>>()
        /// One encoder for each frame. The encoders from index ``depth`` on are idle.
        var encoders: UnsafeMutablePointer<OpenEncoder>
        var capacity: Int
        var depth = 0
        /// The keyed containers and child encoders that the open frames have registered, last first.
        var keyed: UnsafeMutablePointer<KeyedEncodingState>?
        var children: Unmanaged<ValueEncoder>?
        /// The encoders that user code retains. They are disconnected when the call ends or, in a list, the element.
        var detached: [ValueEncoder] = []
        /// The size of the last result in bytes. The capacity for the next result depends on it.
        var lastSize = 1024
    }

    /// The objects that write the value of one frame.
    @safe
    struct OpenEncoder {
        var encoder: ValueEncoder?
        /// The encoder's properties of the same names, stored here so that reading them needs no reference counting.
        var frame: UnsafeMutablePointer<EncodingFrame>?
        var uncounted: UnsafeMutablePointer<Borrowed<any Encoder>>?
    }

    /// The maximum number of encoders that an idle session keeps, and of containers that one frame leaves for reuse.
    static var maximumIdle: Int { 32 }

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

    /// A handle without valid storage, for encoders of ended calls, which never read it.
    nonisolated(unsafe) static let none = unsafe EncodingContext(.allocate(capacity: 1))

    /// The call's settings.
    var settings: JsonEncoder {
        // Bound: a call sets the settings before its first value is written. They are not read after the call.
        unsafeAddress { unsafe storage.pointee.settings.unsafelyUnwrapped }
    }
    /// The maximum nesting of arrays and objects.
    @inline(__always)
    var maximumDepth: Int { unsafe storage.pointee.maximumDepth }
    @inline(__always)
    var keepsKeys: Bool { unsafe storage.pointee.keepsKeys }
    /// Whether keys are converted by their names alone: by a naming, or to snake case.
    @inline(__always)
    var convertsNames: Bool { unsafe storage.pointee.namingNumber > 0 }

    /// Returns the JSON keys that the call's naming makes for a type; `nil` without a naming, or if keys are written by
    /// name.
    func writtenKeys(
        of cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<EncodingKeyTable>? {
        let naming = unsafe storage.pointee.namingNumber
        guard naming > 0, let keys = unsafe cache.convertedKeys() else { return nil }
        unsafe keys.pointee.use(naming)
        return unsafe keys
    }

    /// The call's first segment, which receives the value.
    var segment: OutputSegment { unsafe storage.pointee.segment }

    /// Records a repeated key before it is written into an object that already has the key. When the whole value is
    /// complete, only the last member with the key is kept. If two properties have the key, because of a naming or
    /// paths, the clash is reported.
    func recordRepeated(_ key: String, isClash: Bool, in node: CodingPathNode, _ segment: OutputSegment) {
        guard isClash else { return segment.recordRepeatedKey(clash: nil) }
        let path = node.path(in: nil)
        let object = settings.keys.naming.map { JsonPath(path, convertedBy: $0) } ?? JsonPath(path)
        segment.recordRepeatedKey(clash: object.appending(.key(key)))
    }

    /// Reports that two properties have the same JSON key, once for each path. This function is called after both were
    /// written.
    /// - Throws: ``MappingError`` with all clashes under a policy that treats warnings as errors.
    func report(_ clashes: [JsonPath]) throws {
        if clashes.isEmpty { return }
        var reported: Set<JsonPath> = []
        let issues = clashes.filter { reported.insert($0).inserted }.map(Self.clash)
        if IssueLog.current?.policy.treatsWarningsAsErrors == true, let error = MappingError(refusing: issues) {
            throw error
        }
        for issue in issues { issue.report() }
    }

    private static func clash(at path: JsonPath) -> MappingIssue {
        var issue = MappingIssue(
            .keyClash,
            severity: .warning,
            path: path,
            detail: "two properties are written under this key"
        )
        issue.outcome = "the last one counts"
        issue.namedComponents = path.components.count
        return issue
    }

    /// Records a mistake in user code where the `Encoder` protocol does not allow throwing.
    /// - Parameters:
    ///   - description: The mistake.
    ///   - node: The coding path for the error.
    ///   - frame: The frame of the value with the mistake. If the value fails and is removed, the mistake is removed
    ///     with it.
    func recordMisuse(_ description: String, at node: CodingPathNode, in frame: UnsafeMutablePointer<EncodingFrame>) {
        unsafe frame.pointee.segment.recordMisuse(at: frame.pointee.start) {
            EncodingError.invalidValue(
                description,
                .init(codingPath: node.path(in: nil), debugDescription: description)
            )
        }
    }
}
