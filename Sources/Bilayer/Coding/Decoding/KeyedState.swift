/// The cursor of a keyed container in its object, and which keys may be before the cursor. Look-up tries the member
/// after the last one found first, because most types request fields in the order of the JSON.
///
/// Of equal keys the first one counts, and the cursor must not change that. The state therefore has two sets of 64
/// bits: the requested keys, and a hash bit of each skipped member. A key outside both sets cannot precede the cursor.
/// Any other key is searched from the first member on.
@safe
struct KeyedState: ContainerState {
    typealias Converted = DecodingKeyTable

    var retainProbe: AnyObject?
    var context: DecodingContext
    /// The context's nodes.
    var nodes: JsonNodes
    var object = 0
    var node: UnsafePointer<CodingPathNode>

    /// Index position of the key to try first.
    var cursor = 0
    /// Index position after the object.
    var end = 0
    var requested: UInt64 = 0
    var skipped: UInt64 = 0
    /// Index position of the last key that was found, or of the object, which is no key.
    var last = 0
    /// The entries of ``table`` that can be read by a key's one byte, and how many they are.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0

    /// The cache of the key type; `nil` if look-up is by name only.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedState>>?
    /// The table of the key type, or of its JSON keys; `nil` if look-up is by name.
    var table: UnsafeMutablePointer<KeyTable>?
    /// The object's members by name, for converted keys or for many look-ups by name.
    var names: MemberNames?
    var namesRequested = 0

    /// Whether the retainProbe is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedState>?
    /// The owner of everything that a detached container uses.
    var detachment: Detachment?
}
