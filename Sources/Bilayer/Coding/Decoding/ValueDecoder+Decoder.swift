extension ValueDecoder: TolerantDecoder, SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { state.path }

    var userInfo: [CodingUserInfoKey: Any] { state.context.settings.userInfo }

    var tolerance: (any DecodingTolerance)? { state.context.settings.tolerance }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard state.context.nodes.tag(at: state.position) == .object else {
            throw failure(KeyedDecodingContainer<Key>.self)
        }
        return state.keyedContainer(type, of: self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard state.context.nodes.tag(at: state.position) == .array else {
            throw failure((any UnkeyedDecodingContainer).self)
        }
        return JsonUnkeyedDecodingContainer(self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { state.context.nodes.tag(at: state.position) == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.context.value(type, at: state.position, state.node)
    }

    private func failure(_ type: Any.Type) -> DecodingError {
        state.context.failure(type, at: state.position, codingPath)
    }

    @inline(__always)
    private func value<Value>(_ read: (JsonNodes, Int) -> Value?) throws -> Value {
        if let value = read(state.context.nodes, state.position) { return value }
        throw failure(Value.self)
    }

    @inline(__always)
    private func floatingPoint<Value: FloatingPointValue>(_ type: Value.Type) throws -> Value {
        try type.read(state.context.nodes, at: state.position)
            ?? state.context.nonConformingFloat(type, at: state.position, state.node)
    }
}

// MARK: - Scalars of the standard library

extension ValueDecoder {
    func decode(_ type: Bool.Type) throws -> Bool { try value { $0.bool(at: $1) } }

    func decode(_ type: String.Type) throws -> String { try value { $0.stringValue(at: $1) } }

    func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }

    func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }

    func decode(_ type: Int.Type) throws -> Int { try value { $0.integerValue(Int.self, at: $1) } }

    func decode(_ type: Int8.Type) throws -> Int8 { try value { $0.integerValue(Int8.self, at: $1) } }

    func decode(_ type: Int16.Type) throws -> Int16 { try value { $0.integerValue(Int16.self, at: $1) } }

    func decode(_ type: Int32.Type) throws -> Int32 { try value { $0.integerValue(Int32.self, at: $1) } }

    func decode(_ type: Int64.Type) throws -> Int64 { try value { $0.integerValue(Int64.self, at: $1) } }

    func decode(_ type: UInt.Type) throws -> UInt { try value { $0.integerValue(UInt.self, at: $1) } }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try value { $0.integerValue(UInt8.self, at: $1) } }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try value { $0.integerValue(UInt16.self, at: $1) } }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try value { $0.integerValue(UInt32.self, at: $1) } }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try value { $0.integerValue(UInt64.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try value { $0.integerValue(Int128.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value { $0.integerValue(UInt128.self, at: $1) } }
}

/// The keyed containers of a decoder. The standard library's box around a container is reused for the next object of
/// the type. Where it cannot be reused, a ``KeyedDecodingHolder`` owns the state.
extension DecodingContext {
    /// Returns the cache of a key type.
    @inline(__always)
    func keyTypeCache<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<KeyTypeCache<KeyedDecodingState>> {
        unsafe storage.pointee.keyTypeCaches.value(for: type) {
            unsafe .make(type, optimizations: storage.pointee.settings.pointee.optimizations)
        }
    }

    /// Returns a keyed container of the object at an index position.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(
        _ type: Key.Type,
        at position: Int,
        node: UnsafePointer<CodingPathNode>,
        of decoder: ValueDecoder
    ) -> KeyedDecodingContainer<Key> {
        if isDetached { return detachedContainer(type, at: position, of: decoder) }
        let cache = unsafe keyTypeCache(of: type)
        guard let state = unsafe cache.pointee.idle else {
            return unsafe makeContainer(type, cache, at: position, node, of: decoder)
        }
        unsafe cache.pointee.idle = state.pointee.next
        unsafe KeyedReader(state).reset(to: position, node: node, cache.pointee.table)
        unsafe registerContainer(state)
        // Bound: `makeContainer` has stored the box of a container of this key type, after checking
        // `ContainerBox.canReuseDecoding`, and the factory for that type.
        let factory = unsafe unsafeDowncast(
            cache.pointee.factory.unsafelyUnwrapped,
            to: ContainerFactory<KeyedDecodingContainer<Key>>.self
        )
        return unsafe factory.container(boxedAt: state.retainProbeAddress)
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(
        _ type: Key.Type,
        _ cache: UnsafeMutablePointer<KeyTypeCache<KeyedDecodingState>>,
        at position: Int,
        _ node: UnsafePointer<CodingPathNode>,
        of decoder: ValueDecoder
    ) -> KeyedDecodingContainer<Key> {
        if let memberPaths = unsafe cache.pointee.memberPaths {
            let base = unsafe keyedContainer(PathStep.self, at: position, node: node, of: decoder)
            // Bound: the container has just registered its state, and `base` keeps it.
            let state = unsafe settings.optimizations.contains(.pathsInIndex) ? storage.pointee.keyed : nil
            let reader = unsafe state.map { unsafe KeyedReader($0) }
            return KeyedDecodingContainer(PathReading(base, memberPaths, reader, tolerance: settings.tolerance))
        }
        let reader = unsafe KeyedReader(self, node: node)
        unsafe reader.state.pointee.cache = cache
        unsafe reader.reset(to: position, node: node, cache.pointee.table)
        unsafe registerContainer(reader.state)
        if settings.optimizations.contains(.containerReuse), ContainerBox.canReuseDecoding {
            let container = KeyedDecodingContainer(
                JsonKeyedDecodingContainer<Key, NoHolder>(reader: reader, holder: NoHolder())
            )
            unsafe reader.state.pointee.retainProbe = unsafeBitCast(container, to: AnyObject.self)
            unsafe reader.state.pointee.reusesBox = true
            unsafe cache.pointee.factory = ContainerFactory<KeyedDecodingContainer<Key>>()
            return container
        }
        let holder = KeyedDecodingHolder(reader)
        unsafe reader.state.pointee.retainProbe = holder
        return KeyedDecodingContainer(
            JsonKeyedDecodingContainer<Key, KeyedDecodingHolder>(reader: reader, holder: holder)
        )
    }

    /// Makes a container from a detached decoder. The container owns everything it uses.
    @inline(never)
    private func detachedContainer<Key: CodingKey>(
        _ type: Key.Type,
        at position: Int,
        of decoder: ValueDecoder
    ) -> KeyedDecodingContainer<Key> {
        if let memberPaths = MemberPaths.of(type) {
            return KeyedDecodingContainer(
                PathReading(
                    detachedContainer(PathStep.self, at: position, of: decoder),
                    memberPaths,
                    tolerance: settings.tolerance
                )
            )
        }
        let detachment = decoder.detachment ?? Detachment(self, path: decoder.codingPath)
        let reader = unsafe KeyedReader(detachment.context, node: detachment.nodePointer)
        unsafe reader.state.pointee.detachment = detachment
        unsafe reader.reset(to: position, node: detachment.nodePointer, nil)
        return KeyedDecodingContainer(
            JsonKeyedDecodingContainer<Key, KeyedDecodingHolder>(reader: reader, holder: KeyedDecodingHolder(reader))
        )
    }
}

/// Owns the state of a keyed container whose box is not reused.
final class KeyedDecodingHolder {
    let reader: KeyedReader

    init(_ reader: KeyedReader) { self.reader = reader }

    deinit { reader.deallocate() }
}

extension ContainerBox {
    /// Whether a container of this decoder can be made from its box again.
    static let canReuseDecoding: Bool = {
        guard MemoryLayout.offset(of: \KeyedDecodingState.retainProbe) == 0 else { return false }
        // The state is never read, so it is not initialized.
        let state = UnsafeMutablePointer<KeyedDecodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let reader = unsafe KeyedReader(state)
        return isReference(
            KeyedDecodingContainer(JsonKeyedDecodingContainer<PathKey, NoHolder>(reader: reader, holder: NoHolder()))
        )
    }()
}

extension DecoderState {
    /// Returns a keyed container of the value, which must be an object. The coding path lives as long as the decoder.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, of decoder: ValueDecoder) -> KeyedDecodingContainer<Key> {
        unsafe context.keyedContainer(type, at: position, node: nodePointer, of: decoder)
    }
}
