/// Where a value stands, as a step in a chain that leads to the root: what a `codingPath` is made from when somebody looks.
///
/// **Bound.** ``outer`` points to a step that outlives this one: a step belongs to a frame of the running call, inner frames
/// end first, and whatever user code keeps longer is cut loose with its path spelled out (``Detachment``).
@safe
struct CodingPlace {
    /// The step around this one; `nil` for the first.
    private let outer: UnsafePointer<CodingPlace>?
    /// What names the step, kept alive by whoever made it; `nil` for an index or a position.
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
    init(in outer: UnsafePointer<CodingPlace>, index: Int) {
        unsafe self.outer = outer
        unsafe source = nil
        number = index
    }

    /// The place of the member whose key stands at an index position.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPlace>, keyAt position: Int) {
        unsafe self.outer = outer
        unsafe source = nil
        number = ~position
    }

    /// The place that a key of a source names.
    @inline(__always)
    init(in outer: UnsafePointer<CodingPlace>, source: Unmanaged<CodingKeySource>, number: Int) {
        unsafe self.outer = outer
        unsafe self.source = source
        self.number = number
    }

    /// What the place's own key comes from, to be held by what lives longer than the call that named it.
    var heldSource: CodingKeySource? { unsafe source?.takeUnretainedValue() }

    /// The keys that lead here, outermost first. Positions are looked up in `nodes`.
    func path(in nodes: JsonNodes?) -> [any CodingKey] {
        var steps = [keys(in: nodes)]
        var next = unsafe outer
        while let step = unsafe next {
            steps.append(unsafe step.pointee.keys(in: nodes))
            unsafe next = step.pointee.outer
        }
        return steps.reversed().flatMap(\.self)
    }

    private func keys(in nodes: JsonNodes?) -> [any CodingKey] {
        if let source = unsafe source { return unsafe source._withUnsafeGuaranteedRef { $0.keys(number) } }
        guard unsafe outer != nil else { return [] }
        if number >= 0 { return [PathKey(index: number)] }
        guard let nodes else { return [] }
        return [PathKey(nodes.string(at: ~number))]
    }
}

/// Gives keys back from what a ``CodingPlace`` remembers of them.
class CodingKeySource {
    /// The key, or keys, that a number stands for.
    func keys(_ number: Int) -> [any CodingKey] { [] }
}

/// A whole path, spelled out.
final class CodingPathBase: CodingKeySource {
    private let path: [any CodingKey]

    init(_ path: [any CodingKey]) { self.path = path }

    override func keys(_ number: Int) -> [any CodingKey] { path }
}

/// The keys of a type that are one byte each.
final class ByteCodingKeys<Key: CodingKey>: CodingKeySource {
    override func keys(_ number: Int) -> [any CodingKey] {
        // Bound: a number here comes from `KeyTable.number(of:)` of a key of this type, so it is a key's one byte or, for a
        // type of one case, nothing.
        if MemoryLayout<Key>.size == 0 { return [unsafe unsafeBitCast((), to: Key.self)] }
        return [unsafe unsafeBitCast(UInt8(truncatingIfNeeded: number), to: Key.self)]
    }
}

/// A key that a path needs where the type has no key of its own: an element's index, or any name.
struct PathKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }

    /// The key of a superclass's value.
    static let `super` = PathKey("super")
}
