/// The result of `unkeyedContainer()`: an array that elements are written into.
struct JsonUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) { self.encoder = encoder }

    /// The call. It is still running if ``begin()`` does not throw.
    private var context: EncodingContext { encoder.context }

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.elementCount }

    func encodeNil() throws { try begin().segment.write(literal: "null") }

    func encode<Value: Encodable>(_ value: Value) throws {
        let begun = try begin()
        let context = context
        let issues = IssueLog.current?.mark
        do {
            try context.encodeMember(value, by: context.fastPath(of: Value.self), node, into: begun.segment)
        } catch {
            encoder.discard(begun)
            if let issues { IssueLog.current?.setAside(since: issues, failedBy: error) }
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }

    func superEncoder() -> any Encoder { child() }

    private func child() -> ValueEncoder {
        guard let begun = encoder.beginElement() else { return .ended(path: codingPath, encoder.userInfo) }
        return context.makeChild(node, into: begun.segment)
    }

    /// The coding path of the element that began last.
    private var node: CodingPathNode { encoder.node(ofElement: count &- 1) }

    @inline(__always)
    private func begin() throws -> BegunValue {
        if let begun = encoder.beginElement() { return begun }
        throw ended
    }

    private var ended: EncodingError {
        .invalidValue(
            count,
            .init(codingPath: codingPath, debugDescription: "The encoding that this container belongs to has ended.")
        )
    }
}

// MARK: - Scalars of the standard library

extension JsonUnkeyedEncodingContainer {
    private func floatingPoint(_ value: some WritableFloatingPoint) throws {
        if value.isFinite { return value.write(to: try begin().segment) }
        guard !encoder.hasEnded else { throw ended }
        let text = try context.text(ofNonConforming: value) { codingPath + [PathKey(index: count)] }
        try begin().segment.write(text)
    }
}

extension JsonUnkeyedEncodingContainer {
    func encode(_ value: Bool) throws { try begin().segment.write(value) }

    func encode(_ value: String) throws { try begin().segment.write(value) }

    func encode(_ value: Double) throws { try floatingPoint(value) }

    func encode(_ value: Float) throws { try floatingPoint(value) }

    func encode(_ value: Int) throws { try begin().segment.write(value) }

    func encode(_ value: Int8) throws { try begin().segment.write(value) }

    func encode(_ value: Int16) throws { try begin().segment.write(value) }

    func encode(_ value: Int32) throws { try begin().segment.write(value) }

    func encode(_ value: Int64) throws { try begin().segment.write(value) }

    func encode(_ value: UInt) throws { try begin().segment.write(value) }

    func encode(_ value: UInt8) throws { try begin().segment.write(value) }

    func encode(_ value: UInt16) throws { try begin().segment.write(value) }

    func encode(_ value: UInt32) throws { try begin().segment.write(value) }

    func encode(_ value: UInt64) throws { try begin().segment.write(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try begin().segment.write(ascii: value.description) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try begin().segment.write(ascii: value.description) }
}
