/// The state of a keyed container: the frame that it writes to, and the cache of its keys.
@safe
struct KeyedEncodingState: ContainerState {
    typealias Converted = EncodingKeyTable

    var retainProbe: AnyObject?
    var context: EncodingContext
    /// The frame of the container's value; owned by ``encoder``.
    var frame: UnsafeMutablePointer<EncodingFrame>
    /// The bytes of keys, indexed by a key's one byte, and the number of entries; `nil` if keys need the slow path.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0
    /// The cache of the key type; `nil` once the call has ended.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?
    /// The encoder of the container. Retained once user code retains the container; before that, the frame retains it.
    var encoder: Unmanaged<ValueEncoder>
    var retainedEncoder: ValueEncoder?
    /// The number of open frames when the container was registered.
    var depth = 0

    /// The coding path of a key, for a strategy that needs it. All but the last key are reused for the next one.
    var customPath: [any CodingKey] = []

    /// The key of the value that is being encoded, for keys without numbers; reused for the next one.
    var reusedKey: CodingKeySource?
    var isReusedKeyFree = true

    /// Whether the retainProbe is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedEncodingState>?
}
