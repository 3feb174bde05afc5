import Foundation

/// A text that values are written into as they come. A handle of one word.
///
/// A call writes into one sink from start to end, as long as containers are filled in the order in which they were
/// opened. What is written out of order goes into a sink of its own, which is inserted when the call ends. So any order
/// of writes gives what a tree of values would give, in time linear in what was written.
///
/// While a value is being encoded, everything behind its start in its sink belongs to that value (``EncodingFrame``).
/// A value that fails is therefore removed by cutting the sink back to its start.
///
/// **Bound.** A sink lives until the call ends; then whatever user code has kept is aimed at ``dead``.
@safe
struct OutputSegment {
    private let body: UnsafeMutablePointer<Body>

    @safe
    struct Body: ~Copyable {
        var writer: ByteWriter
        /// The innermost value that is not complete.
        var top: UnsafeMutablePointer<EncodingFrame>?
        /// What may be written late, in the order in which that was noted, and how many of these there are.
        fileprivate var late: [Late] = []
        var lateCount = 0
        /// How many arrays and objects are around the text.
        var level = 0
        /// Whether the text is a part of a container and not a whole value.
        var isPart = false
        let isDead: Bool
        /// Stands for the container of which this is a part in the sink of its first part.
        var stub: UnsafeMutablePointer<EncodingFrame>?
        /// The call's first sink, and of that the list of all others.
        var root: UnsafeMutablePointer<Body>?
        var next: UnsafeMutablePointer<Body>?
    }

    /// What is written after the text around it.
    @safe
    fileprivate enum Late {
        /// A sink that is inserted at an offset when the call ends.
        case insertion(OutputSegment, offset: Int)
        /// An encoder that user code has kept.
        case encoder(UnsafeMutablePointer<EncodingFrame>)
    }

    /// Makes the first sink of a session.
    init(capacity: Int) {
        self.init(capacity: capacity, isDead: false)
    }

    private init(capacity: Int, isDead: Bool) {
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(to: Body(writer: ByteWriter(capacity: capacity), isDead: isDead))
    }

    private init(_ body: UnsafeMutablePointer<Body>) { unsafe self.body = body }

    /// The sink of all that belongs to calls that have ended. Nothing is written into it, by no task.
    nonisolated(unsafe) static let dead = OutputSegment(capacity: 0, isDead: true)

    /// Makes another sink of the call.
    func makeSegment(level: Int, isPart: Bool) -> OutputSegment {
        let segment = OutputSegment(capacity: 0)
        let root = unsafe body.pointee.root ?? body
        unsafe segment.body.pointee.level = level
        unsafe segment.body.pointee.isPart = isPart
        unsafe segment.body.pointee.root = root
        unsafe segment.body.pointee.next = root.pointee.next
        unsafe root.pointee.next = segment.body
        return segment
    }

    /// Frees the first sink of a session.
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
    var top: UnsafeMutablePointer<EncodingFrame>? {
        get { unsafe body.pointee.top }
        nonmutating set { unsafe body.pointee.top = newValue }
    }
    /// How many arrays and objects are around the next value.
    @inline(__always)
    var level: Int { unsafe body.pointee.top?.pointee.level ?? body.pointee.level }
    /// Whether this is not the sink of a whole value of which nothing was written.
    var isPartOrHasText: Bool { unsafe body.pointee.isPart || count > 0 || body.pointee.root == nil }
    /// How many insertions and kept encoders were noted.
    @inline(__always)
    var lateCount: Int { unsafe body.pointee.lateCount }
    var stub: UnsafeMutablePointer<EncodingFrame>? {
        get { unsafe body.pointee.stub }
        nonmutating set { unsafe body.pointee.stub = newValue }
    }

    /// Bytes of memory that the text holds.
    var capacity: Int { unsafe body.pointee.writer.capacity }
    /// Whether this is the only sink of its call.
    var isAlone: Bool { unsafe body.pointee.next == nil && lateCount == 0 }

    /// Inserts the text of another sink at an offset of this one, when the call ends.
    func insert(_ segment: OutputSegment, at offset: Int) {
        note(.insertion(segment, offset: offset))
    }

    /// Notes an encoder for a value in this sink that user code has kept: its slot lives until the call ends.
    func noteDetached(_ frame: UnsafeMutablePointer<EncodingFrame>) {
        if !isDead { unsafe note(.encoder(frame)) }
    }

    private func note(_ late: Late) {
        unsafe body.pointee.late.append(late)
        unsafe body.pointee.lateCount &+= 1
    }

    /// Makes room for a text.
    func reserve(_ size: Int) { unsafe body.pointee.writer.reserve(size) }

    /// Removes the text from an offset on, and the insertions there. Kept encoders of that text write nowhere
    /// afterwards.
    /// - Parameters:
    ///   - start: The offset.
    ///   - known: What ``lateCount`` was when the text was as long as that.
    func cut(to start: Int, late known: Int) {
        unsafe body.pointee.writer.count = start
        if lateCount > known { cutLate(to: start, known) }
    }

    @inline(never)
    private func cutLate(to start: Int, _ known: Int) {
        let added = unsafe body.pointee.late[known...]
            .filter { late in
                switch late {
                // Those at smaller offsets continue containers that were closed before.
                case .insertion(_, let offset): return offset < start
                case .encoder(let frame):
                    guard unsafe frame.pointee.segment.body == body && frame.pointee.start >= start else { return true }
                    unsafe frame.discard()
                    return false
                }
            }
        unsafe body.pointee.late.replaceSubrange(known..., with: added)
        unsafe body.pointee.lateCount = body.pointee.late.count
    }

    /// The text with everything inserted. Then the sink is empty.
    func takeText() -> Data {
        if lateCount == 0 { return unsafe body.pointee.writer.takeText() }
        var writer = ByteWriter(capacity: count &* 2)
        copy(to: &writer)
        return writer.finish()
    }

    /// Empties the sink and frees all others of the call.
    func clear() {
        unsafe body.pointee.writer.clear()
        unsafe body.pointee.top = nil
        if lateCount > 0 {
            unsafe body.pointee.late = []
            unsafe body.pointee.lateCount = 0
        }
        while let segment = unsafe body.pointee.next {
            unsafe body.pointee.next = segment.pointee.next
            unsafe segment.pointee.stub?.deinitialize(count: 1)
            unsafe segment.pointee.stub?.deallocate()
            unsafe segment.deinitialize(count: 1)
            unsafe segment.deallocate()
        }
    }
}

// MARK: - Inserting

extension OutputSegment {
    /// A sink that is being copied.
    private struct Copying {
        let segment: OutputSegment
        /// What remains to be inserted, last first.
        var insertions: [(offset: Int, segment: OutputSegment)]
        var position = 0

        init(_ segment: OutputSegment) {
            self.segment = segment
            // Insertions at one offset come in the order of their making.
            insertions = segment.insertions.enumerated()
                .sorted { ($0.element.offset, $0.offset) > ($1.element.offset, $1.offset) }
                .map(\.element)
        }
    }

    private var insertions: [(offset: Int, segment: OutputSegment)] {
        unsafe body.pointee.late.compactMap { late in
            guard case .insertion(let segment, let offset) = late else { return nil }
            return (offset, segment)
        }
    }

    /// Copies the text with all insertions. Depth costs memory, not stack.
    private func copy(to writer: inout ByteWriter) {
        var open = [Copying(self)]
        while var last = open.popLast() {
            let insertion = last.insertions.popLast()
            let end = insertion?.offset ?? last.segment.count
            last.segment.copy(from: last.position, to: end, into: &writer)
            last.position = end
            guard let insertion else { continue }
            open.append(last)
            open.append(Copying(insertion.segment))
        }
    }

    private func copy(from start: Int, to end: Int, into writer: inout ByteWriter) {
        if start == 0, end == count, end == 0, insertions.isEmpty {
            // A value that was not written.
            if unsafe !body.pointee.isPart { writer.write(literal: "{}") }
            return
        }
        guard start < end else { return }
        // The members before the part may have been removed after it was begun.
        let isAfterBracket = writer.last == Ascii.openBrace || writer.last == Ascii.openBracket
        let isComma = unsafe start == 0 && body.pointee.isPart && body.pointee.writer.base[0] == Ascii.comma
        let first = isComma && isAfterBracket ? 1 : start
        // Bound: first <= end <= count.
        unsafe writer.append(body.pointee.writer.base + first, count: end &- first)
    }
}

// MARK: - Tokens

extension OutputSegment {
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
    func write(member entry: UnsafePointer<EncodedKey>, isFirst: Bool) {
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

    /// Writes the bytes of a short text, sixteen at a time.
    ///
    /// **Bound.** `bytes` points to `count` bytes, rounded up to a multiple of sixteen; there is room for as many.
    @unsafe
    @inline(__always)
    mutating func append(padded bytes: UnsafePointer<UInt8>, count length: Int) {
        reserve(length &+ 16)
        var offset = 0
        repeat {
            let words = unsafe UnsafeRawPointer(bytes + offset).loadUnaligned(as: SIMD2<UInt64>.self)
            unsafe UnsafeMutableRawPointer(base + count + offset).storeBytes(of: words, as: SIMD2<UInt64>.self)
            offset &+= 16
        } while offset < length
        count &+= length
    }
}
