import Foundation

/// Runs encoding calls. A session keeps its caches of types and its idle containers for the next call. Each running
/// call has a session of its own, so tasks never share a session.
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
            fastPaths.deallocate()
            fastPaths = TypeTable()
        }
        // The next result probably has the size of the last result. The limit bounds the memory that a small result
        // uses after a large one.
        segment.reserve(min(lastSize &+ 64, 1 << 20))
    }

    private mutating func use(_ naming: KeyNaming?) {
        guard let naming = naming?.identity else { return }
        if self.naming !== naming { namingCount &+= 1 }
        self.naming = naming
        namingNumber = namingCount
    }

    /// Releases everything that belongs to the ended call.
    mutating func end() {
        namingNumber = 0
        endDetached()
        segment.clear()
        unsafe settings = nil
        if capacity > EncodingContext.maximumIdle { trim() }
    }

    /// Releases everything that belongs to the whole value written last. A ``ListEncoding`` writes several whole values
    /// in one call.
    mutating func endValue() {
        endDetached()
        segment.removeDeferred()
    }

    @inline(__always)
    private mutating func endDetached() {
        if detached.isEmpty { return }
        for encoder in detached { encoder.end() }
        detached.removeAll()
    }

    /// Frees the encoders and containers that only a deep value needs, so that the memory of an idle session is
    /// bounded.
    @inline(never)
    private mutating func trim() {
        let remaining = EncodingContext.maximumIdle
        let fewer = UnsafeMutablePointer<EncodingContext.OpenEncoder>.allocate(capacity: remaining)
        unsafe fewer.moveInitialize(from: encoders, count: remaining)
        unsafe (encoders + remaining).deinitialize(count: capacity - remaining)
        unsafe encoders.deallocate()
        unsafe encoders = fewer
        capacity = remaining
        unsafe keyTypeCaches.forEach { cache in unsafe cache.trim(to: remaining) }
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    static func make() -> Self {
        let storage = Self.allocate(capacity: 1)
        let encoders = UnsafeMutablePointer<EncodingContext.OpenEncoder>
            .allocate(
                capacity: EncodingContext.maximumIdle
            )
        unsafe encoders.initialize(repeating: .init(), count: EncodingContext.maximumIdle)
        unsafe storage.initialize(to: .init(encoders: encoders, capacity: EncodingContext.maximumIdle))
        return unsafe storage
    }

    func destroy() {
        unsafe pointee.fastPaths.deallocate()
        unsafe pointee.keyTypeCaches.deallocate { cache in unsafe cache.destroy() }
        unsafe pointee.encoders.deinitialize(count: pointee.capacity)
        unsafe pointee.encoders.deallocate()
        unsafe pointee.segment.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}
