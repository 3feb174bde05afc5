/// The result of `container(keyedBy:)`: an object that members are written into.
///
/// `Holder` is what keeps the container's state alive. With ``NoHolder`` the state belongs to the session, so the
/// container is one word without reference counts. With ``KeyedEncodingHolder`` the container owns its state, for a
/// container that cannot be reused.
struct JsonKeyedEncodingContainer<Key: CodingKey, Holder>: KeyedEncodingContainerProtocol {
    let writer: KeyedWriter
    let holder: Holder

    var codingPath: [any CodingKey] { writer.path }

    func encodeNil(forKey key: Key) throws { try writer.begin(key).segment.write(literal: "null") }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let begun = try writer.begin(key)
        let context = writer.context
        let issues = IssueLog.current?.mark
        do {
            let fastPath = context.fastPath(of: Value.self)
            if let node = writer.numberedNode(of: key) {
                try context.encodeMember(value, by: fastPath, node, into: begun.segment)
            } else {
                try writer.withReusedKey(key) { node in
                    try context.encodeMember(value, by: fastPath, node, into: begun.segment)
                }
            }
        } catch {
            writer.discard(begun, key)
            if let issues { IssueLog.current?.setAside(since: issues, failedBy: error) }
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        writer.nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        writer.nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { writer.superEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { writer.superEncoder(forKey: key) }
}

// MARK: - Scalars of the standard library

extension JsonKeyedEncodingContainer {
    func encode(_ value: Bool, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: String, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: Double, forKey key: Key) throws { try floatingPoint(value, key) }

    func encode(_ value: Float, forKey key: Key) throws { try floatingPoint(value, key) }

    func encode(_ value: Int, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: Int8, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: Int16, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: Int32, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: Int64, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: UInt, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: UInt8, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: UInt16, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: UInt32, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    func encode(_ value: UInt64, forKey key: Key) throws { try writer.begin(key).segment.write(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws {
        try writer.begin(key).segment.write(ascii: value.description)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws {
        try writer.begin(key).segment.write(ascii: value.description)
    }

    @inline(__always)
    private func floatingPoint<Value: WritableFloatingPoint>(_ value: Value, _ key: Key) throws {
        if value.isFinite { return value.write(to: try writer.begin(key).segment) }
        try nonConforming(value, key)
    }

    @inline(never)
    private func nonConforming<Value: WritableFloatingPoint>(_ value: Value, _ key: Key) throws {
        guard writer.isRunning else { throw writer.ended(key) }
        let text = try writer.context.text(ofNonConforming: value) { codingPath + [key] }
        try writer.begin(key).segment.write(text)
    }
}
