/// The position of a value, as a step in a chain that leads to the root: a `codingPath` is made from it when one is
/// read.
///
/// **Bound.** ``outer`` points to a step that outlives this one: a step belongs to a frame of the running call, inner
/// frames end first, and whatever user code keeps longer is cut loose with its path spelled out (``Detachment``).
@safe
struct CodingPathNode {
    /// The step around this one; `nil` for the first.
    private let outer: UnsafePointer<CodingPathNode>?
    /// What names the step, kept alive by the code that made it; `nil` for an index or a position.
    private let source: Unmanaged<CodingKeySource>?
    /// With a source the number of its key. Without: an element's index from 0, or `~position` of the key of a member.
    private var number: Int

    /// The place of the whole document.
    init() {
        unsafe outer = nil
        unsafe source = nil
        number = 0
    }

    /// The place that a whole path leads to.
    init(base: CodingKeySource) {
        unsafe outer = nil
        unsafe source = .passUnretained(base)
        number = 0
    }

    /// The place of an element.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, index: Int) {
        unsafe self.outer = outer
        unsafe source = nil
        number = index
    }

    /// The place of the member whose key is at an index position.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, keyAt position: Int) {
        unsafe self.outer = outer
        unsafe source = nil
        number = ~position
    }

    /// The place that a key of a source names.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPathNode>, source: Unmanaged<CodingKeySource>, number: Int) {
        unsafe self.outer = outer
        unsafe self.source = source
        self.number = number
    }

    /// What the place's own key comes from, to be held by what lives longer than the call that named it.
    var heldSource: CodingKeySource? { unsafe source?.takeUnretainedValue() }

    /// The keys that lead here, outermost first. Positions are looked up in `nodes`.
    ///
    /// In one array of its final size, and without recursion: an error that the caller ignores costs little more than
    /// this, and the stack may be nearly full.
    func path(in nodes: JsonNodes?, and last: (any CodingKey)? = nil) -> [any CodingKey] {
        let count = keyCount + (last == nil ? 0 : 1)
        if count == 0 { return [] }
        return unsafe [any CodingKey](unsafeUninitializedCapacity: count) { keys, initialized in
            var position = count
            // Bound: the steps have `keyCount` keys together.
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

    /// How many keys lead here.
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
        if let source = unsafe source { return unsafe source._withUnsafeGuaranteedRef { $0.count } }
        return unsafe outer == nil ? 0 : 1
    }

    /// Calls the closure with the keys of this step, the last one first.
    private func putKeys(in nodes: JsonNodes?, _ put: (any CodingKey) -> Void) {
        if let source = unsafe source {
            unsafe source._withUnsafeGuaranteedRef { source in
                for part in stride(from: source.count - 1, through: 0, by: -1) { put(source.key(number, part: part)) }
            }
            return
        }
        guard unsafe outer != nil else { return }
        put(number >= 0 ? PathKey(index: number) : PathKey(nodes.map { $0.string(at: ~number) } ?? ""))
    }
}

/// Gives keys back from what a ``CodingPathNode`` remembers of them.
class CodingKeySource {
    /// How many keys a number stands for.
    var count: Int { 1 }

    /// The key that a number stands for, or one of them.
    func key(_ number: Int, part: Int) -> any CodingKey { PathKey("") }

    /// All keys that a number stands for.
    final func keys(_ number: Int) -> [any CodingKey] { (0..<count).map { key(number, part: $0) } }
}

/// A whole path, spelled out.
final class CodingPathBase: CodingKeySource {
    private let path: [any CodingKey]

    init(_ path: [any CodingKey]) { self.path = path }

    override var count: Int { path.count }

    override func key(_ number: Int, part: Int) -> any CodingKey { path[part] }
}

/// The keys of a type that are one byte each.
final class ByteCodingKeys<Key: CodingKey>: CodingKeySource {
    override func key(_ number: Int, part: Int) -> any CodingKey {
        // Bound: a number here comes from `KeyTable.number(of:)` of a key of this type, so it is a key's one byte or,
        // for a type of one case, nothing.
        if MemoryLayout<Key>.size == 0 { return unsafe unsafeBitCast((), to: Key.self) }
        return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: number), to: Key.self)
    }
}

/// A key that a path needs where the type has no key of its own: an element's index, or any name.
///
/// Three words, so that an array of keys holds it without memory of its own.
struct PathKey: CodingKey, Hashable {
    private let name: String
    private let index: Int

    /// Stands for no index: no array has one like it.
    private static let none = Int.min

    init(_ name: String) {
        self.name = name
        index = Self.none
    }

    init(index: Int) {
        name = ""
        self.index = index
    }

    /// The key of a dictionary: a type like `Int` reads itself from the number that the name is.
    init(ofDictionary name: String) {
        self.name = name
        index = Int(name) ?? Self.none
    }

    var stringValue: String { index != Self.none && name.isEmpty ? "Index \(index)" : name }

    var intValue: Int? { index == Self.none ? nil : index }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }

    /// The key of a superclass's value.
    static let `super` = PathKey("super")
}
