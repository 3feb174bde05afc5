import Foundation

/// Runs decoding calls. What a call learns about types (``TypeTable``, ``KeyTable``) and its idle containers are kept for the
/// next one; each call has a session to itself, so none of it is ever shared between tasks.
enum DecodingSession {
    static let idle = IdleSessions<DecodingContext.Storage, KeyedState>()

    /// The default settings, at an address that is theirs for good: who finds it in a session knows what that is set up for.
    ///
    /// **Bound.** Made once, never written and never freed.
    // Sendable: what it points to is a constant.
    nonisolated(unsafe) private static let plain: UnsafePointer<JsonDecoder> = {
        let settings = UnsafeMutablePointer<JsonDecoder>.allocate(capacity: 1)
        unsafe settings.initialize(to: .plain)
        return unsafe UnsafePointer(settings)
    }()

    /// Makes a value with the default settings: a `Codable` entry of the mapping layer, which may be one of thousands. Most of what a
    /// session is set up with is there from the entry before.
    /// - Parameters:
    ///   - type: What to make.
    ///   - position: Where the value stands.
    ///   - document: Where it stands there; held by the caller.
    /// - Returns: The value.
    /// - Throws: What the type throws.
    @inline(__always)
    static func value<Value: Decodable>(_ type: Value.Type, at position: Int, of document: JsonDocument) throws -> Value
    {
        try runPlain(document) { context in try context.value(type, at: position, CodingPlace()) }
    }

    /// Makes the elements of an array, each as if it were a value of its own.
    /// - Parameters:
    ///   - type: The elements' type.
    ///   - array: Where the array stands.
    ///   - document: Where it stands there; held by the caller.
    ///   - failure: What to throw for the error of an element, of which the index and the place come first.
    /// - Returns: The elements.
    /// - Throws: What `failure` gives.
    static func values<Value: Decodable>(
        _ type: Value.Type,
        in array: Int,
        of document: JsonDocument,
        failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        try runPlain(document) { context in
            let nodes = context.nodes
            let route = context.route(of: type)
            let count = nodes.words.memberCount(at: array)
            var position = nodes.firstChild(of: array)
            if nodes.capacity(for: count, of: type, in: array) < count {
                return try context.grow(type, to: count, from: array, by: route, failure)
            }
            return try unsafe [Value](unsafeUninitializedCapacity: count) { buffer, made in
                while made < count {
                    // Bound: the buffer has room for `count` elements.
                    let room = unsafe ValueRoom(buffer.baseAddress.unsafelyUnwrapped + made)
                    do {
                        try context.fill(room, with: type, by: route, at: position, CodingPlace())
                    } catch {
                        throw failure(made, position, error)
                    }
                    made &+= 1
                    position = nodes.words.next(after: position)
                }
            }
        }
    }

    @inline(__always)
    private static func runPlain<Value>(
        _ document: JsonDocument,
        _ body: (DecodingContext) throws -> Value
    ) rethrows -> Value {
        let storage = unsafe idle.take() ?? .make(plain)
        if unsafe storage.pointee.settings == plain {
            unsafe storage.pointee.begin(document, convertsKeys: false)
        } else {
            unsafe storage.pointee.begin(document, plain, nil)
        }
        defer {
            unsafe storage.pointee.trim()
            if unsafe storage.pointee.convertsKeys { unsafe storage.pointee.convertedNames = nil }
            unsafe idle.give(storage)?.destroy()
            withExtendedLifetime(document) {}
        }
        return try body(unsafe DecodingContext(storage))
    }

    /// Runs a call over a document.
    /// - Parameters:
    ///   - document: What to decode from; held until the call ends.
    ///   - settings: The strategies.
    ///   - path: Where the value that is decoded stands.
    ///   - body: The call.
    /// - Returns: What the call returns.
    /// - Throws: What the call throws.
    static func run<Value>(
        _ document: JsonDocument,
        _ settings: JsonDecoder,
        path: [any CodingKey] = [],
        _ body: (DecodingContext) throws -> Value
    ) throws -> Value {
        let base = path.isEmpty ? nil : CodingPathBase(path)
        let reuses = settings.tricks == .all
        return try unsafe withUnsafePointer(to: settings) { settings in
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make(settings)
            unsafe storage.pointee.begin(document, settings, base)
            defer {
                if base != nil { unsafe storage.pointee.root = CodingPlace() }
                let isReused = unsafe storage.pointee.end() && reuses
                let surplus = unsafe isReused ? idle.give(storage) : storage
                unsafe surplus?.destroy()
                withExtendedLifetime((document, base)) {}
            }
            return try body(unsafe DecodingContext(storage))
        }
    }
}

extension DecodingContext {
    /// Makes the elements of an array that take far more memory than their text: room for them is made as they come.
    @inline(never)
    fileprivate func grow<Value: Decodable>(
        _ type: Value.Type,
        to count: Int,
        from array: Int,
        by route: DecodingRoute,
        _ failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(nodes.capacity(for: count, of: type, in: array))
        var position = nodes.firstChild(of: array)
        for index in 0..<count {
            do {
                values.append(try value(type, by: route, at: position, CodingPlace()))
            } catch {
                throw failure(index, position, error)
            }
            position = nodes.words.next(after: position)
        }
        return values
    }
}

extension DecodingContext.Storage {
    /// Takes a document where the settings are those of the call before.
    @unsafe
    @inline(__always)
    fileprivate mutating func begin(_ document: JsonDocument, convertsKeys: Bool) {
        nodes = document.nodes
        unsafe self.document = .passUnretained(document)
        self.convertsKeys = convertsKeys || document.duplicateKeys == .lastWins
    }

    /// Takes what belongs to one call. Nothing of it is read after the call.
    @unsafe
    fileprivate mutating func begin(
        _ document: JsonDocument,
        _ settings: UnsafePointer<JsonDecoder>,
        _ base: CodingPathBase?
    ) {
        let isConverting = unsafe settings.pointee.keys.isConverting
        unsafe begin(document, convertsKeys: isConverting)
        root = base.map(CodingPlace.init(base:)) ?? CodingPlace()
        unsafe self.settings = settings
        hasRFC3339Dates = unsafe settings.pointee.dates.isRFC3339
        if unsafe settings.pointee.keys.isSnakeCase, document.duplicateKeys != .lastWins { useSpellings() }
        if case .naming(let naming) = unsafe settings.pointee.keys, document.duplicateKeys != .lastWins {
            use(naming.identity)
        }
        if unsafe settings.pointee.scalars.version !== scalars.version {
            scalars = unsafe settings.pointee.scalars
            routes.deallocate()
            routes = TypeTable()
        }
    }

    /// Keys that were spelled by another naming begin anew.
    private mutating func use(_ naming: AnyObject) {
        if self.naming !== naming { namingCount &+= 1 }
        self.naming = naming
        namingNumber = namingCount
    }

    private mutating func useSpellings() {
        if unsafe keptSpellings == nil {
            let spellings = UnsafeMutablePointer<KeySpellings>.allocate(capacity: 1)
            unsafe spellings.initialize(to: KeySpellings(SnakeCase.toCamelCase))
            unsafe keptSpellings = spellings
        }
        unsafe spellings = keptSpellings
    }

    /// Lets go of what belongs to one call.
    /// - Returns: Whether the storage is good for another one.
    fileprivate mutating func end() -> Bool {
        trim()
        convertedNames = nil
        unsafe spellings = nil
        namingNumber = 0
        return unsafe keptSpellings?.pointee.isFull != true
    }

    /// Frees what only a deep value needs, so that what an idle session holds is bounded.
    @inline(__always)
    fileprivate mutating func trim() {
        if capacity > DecodingContext.mostIdle { trimDeepFrames() }
    }

    @inline(never)
    private mutating func trimDeepFrames() {
        let kept = DecodingContext.mostIdle
        let fewer = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: kept)
        unsafe fewer.moveInitialize(from: decoders, count: kept)
        unsafe (decoders + kept).deinitialize(count: capacity - kept)
        unsafe decoders.deallocate()
        unsafe decoders = fewer
        capacity = kept
        unsafe homes.forEach { home in unsafe home.trim(to: kept) }
    }

    /// Frees what the storage owns.
    func destroy() {
        unsafe keptSpellings?.pointee.deallocate()
        unsafe keptSpellings?.deinitialize(count: 1)
        unsafe keptSpellings?.deallocate()
        routes.deallocate()
        failureTexts.deallocate()
        unsafe homes.deallocate { home in unsafe home.destroy() }
        unsafe decoders.deinitialize(count: capacity)
        unsafe decoders.deallocate()
    }
}

extension UnsafeMutablePointer<DecodingContext.Storage> {
    fileprivate static func make(_ settings: UnsafePointer<JsonDecoder>) -> Self {
        let storage = Self.allocate(capacity: 1)
        let decoders = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: DecodingContext.mostIdle)
        unsafe decoders.initialize(repeating: nil, count: DecodingContext.mostIdle)
        unsafe storage.initialize(
            to: .init(
                nodes: JsonDocument.null.nodes,
                document: nil,
                settings: settings,
                decoders: decoders,
                capacity: DecodingContext.mostIdle
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
