import Foundation

extension EncodingSession {
    /// Writes a value as compact JSON.
    static func encode<Value: Encodable>(_ value: Value, _ settings: JsonEncoder) throws -> Data {
        try unsafe withUnsafePointer(to: settings) { settings in
            let reuses = unsafe settings.pointee.optimizations == .all
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make()
            unsafe storage.pointee.begin(settings)
            defer {
                unsafe storage.pointee.end()
                let surplus = unsafe reuses ? idle.give(storage) : storage
                unsafe surplus?.destroy()
            }
            return try unsafe storage.write(value)
        }
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    /// Writes the value that the call is for.
    fileprivate func write<Value: Encodable>(_ value: Value) throws -> Data {
        let context = unsafe EncodingContext(self)
        let sink = unsafe pointee.sink
        guard try context.encode(value, CodingPathNode(), into: sink) else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(typeName(Value.self)) did not encode anything.")
            )
        }
        context.finishKept()
        if let misuse = unsafe pointee.misuse { throw misuse }
        let data = sink.takeText()
        unsafe pointee.lastSize = data.count
        return unsafe pointee.hasDuplicates ? data.withoutRepeatedMembers : data
    }
}
