/// The data that a session caches for one key type.
@safe
struct KeyTypeCache<State: ContainerState> {
    /// The type's keys as bytes, if one byte distinguishes them.
    let table: UnsafeMutablePointer<KeyTable>?
    /// The keys of the type as they are spelled in JSON texts. The pointer is set only if a strategy converts keys.
    var converted: UnsafeMutablePointer<State.Converted>?
    /// The source of the type's keys for coding paths.
    var source: CodingKeySource?
    /// Whether the keys are those of dictionaries. Such keys are values, so no strategy converts them.
    var isOfDictionaries = false
    /// The paths of the keys; `nil` if the key type is not a ``PathCodingKey``.
    var memberPaths: MemberPaths?
    /// The ``ContainerFactory`` for reused containers of the key type; `nil` before the first one is made.
    var factory: AnyObject?
    /// The list of idle containers.
    var idle: UnsafeMutablePointer<State>?
}

/// The state of a keyed container that user code uses. When the `init(from:)` or `encode(to:)` that requested the
/// container ends, the state is released, and can be reused later.
protocol ContainerState {
    /// The cache for keys that a strategy converts.
    associatedtype Converted: ConvertedKeys
    /// The object whose reference count shows whether user code retains the container: the container's box if it is
    /// reused, otherwise the owner of the state.
    var retainProbe: AnyObject? { get set }
    /// The next container in the list of registered or of idle containers.
    var next: UnsafeMutablePointer<Self>? { get set }
}

/// The keys of one type as they are spelled in JSON texts.
protocol ConvertedKeys {
    /// Makes a table for keys that take one byte, or no bytes if `hasBytes` is false.
    init(hasBytes: Bool)

    /// Frees all memory.
    func deallocate()
}

extension UnsafeMutablePointer where Pointee: ContainerState {
    /// The address of ``ContainerState/retainProbe``. It equals the address of the state, because the probe is its
    /// first property.
    @inline(__always)
    var retainProbeAddress: UnsafeRawPointer { UnsafeRawPointer(self) }
}

extension UnsafeMutablePointer {
    static func make<Key: CodingKey, State>(_ type: Key.Type, optimizations: CoderOptimizations) -> Self
    where Pointee == KeyTypeCache<State> {
        let suits = optimizations.contains(.keyTables) && KeyTable.suits(type)
        let cache = Self.allocate(capacity: 1)
        unsafe cache.initialize(
            to: KeyTypeCache(
                table: suits ? .makeTable(hasBytes: MemoryLayout<Key>.size == 1) : nil,
                source: suits ? ByteCodingKeys<Key>() : nil,
                isOfDictionaries: !suits && DictionaryKeys.areKeys(type),
                memberPaths: MemberPaths.of(type)
            )
        )
        return unsafe cache
    }

    /// Returns the type's keys as spelled in JSON texts, made on first use; `nil` if keys are looked up by name.
    func convertedKeys<State>() -> UnsafeMutablePointer<State.Converted>? where Pointee == KeyTypeCache<State> {
        if unsafe pointee.converted == nil, let table = unsafe pointee.table {
            let keys = UnsafeMutablePointer<State.Converted>.allocate(capacity: 1)
            unsafe keys.initialize(to: State.Converted(hasBytes: table.pointee.readable != nil))
            unsafe pointee.converted = keys
        }
        return unsafe pointee.converted
    }

    /// Frees the idle containers above a count.
    func trim<State>(to count: Int) where Pointee == KeyTypeCache<State> {
        var remaining: UnsafeMutablePointer<State>?
        for _ in 0..<count {
            guard let state = unsafe pointee.idle else { break }
            unsafe pointee.idle = state.pointee.next
            unsafe state.pointee.next = remaining
            unsafe remaining = state
        }
        while let state = unsafe pointee.idle {
            unsafe pointee.idle = state.pointee.next
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        unsafe pointee.idle = remaining
    }

    func destroy<State>() where Pointee == KeyTypeCache<State> {
        unsafe trim(to: 0)
        unsafe pointee.converted?.pointee.deallocate()
        unsafe pointee.converted?.deinitialize(count: 1)
        unsafe pointee.converted?.deallocate()
        unsafe pointee.table?.pointee.deallocate()
        unsafe pointee.table?.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}

extension UnsafeMutablePointer<KeyTable> {
    fileprivate static func makeTable(hasBytes: Bool) -> Self {
        let table = Self.allocate(capacity: 1)
        unsafe table.initialize(to: KeyTable(hasBytes: hasBytes))
        return unsafe table
    }
}

/// Makes containers of one type from their boxes.
///
/// The standard library does not promise the size of its containers. Code that is generic over the key type therefore
/// asks the Swift runtime for the metadata of the container's type each time it returns a container. This class has the
/// container's type as its parameter, so it needs no such request.
final class ContainerFactory<Container> {
    /// Returns the container that consists of the reference at an address.
    ///
    /// **Bound.** The address holds a reference to the box of a container of this type.
    @unsafe
    @inline(never)
    func container(boxedAt address: UnsafeRawPointer) -> Container {
        unsafe address.assumingMemoryBound(to: Container.self).pointee
    }
}

/// The `Holder` of a keyed container whose state belongs to the session: see ``JsonKeyedEncodingContainer``.
struct NoHolder {}

/// Whether the standard library's keyed containers have the layout that reuse relies on: one reference to one object.
enum ContainerBox {
    /// Whether a container consists of exactly one reference to an object.
    static func isReference<Container>(_ container: Container) -> Bool {
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
            let box = Mirror(reflecting: container).children.first?.value, type(of: box) is AnyClass
        else { return false }
        // Bound: both are one word, by the guard above.
        return unsafe unsafeBitCast(container, to: UnsafeRawPointer.self)
            == Unmanaged.passUnretained(box as AnyObject).toOpaque()
    }
}
