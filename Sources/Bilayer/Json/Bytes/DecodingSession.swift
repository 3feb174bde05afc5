import Foundation

/// Runs decoding calls. What a call learns about types (``TypeTable``, ``KeyTable``) and its idle containers are kept for the
/// next one; each call has a session to itself, so none of it is ever shared between tasks.
enum DecodingSession {
    static let idle = IdleSessions<DecodingContext.Storage, KeyedState>()

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
        let storage = unsafe (reuses ? idle.take() : nil) ?? .make(settings)
        unsafe storage.pointee.begin(document, settings, base)
        defer {
            unsafe storage.pointee.end()
            let isKept = unsafe reuses && idle.give(storage)
            if !isKept { unsafe storage.destroy() }
            withExtendedLifetime(base) {}
        }
        return try body(unsafe DecodingContext(storage))
    }
}

extension DecodingContext.Storage {
    fileprivate mutating func begin(_ document: JsonDocument, _ settings: JsonDecoder, _ base: CodingPathBase?) {
        nodes = document.nodes
        self.document = document
        self.settings = settings
        hasRFC3339Dates = settings.dates.isRFC3339
        if settings.keys.isConverting { convertedNames = ConvertedNames() }
        convertsKeys = settings.keys.isConverting || document.duplicateKeys == .lastWins
        if settings.scalars.version !== scalars.version {
            scalars = settings.scalars
            routes.deallocate()
            routes = TypeTable()
        }
        root = base.map(CodingPlace.init(base:)) ?? CodingPlace()
    }

    /// Lets go of everything that belongs to one call.
    fileprivate mutating func end() {
        document = nil
        settings = .plain
        convertedNames = nil
    }

    /// Frees what the storage owns.
    func destroy() {
        routes.deallocate()
        unsafe homes.deallocate { home in unsafe home.destroy() }
        unsafe decoders.deinitialize(count: capacity)
        unsafe decoders.deallocate()
    }
}

extension UnsafeMutablePointer<DecodingContext.Storage> {
    fileprivate static func make(_ settings: JsonDecoder) -> Self {
        let storage = Self.allocate(capacity: 1)
        let decoders = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: 32)
        unsafe decoders.initialize(repeating: nil, count: 32)
        unsafe storage.initialize(
            to: .init(
                nodes: JsonDocument.null.nodes,
                document: nil,
                settings: settings,
                decoders: decoders,
                capacity: 32
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
