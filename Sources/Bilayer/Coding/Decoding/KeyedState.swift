/// The position of a keyed container in its object, and the keys that it has passed. Look-up tries the member after the
/// last one found first: types ask for their fields mostly in the order in which servers write them.
///
/// With equal keys the first one counts, and the shortcut must not change that. So two sets of 64 bits are kept: the
/// keys that were asked for, and a hash bit of each member that was passed over. A key outside both sets cannot be
/// before the cursor; any other is looked for from the start.
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
    var asked: UInt64 = 0
    var skipped: UInt64 = 0
    /// Index position of the last key that was found, or of the object, which is no key.
    var last = 0
    /// The entries of ``table`` that can be read by a key's one byte, and how many they are.
    var entries: UnsafePointer<EncodedKey>?
    var entryCount = 0

    /// What is known about the key type; `nil` where look-up goes by name only.
    var cache: UnsafeMutablePointer<KeyTypeCache<KeyedState>>?
    /// The table of the key type, or of its spellings; `nil` where look-up goes by name.
    var table: UnsafeMutablePointer<KeyTable>?
    /// The object's members by name: when keys are converted, or when many names are asked for.
    var names: MemberNames?
    var namesAsked = 0

    /// Whether the retainProbe is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedState>?
    /// What keeps everything valid after the frame has ended.
    var detachment: Detachment?
}
