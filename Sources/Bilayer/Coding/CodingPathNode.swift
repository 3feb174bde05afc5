/// The last component of a coding path, linked to the components before it. The `codingPath` array is made only where
/// it is needed: for example, for errors, and for code that reads the path.
///
/// **Bound.** ``outer`` points to a node that outlives this one. A node belongs to a value that is being read or
/// written (a frame). The frames of inner values end first. A coder or a container that user code retains after the
/// frame gets a copy of its whole path (``CodingPathBase``).
@safe
struct CodingPathNode {
    /// The node before this one; `nil` for the first.
    private let outer: UnsafePointer<CodingPathNode>?
    /// The source of this node's keys. `nil` for the whole document, for an element of an array, and for a member found
    /// by its position in the JSON index. Not retained: the code that made the source keeps it alive.
    private let source: Unmanaged<CodingKeySource>?
    /// With a source: the number of one of its keys. Without a source: the index of an element, or `~position` for
    /// the member whose key is at `position`.
    private var number: Int
}

extension CodingPathNode {
    /// Makes the node of the whole document.
    init() { unsafe self.init(outer: nil, source: nil, number: 0) }

    /// Makes the node of a whole path.
    init(base: CodingKeySource) { unsafe self.init(outer: nil, source: .passUnretained(base), number: 0) }

    /// Makes the node of an element.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, index: Int) {
        unsafe self.init(outer: outer, source: nil, number: index)
    }

    /// Makes the node of the member whose key is at an index position.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, keyAt position: Int) {
        unsafe self.init(outer: outer, source: nil, number: ~position)
    }

    /// Makes the node of the key with this number in a source.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, source: Unmanaged<CodingKeySource>, number: Int) {
        unsafe self.init(outer: outer, source: source, number: number)
    }
}

extension CodingPathNode {
    /// The source of the node's own keys. Code that uses the source after the call must retain it.
    var ownSource: CodingKeySource? { unsafe source?.takeUnretainedValue() }

    /// The coding path, outermost key first. Keys at index positions are read from `nodes`.
    ///
    /// Many errors are made only to be ignored, and each needs a path. So the array is allocated once, at its final
    /// size. The function is not recursive, because the stack may be nearly full.
    func path(in nodes: JsonNodes?, and last: (any CodingKey)? = nil) -> [any CodingKey] {
        let count = keyCount + (last == nil ? 0 : 1)
        if count == 0 { return [] }
        return unsafe [any CodingKey](unsafeUninitializedCapacity: count) { keys, initialized in
            var position = count
            // Bound: the nodes have `keyCount` keys together.
            func put(_ key: any CodingKey) {
                position -= 1
                unsafe keys.initializeElement(at: position, to: key)
            }
            if let last { put(last) }
            putKeys(in: nodes, put)
            var next = unsafe outer
            while let step = unsafe next {
                unsafe step.pointee.putKeys(in: nodes, put)
                unsafe next = step.pointee.outer
            }
            initialized = count
        }
    }

    /// The number of keys in the path.
    private var keyCount: Int {
        var count = ownKeyCount
        var next = unsafe outer
        while let step = unsafe next {
            count += unsafe step.pointee.ownKeyCount
            unsafe next = step.pointee.outer
        }
        return count
    }

    private var ownKeyCount: Int {
        if let source = unsafe source { return unsafe source._withUnsafeGuaranteedRef { $0.pathLength } }
        return unsafe outer == nil ? 0 : 1
    }

    /// Calls the closure with the keys of this node, the last one first.
    private func putKeys(in nodes: JsonNodes?, _ put: (any CodingKey) -> Void) {
        if let source = unsafe source {
            unsafe source._withUnsafeGuaranteedRef { source in
                for part in stride(from: source.pathLength - 1, through: 0, by: -1) {
                    put(source.key(number, part: part))
                }
            }
            return
        }
        guard unsafe outer != nil else { return }
        put(number >= 0 ? PathKey(index: number) : PathKey(nodes.map { $0.string(at: ~number) } ?? ""))
    }
}

/// A base class that returns the keys for the numbers that a ``CodingPathNode`` stores.
class CodingKeySource {
    /// The number of keys that one number represents. It is 1, except for a ``CodingPathBase``: its number represents
    /// all of its keys.
    var pathLength: Int { 1 }

    /// The names of all keys; none if they cannot be listed.
    var names: [String] { [] }

    /// Returns the key at index `part` among the keys that `number` represents.
    func key(_ number: Int, part: Int) -> any CodingKey { PathKey("") }
}

/// Keys of a coding path as an array: those of a whole path, or one key that has no number.
final class CodingPathBase: CodingKeySource {
    private let path: [any CodingKey]

    init(_ path: [any CodingKey]) { self.path = path }

    override var pathLength: Int { path.count }

    override func key(_ number: Int, part: Int) -> any CodingKey { path[part] }
}

/// The keys of a type whose values take one byte each, or no bytes if the type has only one value.
final class ByteCodingKeys<Key: CodingKey>: CodingKeySource {
    override var names: [String] { CaseCount.cases(of: Key.self)?.map(\.stringValue) ?? [] }

    override func key(_ number: Int, part: Int) -> any CodingKey {
        // Bound: the number comes from `KeyTable.number(of:)` of a key of this type. So the number is the key's one
        // byte, or 0 for a type of one case.
        if MemoryLayout<Key>.size == 0 { return unsafe unsafeBitCast((), to: Key.self) }
        return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: number), to: Key.self)
    }
}

/// A coding key that no type declares: the index of an element, or a name.
///
/// On 64-bit systems the key has three words, so an existential stores it without an allocation.
struct PathKey: UndeclaredKey, Hashable {
    private let name: String
    private let index: Int

    /// Marks a key without an index. No array has this index or the next one (``ofDictionary``).
    private static let none = Int.min
    /// Marks the key of a dictionary.
    private static let ofDictionary = Int.min + 1

    init(_ name: String) {
        self.name = name
        index = Self.none
    }

    init(index: Int) {
        name = ""
        self.index = index
    }

    /// Makes the key of a dictionary. For a name that is an integer, ``intValue`` is that integer: key types such as
    /// `Int` are made from it.
    init(ofDictionary name: String) {
        self.name = name
        index = Self.ofDictionary
    }

    var stringValue: String { index > Self.ofDictionary ? "Index \(index)" : name }

    var intValue: Int? {
        switch index {
        case Self.none: nil
        case Self.ofDictionary: Int(name)
        default: index
        }
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }

    /// The key of a superclass's value.
    static let `super` = PathKey("super")
}
