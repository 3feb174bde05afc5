/// The state of a keyed container: its cursor in the object, and the keys that may precede the cursor. Look-up first
/// tries the member after the furthest one found so far, because most types request fields in the order of the JSON.
///
/// If a key is repeated, its first member is read, even if the cursor is after that member. (In a document whose
/// parsing options choose the last member, keys are looked up in ``names`` instead.) To know which keys may precede
/// the cursor, the state has two sets of 64 bits: the keys that were found, and a hash bit of each skipped member. A
/// key in neither set cannot precede the cursor. A key in one of the sets is searched from the first member on.
@safe
struct KeyedDecodingState: ContainerState {
    typealias Converted = DecodingKeyTable

    var retainProbe: AnyObject?
    var context: DecodingContext
    /// The context's nodes.
    var nodes: JsonNodes
    var object = 0
    var node: UnsafePointer<CodingPathNode>

    /// The index position of the key to try first.
    var cursor = 0
    /// The index position after the object.
    var end = 0
    var requested: UInt64 = 0
    var skipped: UInt64 = 0
    /// The index position of the furthest key that was found. Before the first key is found, it is the position of the
    /// object, at which there is no key.
    var last = 0
    /// The entries of ``table``, indexed by a key's one byte, and their number.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0

    /// The cache of the key type; `nil` in a detached container (``detachment``), which looks up all keys by name.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedDecodingState>>?
    /// The table of the key type, or of its JSON keys; `nil` if look-up is by name.
    var table: UnsafeMutablePointer<KeyTable>?
    /// The object's members by name, for converted keys or for many look-ups by name.
    var names: MemberNames?
    var namesRequested = 0

    /// Whether the standard library's box around the container is reused. If true, ``retainProbe`` is that box.
    var reusesBox = false
    var next: UnsafeMutablePointer<KeyedDecodingState>?
    /// For a detached container, which user code keeps after its object is read: the owner of its document, its
    /// settings and its path. Otherwise `nil`.
    var detachment: Detachment?
}
