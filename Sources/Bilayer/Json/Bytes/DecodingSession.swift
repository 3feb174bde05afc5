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
        return try unsafe withUnsafePointer(to: settings) { settings in
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make(settings)
            unsafe storage.pointee.begin(document, settings, base)
            defer {
                unsafe storage.pointee.convertedNames = nil
                let surplus = unsafe reuses ? idle.give(storage) : storage
                unsafe surplus?.destroy()
                withExtendedLifetime((document, base)) {}
            }
            return try body(unsafe DecodingContext(storage))
        }
    }
}

extension DecodingContext.Storage {
    /// Takes what belongs to one call. Nothing of it is read after the call.
    @unsafe
    fileprivate mutating func begin(
        _ document: JsonDocument,
        _ settings: UnsafePointer<JsonDecoder>,
        _ base: CodingPathBase?
    ) {
        nodes = document.nodes
        unsafe self.document = .passUnretained(document)
        unsafe self.settings = settings
        hasRFC3339Dates = unsafe settings.pointee.dates.isRFC3339
        let isConverting = unsafe settings.pointee.keys.isConverting
        if isConverting { convertedNames = ConvertedNames() }
        convertsKeys = isConverting || document.duplicateKeys == .lastWins
        if unsafe settings.pointee.scalars.version !== scalars.version {
            scalars = unsafe settings.pointee.scalars
            routes.deallocate()
            routes = TypeTable()
        }
        root = base.map(CodingPlace.init(base:)) ?? CodingPlace()
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
    fileprivate static func make(_ settings: UnsafePointer<JsonDecoder>) -> Self {
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
