import Foundation

/// Runs decoding calls. A session is a ``DecodingContext/Storage``, which keeps its caches of types (``TypeTable``,
/// ``KeyTable``) and its idle containers for the next call. Each running call has a session of its own, so tasks never
/// share a session.
enum DecodingSession {
    static let idle = IdleSessions<DecodingContext.Storage, KeyedDecodingState>()
    /// The idle sessions of tolerant calls, which leave out values that cannot be read (``DecodingTolerance``). The
    /// sessions are separate because their cached fast paths differ.
    private static let idleTolerant = IdleSessions<DecodingContext.Storage, KeyedDecodingState>()

    /// The default settings, at a constant address. A session that holds this address is already set up for them.
    ///
    /// **Bound.** The memory is allocated once, and never written or freed afterwards.
    // Sendable: the memory is constant.
    nonisolated(unsafe) private static let plain: UnsafePointer<JsonDecoder> = {
        let settings = UnsafeMutablePointer<JsonDecoder>.allocate(capacity: 1)
        unsafe settings.initialize(to: .plain)
        return unsafe UnsafePointer(settings)
    }()

    @inline(__always)
    static func runPlain<Value>(
        _ document: JsonDocument,
        _ body: (DecodingContext) throws -> Value
    ) throws -> Value {
        if document.isStackLow { throw exhausted(at: []) }
        let storage = unsafe idle.take() ?? .make(plain)
        if unsafe storage.pointee.settings == plain {
            unsafe storage.pointee.begin(document, convertsKeys: false)
        } else {
            unsafe storage.pointee.begin(document, plain, nil)
        }
        defer {
            unsafe storage.pointee.trim()
            if unsafe storage.pointee.needsSpecialLookup { unsafe storage.pointee.convertedNames = nil }
            unsafe idle.give(storage)?.destroy()
            withExtendedLifetime(document) {}
        }
        return try body(unsafe DecodingContext(storage))
    }

    /// Runs a call over a document.
    /// - Parameters:
    ///   - document: The document to decode from; retained until the call ends.
    ///   - settings: The strategies.
    ///   - path: The path of the decoded value.
    ///   - body: The call.
    /// - Returns: What the call returns.
    /// - Throws: What the call throws, or a `DecodingError` if the stack is nearly full.
    static func run<Value>(
        _ document: JsonDocument,
        _ settings: JsonDecoder,
        path: [any CodingKey] = [],
        _ body: (DecodingContext) throws -> Value
    ) throws -> Value {
        if document.isStackLow { throw exhausted(at: path) }
        let base = path.isEmpty ? nil : CodingPathBase(path)
        let reuses = settings.optimizations == .all
        let idle = settings.tolerance == nil ? idle : idleTolerant
        return try unsafe withUnsafePointer(to: settings) { settings in
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make(settings)
            unsafe storage.pointee.begin(document, settings, base)
            defer {
                if base != nil { unsafe storage.pointee.root = CodingPathNode() }
                let isReused = unsafe storage.pointee.end() && reuses
                let surplus = unsafe isReused ? idle.give(storage) : storage
                unsafe surplus?.destroy()
                withExtendedLifetime((document, base)) {}
            }
            return try body(unsafe DecodingContext(storage))
        }
    }

    /// Makes the error of a call that begins on a nearly full stack. Calls can be nested: a `from(raw:)` by hand may
    /// read an inner entry in a call of its own. An inner call counts its frames from 0 again, so each call over a text
    /// that may be deep begins with a check.
    @inline(never)
    private static func exhausted(at path: [any CodingKey]) -> DecodingError {
        let description = "Expected fewer nested values on this thread's stack, found more."
        return .dataCorrupted(.init(codingPath: path, debugDescription: description))
    }
}

extension DecodingContext.Storage {
    /// Begins a call with the settings of the session's previous call.
    @unsafe
    @inline(__always)
    fileprivate mutating func begin(_ document: JsonDocument, convertsKeys: Bool) {
        nodes = document.nodes
        unsafe self.document = .passUnretained(document)
        hasLog = IssueLog.mayBeBound
        needsSpecialLookup = convertsKeys || document.repeatedKeys == .lastWins
    }

    /// Begins a call. The document and the settings are not read after the call ends.
    @unsafe
    fileprivate mutating func begin(
        _ document: JsonDocument,
        _ settings: UnsafePointer<JsonDecoder>,
        _ base: CodingPathBase?
    ) {
        let isConverting = unsafe settings.pointee.keys.isConverting
        unsafe begin(document, convertsKeys: isConverting)
        root = base.map(CodingPathNode.init(base:)) ?? CodingPathNode()
        unsafe self.settings = settings
        hasRFC3339Dates = unsafe settings.pointee.dates.isRFC3339
        isTolerant = unsafe settings.pointee.tolerance != nil
        trialBudget = TrialBudget()
        if unsafe settings.pointee.keys.isSnakeCase, document.repeatedKeys != .lastWins { useSnakeCaseCache() }
        if case .naming(let naming) = unsafe settings.pointee.keys, document.repeatedKeys != .lastWins {
            use(naming.identity)
        }
        if unsafe settings.pointee.scalars.version !== scalars.version {
            scalars = unsafe settings.pointee.scalars
            fastPaths.deallocate()
            fastPaths = TypeTable()
        }
    }

    /// Sets the naming of the call. A naming other than the previous one gets a new number, which invalidates the
    /// cached keys.
    private mutating func use(_ naming: AnyObject) {
        if self.naming !== naming { namingCount &+= 1 }
        self.naming = naming
        namingNumber = namingCount
    }

    private mutating func useSnakeCaseCache() {
        if unsafe snakeCaseCache == nil {
            let cache = UnsafeMutablePointer<KeyConversionCache>.allocate(capacity: 1)
            unsafe cache.initialize(to: KeyConversionCache(SnakeCase.toCamelCase))
            unsafe snakeCaseCache = cache
        }
        unsafe activeSnakeCaseCache = snakeCaseCache
    }

    /// Releases everything that belongs to the ended call.
    /// - Returns: Whether the storage can serve another call.
    fileprivate mutating func end() -> Bool {
        trim()
        convertedNames = nil
        unsafe activeSnakeCaseCache = nil
        namingNumber = 0
        return unsafe snakeCaseCache?.pointee.isFull != true
    }

    /// Frees the decoders and containers that only a deep value needs, so that the memory of an idle session is
    /// bounded.
    @inline(__always)
    fileprivate mutating func trim() {
        if capacity > DecodingContext.maximumIdle { trimDeepFrames() }
    }

    @inline(never)
    private mutating func trimDeepFrames() {
        let remaining = DecodingContext.maximumIdle
        let fewer = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: remaining)
        unsafe fewer.moveInitialize(from: decoders, count: remaining)
        unsafe (decoders + remaining).deinitialize(count: capacity - remaining)
        unsafe decoders.deallocate()
        unsafe decoders = fewer
        capacity = remaining
        unsafe keyTypeCaches.forEach { cache in unsafe cache.trim(to: remaining) }
    }
}

extension UnsafeMutablePointer<DecodingContext.Storage> {
    fileprivate static func make(_ settings: UnsafePointer<JsonDecoder>) -> Self {
        let storage = Self.allocate(capacity: 1)
        let decoders = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: DecodingContext.maximumIdle)
        unsafe decoders.initialize(repeating: nil, count: DecodingContext.maximumIdle)
        unsafe storage.initialize(
            to: .init(
                nodes: JsonDocument.null.nodes,
                document: nil,
                settings: settings,
                decoders: decoders,
                capacity: DecodingContext.maximumIdle
            )
        )
        return unsafe storage
    }

    fileprivate func destroy() {
        unsafe pointee.destroy()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}
