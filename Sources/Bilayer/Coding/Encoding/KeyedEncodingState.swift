/// The state of a keyed encoding container: the frame that it writes into, and the cache of its key type.
@safe
struct KeyedEncodingState: ContainerState {
    typealias Converted = EncodingKeyTable

    var retainProbe: AnyObject?
    var context: EncodingContext
    /// The frame of the container's value; owned by ``encoder``.
    var frame: UnsafeMutablePointer<EncodingFrame>
    /// The bytes to write for keys, indexed by a key's number, and the number of entries. `nil` if each key needs the
    /// slow path.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0
    /// The cache of the key type; `nil` if the container was made after the end of the call.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?
    /// The encoder of the container. The frame retains it while the frame is open. Afterwards ``retainedEncoder``
    /// retains it, if user code retains the container.
    var encoder: Unmanaged<ValueEncoder>
    var retainedEncoder: ValueEncoder?
    /// The number of open frames when the container was registered.
    var depth = 0

    /// The coding path of a key, for a custom key strategy. For the next key, only the last component is replaced.
    var customPath: [any CodingKey] = []

    /// The key of the value that is being encoded, for keys without numbers. The object is reused for the next key.
    var reusedKey: CodingKeySource?
    var isReusedKeyFree = true

    /// Whether the standard library's box around the container is reused. If true, ``retainProbe`` is that box.
    var reusesBox = false
    var next: UnsafeMutablePointer<KeyedEncodingState>?
}
