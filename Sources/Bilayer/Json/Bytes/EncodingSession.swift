import Foundation

/// Runs encoding calls. What a call learns about types and its idle containers are kept for the next one; each call has a
/// session to itself, so none of it is ever shared between tasks.
enum EncodingSession {
    static let idle = IdleSessions<EncodingContext.Storage, KeyedEncodingState>()

    /// Writes a value as compact JSON.
    static func encode<Value: Encodable>(_ value: Value, _ settings: JsonEncoder) throws -> Data {
        let reuses = settings.tricks == .all
        let storage = unsafe (reuses ? idle.take() : nil) ?? .make(settings)
        let sink = unsafe storage.pointee.begin(settings)
        defer {
            unsafe storage.pointee.end()
            let surplus = unsafe reuses ? idle.give(storage) : storage
            unsafe surplus?.destroy()
        }
        do {
            try unsafe storage.write(value, into: sink)
        } catch {
            sink.deallocate()
            throw error
        }
        let data = sink.finish()
        unsafe storage.pointee.lastSize = data.count
        return unsafe storage.pointee.hasDuplicates ? data.withoutRepeatedMembers : data
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    /// Writes the value that the call is for.
    fileprivate func write<Value: Encodable>(_ value: Value, into sink: EncodingSink) throws {
        let context = unsafe EncodingContext(self)
        guard try context.encode(value, CodingPlace(), into: sink) else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(typeName(Value.self)) did not encode anything.")
            )
        }
        context.finishKept()
        if let misuse = unsafe pointee.misuse { throw misuse }
    }
}

extension EncodingContext.Storage {
    fileprivate mutating func begin(_ settings: JsonEncoder) -> EncodingSink {
        self.settings = settings
        keepsKeys = settings.keys.keepsKeys
        if settings.scalars.version !== scalars.version {
            scalars = settings.scalars
            routes.deallocate()
            routes = TypeTable()
        }
        // The size of the last result is a good guess for the next; a large one is not held against a small one.
        return EncodingSink(capacity: min(lastSize &+ 64, 1 << 20))
    }

    /// Lets go of everything that belongs to one call.
    fileprivate mutating func end() {
        for encoder in kept { encoder.end() }
        kept.removeAll()
        hasDuplicates = false
        misuse = nil
        settings = .plain
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    fileprivate static func make(_ settings: JsonEncoder) -> Self {
        let storage = Self.allocate(capacity: 1)
        let encoders = UnsafeMutablePointer<ValueEncoder?>.allocate(capacity: 32)
        unsafe encoders.initialize(repeating: nil, count: 32)
        unsafe storage.initialize(to: .init(settings: settings, encoders: encoders, capacity: 32))
        return unsafe storage
    }

    fileprivate func destroy() {
        unsafe pointee.routes.deallocate()
        unsafe pointee.homes.deallocate { home in unsafe home.destroy() }
        unsafe pointee.encoders.deinitialize(count: pointee.capacity)
        unsafe pointee.encoders.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}
