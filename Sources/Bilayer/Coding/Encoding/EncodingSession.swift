import Foundation

/// Runs encoding calls. What a call learns about types and its idle containers are kept for the next one; each call has
/// a session to itself, so none of it is ever shared between tasks.
enum EncodingSession {
    static let idle = IdleSessions<EncodingContext.Storage, KeyedEncodingState>()
}

extension EncodingContext.Storage {
    @unsafe
    mutating func begin(_ settings: UnsafePointer<JsonEncoder>) {
        unsafe self.settings = settings
        keepsKeys = unsafe settings.pointee.keys.keepsKeys
        if !keepsKeys { use(unsafe settings.pointee.keys.naming) }
        maximumDepth = unsafe max(settings.pointee.maximumDepth, 0)
        if unsafe settings.pointee.scalars.version !== scalars.version {
            scalars = unsafe settings.pointee.scalars
            routes.deallocate()
            routes = TypeTable()
        }
        // The size of the last result is a good guess for the next; a large one is not held against a small one.
        sink.reserve(min(lastSize &+ 64, 1 << 20))
    }

    private mutating func use(_ naming: KeyNaming?) {
        guard let naming = naming?.identity else { return }
        if self.naming !== naming { namingCount &+= 1 }
        self.naming = naming
        namingNumber = namingCount
    }

    /// Lets go of everything that belongs to one call.
    mutating func end() {
        namingNumber = 0
        if !kept.isEmpty {
            for encoder in kept { encoder.end() }
            kept.removeAll()
        }
        if misuse != nil { misuse = nil }
        hasDuplicates = false
        sink.clear()
        unsafe settings = nil
        if capacity > EncodingContext.mostIdle { trim() }
    }

    /// Frees what only a deep value needs, so that what an idle session holds is bounded.
    @inline(never)
    private mutating func trim() {
        let kept = EncodingContext.mostIdle
        let fewer = UnsafeMutablePointer<EncodingContext.OpenEncoder>.allocate(capacity: kept)
        unsafe fewer.moveInitialize(from: frames, count: kept)
        unsafe (frames + kept).deinitialize(count: capacity - kept)
        unsafe frames.deallocate()
        unsafe frames = fewer
        capacity = kept
        unsafe homes.forEach { home in unsafe home.trim(to: kept) }
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    static func make() -> Self {
        let storage = Self.allocate(capacity: 1)
        let frames = UnsafeMutablePointer<EncodingContext.OpenEncoder>
            .allocate(
                capacity: EncodingContext.mostIdle
            )
        unsafe frames.initialize(repeating: .init(), count: EncodingContext.mostIdle)
        unsafe storage.initialize(to: .init(frames: frames, capacity: EncodingContext.mostIdle))
        return unsafe storage
    }

    func destroy() {
        unsafe pointee.routes.deallocate()
        unsafe pointee.homes.deallocate { home in unsafe home.destroy() }
        unsafe pointee.frames.deinitialize(count: pointee.capacity)
        unsafe pointee.frames.deallocate()
        unsafe pointee.sink.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}
