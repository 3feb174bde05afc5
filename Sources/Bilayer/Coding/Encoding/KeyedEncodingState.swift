/// What a keyed container writes to, and what is known about its keys.
@safe
struct KeyedEncodingState: ContainerState {
    typealias Converted = EncodingKeyTable

    var retainProbe: AnyObject?
    var context: EncodingContext
    /// The value that the container is; it belongs to ``encoder``.
    var frame: UnsafeMutablePointer<EncodingFrame>
    /// What to write for keys, by their one byte, and for how many of them; `nil` where it is not as simple as that.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0
    /// What is known about the key type; `nil` once the call has ended.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?
    /// The encoder whose container this is. Held once user code has kept the container; before, the frame holds it.
    var encoder: Unmanaged<ValueEncoder>
    var heldEncoder: ValueEncoder?
    /// How many frames were open when the container was handed out.
    var depth = 0

    /// The path of a key, for a strategy that asks for it: all but the last key are used again for the next one.
    var customPath: [any CodingKey] = []

    /// The key of the value that is being encoded, where keys have no numbers; used again for the next one.
    var reusedKey: CodingKeySource?
    var isReusedKeyFree = true

    /// Whether the retainProbe is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedEncodingState>?
}
