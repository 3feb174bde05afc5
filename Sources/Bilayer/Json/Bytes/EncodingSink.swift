import Foundation

/// A text that values are written into as they come, with the containers in it that are still open. A handle of one word.
///
/// A call writes into one sink from start to end, as long as containers are filled in the order in which they were opened.
/// A write to a container that has been closed, because something after it was written, goes into a sink of its own, which is
/// put in its place when the call ends. So any order of writes gives what a tree of values would give, in time
/// linear in what was written.
///
/// **Bound.** Sinks belong to the call and live until it ends; then whatever user code has kept is given a dead sink of its
/// own (``makeDead()``).
@safe
struct EncodingSink {
    private let body: UnsafeMutablePointer<Body>

    @safe
    struct Body: ~Copyable {
        var writer: ByteWriter
        /// The innermost container that is open.
        var top: UnsafeMutablePointer<EncodingSlot>?
        /// What has to be put in later, by where it belongs.
        var insertions: [(offset: Int, sink: EncodingSink)] = []
        var isDead = false
    }

    init(capacity: Int) {
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(to: Body(writer: ByteWriter(capacity: capacity)))
    }

    /// A sink of a call that has ended: nothing can be written into it.
    static func makeDead() -> EncodingSink {
        let sink = EncodingSink(capacity: 0)
        unsafe sink.body.pointee.isDead = true
        return sink
    }

    /// Frees the sink and those that belong into it.
    func deallocate() {
        clear()
        unsafe body.deinitialize(count: 1)
        unsafe body.deallocate()
    }

    var isDead: Bool { unsafe body.pointee.isDead }
    /// How many bytes were written.
    @inline(__always)
    var count: Int { unsafe body.pointee.writer.count }
    @inline(__always)
    var top: UnsafeMutablePointer<EncodingSlot>? {
        get { unsafe body.pointee.top }
        nonmutating set { unsafe body.pointee.top = newValue }
    }

    /// Notes that the text of another sink belongs at an offset of this one.
    func insert(_ sink: EncodingSink, at offset: Int) {
        unsafe body.pointee.insertions.append((offset, sink))
    }

    /// Makes room for a text.
    func reserve(_ size: Int) { unsafe body.pointee.writer.reserve(size) }

    /// The text with everything put in its place. Then the sink is empty.
    func takeText() -> Data {
        if unsafe body.pointee.insertions.isEmpty { return unsafe body.pointee.writer.takeText() }
        var writer = ByteWriter(capacity: count &* 2)
        copy(to: &writer)
        return writer.finish()
    }

    /// Empties the sink and frees those that belong into it.
    func clear() {
        unsafe body.pointee.writer.count = 0
        unsafe body.pointee.top = nil
        if unsafe body.pointee.insertions.isEmpty { return }
        for (_, sink) in unsafe body.pointee.insertions { sink.deallocate() }
        unsafe body.pointee.insertions = []
    }

    /// Copies the text with all that belongs into it.
    private func copy(to writer: inout ByteWriter) {
        var position = 0
        // Insertions at one offset come in the order of their making.
        let insertions = unsafe body.pointee.insertions.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        for (_, (offset, sink)) in insertions {
            unsafe writer.append(body.pointee.writer.base + position, count: offset &- position)
            if sink.count == 0 { writer.write(literal: "{}") }
            sink.copy(to: &writer)
            position = offset
        }
        unsafe writer.append(body.pointee.writer.base + position, count: count &- position)
    }
}

// MARK: - Tokens

extension EncodingSink {
    @inline(__always)
    func write(byte: UInt8) { unsafe body.pointee.writer.write(byte: byte) }

    @inline(__always)
    func write(literal: StaticString) { unsafe body.pointee.writer.write(literal: literal) }

    @inline(__always)
    func write(_ value: Bool) { unsafe body.pointee.writer.write(value) }

    @inline(__always)
    func write(_ value: String) { unsafe body.pointee.writer.write(value) }

    @inline(__always)
    func write(_ value: some FixedWidthInteger & SignedInteger) { unsafe body.pointee.writer.write(value) }

    @inline(__always)
    func write(_ value: some FixedWidthInteger & UnsignedInteger) { unsafe body.pointee.writer.write(value) }

    @inline(__always)
    func write(_ value: Double) { unsafe body.pointee.writer.write(value) }

    /// Writes an array of finite doubles.
    func write(_ values: [Double]) { unsafe body.pointee.writer.write(values) }

    /// Writes a text that needs no quotes and no escapes.
    func write(ascii text: String) { unsafe body.pointee.writer.write(ascii: text) }

    /// Writes what opens a member.
    @inline(__always)
    func write(member entry: UnsafePointer<KeyEntry>, isFirst: Bool) {
        // The comma of a first one is left out.
        let start = isFirst ? 1 : 0
        unsafe body.pointee.writer
            .append(padded: entry.pointee.member + start, count: entry.pointee.memberCount &- start)
    }

    @inline(__always)
    func write(_ value: Float) { unsafe body.pointee.writer.write(value) }

    /// Writes a whole value.
    func write(_ json: Json) {
        var printer = JsonPrinter(.compact)
        unsafe printer.print(json, to: &body.pointee.writer)
    }
}

extension ByteWriter {
    /// Writes bytes as they are.
    ///
    /// **Bound.** `bytes` points to `count` bytes.
    @unsafe
    mutating func append(_ bytes: UnsafePointer<UInt8>, count length: Int) {
        reserve(length)
        unsafe (base + count).update(from: bytes, count: length)
        count &+= length
    }

    /// The same for short texts, sixteen bytes at a time.
    ///
    /// **Bound.** `bytes` points to `count` bytes, rounded up to a multiple of sixteen; there is room for as many.
    @unsafe
    @inline(__always)
    mutating func append(padded bytes: UnsafePointer<UInt8>, count length: Int) {
        reserve(length &+ 16)
        var place = 0
        repeat {
            let words = unsafe UnsafeRawPointer(bytes + place).loadUnaligned(as: SIMD2<UInt64>.self)
            unsafe UnsafeMutableRawPointer(base + count + place).storeBytes(of: words, as: SIMD2<UInt64>.self)
            place &+= 16
        } while place < length
        count &+= length
    }
}
