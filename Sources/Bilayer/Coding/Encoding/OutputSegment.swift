import Foundation

/// A growing text of encoded values. The struct is a handle of one word.
///
/// While user code fills containers in the order in which it opens them, a call writes into one segment from start to
/// end. Output in another order goes into further segments, which are inserted when the call ends. So the text has the
/// right structure for every order of writes, and is made in almost linear time. In a ``ListEncoding``, the end of an
/// element counts as the end of the call here.
///
/// While a value is being encoded, everything after its start in the segment belongs to it (``EncodingFrame``). A
/// failed value is therefore removed by cutting the segment at its start.
///
/// **Bound.** A segment lives at least until the call ends, or until the element of a ``ListEncoding`` is complete.
/// Then the encoders that user code retains get ``dead`` as their segment.
@safe
struct OutputSegment {
    private let body: UnsafeMutablePointer<Body>

    @safe
    struct Body: ~Copyable {
        var writer: ByteWriter
        /// The innermost value that is not complete.
        var top: UnsafeMutablePointer<EncodingFrame>?
        /// The deferred writes (``DeferredWrite``) in the order of recording, and their number.
        fileprivate var deferred: [DeferredWrite] = []
        var deferredCount = 0
        /// The number of arrays and objects around the text.
        var level = 0
        /// Whether the text is a part of a container and not a whole value.
        var isPart = false
        let isDead: Bool
        /// The placeholder that replaces this part of a container in the segment of an earlier part.
        var placeholder: UnsafeMutablePointer<EncodingFrame>?
        /// The call's first segment; `nil` in the first segment itself. ``next`` links the first segment to all others.
        var root: UnsafeMutablePointer<Body>?
        var next: UnsafeMutablePointer<Body>?
    }

    /// A deferred write: work for the end of the call. If its value fails before the end of the call, the deferred
    /// write is removed with the value's text.
    @safe
    fileprivate enum DeferredWrite {
        /// A segment to insert at an offset.
        case insertion(OutputSegment, offset: Int)
        /// The frame of a detached encoder: an encoder that user code retains after its frame.
        case encoder(UnsafeMutablePointer<EncodingFrame>)
        /// A key that its object already has: the offset of the key, and the member's path if the clash is to be
        /// reported.
        case repeatedKey(offset: Int, clash: JsonPath?)
        /// A mistake in user code: the offset of the value with the mistake, and the error. The offset is negative for
        /// a part of a container.
        case misuse(offset: Int, any Error)
    }

    /// Makes the first segment of a session, or a segment that ``makeSegment(level:isPart:)`` adds to a call.
    init(capacity: Int) {
        self.init(capacity: capacity, isDead: false)
    }

    private init(capacity: Int, isDead: Bool) {
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(to: Body(writer: ByteWriter(capacity: capacity), isDead: isDead))
    }

    /// The segment of encoders whose call has ended. No task ever writes into it.
    nonisolated(unsafe) static let dead = OutputSegment(capacity: 0, isDead: true)

    /// Makes another segment of the call.
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

    /// Frees the first segment of a session.
    func deallocate() {
        clear()
        unsafe body.deinitialize(count: 1)
        unsafe body.deallocate()
    }

    var isDead: Bool { unsafe body.pointee.isDead }
    /// The number of written bytes.
    @inline(__always)
    var count: Int { unsafe body.pointee.writer.count }
    @inline(__always)
    var top: UnsafeMutablePointer<EncodingFrame>? {
        get { unsafe body.pointee.top }
        nonmutating set { unsafe body.pointee.top = newValue }
    }
    /// The number of arrays and objects around the next value.
    @inline(__always)
    var level: Int { unsafe body.pointee.top?.pointee.level ?? body.pointee.level }
    /// False only for a segment that was reserved for a whole value and has no text yet.
    var isPartOrHasText: Bool { unsafe body.pointee.isPart || count > 0 || body.pointee.root == nil }
    /// The number of recorded deferred writes.
    @inline(__always)
    var deferredCount: Int { unsafe body.pointee.deferredCount }
    var placeholder: UnsafeMutablePointer<EncodingFrame>? {
        get { unsafe body.pointee.placeholder }
        nonmutating set { unsafe body.pointee.placeholder = newValue }
    }

    /// The capacity for text in bytes. For tests.
    var capacity: Int { unsafe body.pointee.writer.capacity }
    /// Whether this is the only segment of its call. For tests.
    var isAlone: Bool { unsafe body.pointee.next == nil && deferredCount == 0 }

    /// Records that another segment is inserted at an offset of this one when the call ends.
    func insert(_ segment: OutputSegment, at offset: Int) {
        record(.insertion(segment, offset: offset))
    }

    /// Records a detached encoder for a value in this segment. Its frame lives until the call ends.
    func recordDetached(_ frame: UnsafeMutablePointer<EncodingFrame>) {
        if !isDead { unsafe record(.encoder(frame)) }
    }

    private func record(_ write: DeferredWrite) {
        unsafe body.pointee.deferred.append(write)
        unsafe body.pointee.deferredCount &+= 1
    }

    /// Reserves capacity for a text.
    func reserve(_ size: Int) { unsafe body.pointee.writer.reserve(size) }

    /// Records that the key that is written next already exists in its object.
    /// - Parameter clash: The member's path, if the clash is to be reported.
    func recordRepeatedKey(clash: JsonPath?) { record(.repeatedKey(offset: count, clash: clash)) }

    /// Records a mistake in user code in the value at an offset. Unless the value is removed, the call throws the error
    /// at its end.
    func recordMisuse(at offset: Int, _ error: () -> any Error) {
        if isDead { return }
        // One error is enough: a value that fails and removes the earlier mistake also removes this one.
        if case .misuse(let earlier, _)? = unsafe body.pointee.deferred.last, earlier <= offset { return }
        record(.misuse(offset: offset, error()))
    }

    /// Removes the text from an offset on, and the deferred writes recorded for that text. Afterwards detached encoders
    /// of removed values no longer contribute to the result.
    /// - Parameters:
    ///   - start: The offset.
    ///   - known: The value of ``deferredCount`` when the text ended at that offset.
    func truncate(to start: Int, deferredCount known: Int) {
        unsafe body.pointee.writer.count = start
        if deferredCount > known { truncateDeferred(to: start, known) }
    }

    @inline(never)
    private func truncateDeferred(to start: Int, _ known: Int) {
        let added = unsafe body.pointee.deferred[known...]
            .filter { write in
                switch write {
                // Deferred writes at smaller offsets belong to text that stays: for example, insertions that continue
                // containers closed before.
                case .insertion(_, let offset), .repeatedKey(let offset, _), .misuse(let offset, _):
                    return offset < start
                case .encoder(let frame):
                    guard unsafe frame.pointee.segment.body == body && frame.pointee.start >= start else { return true }
                    unsafe frame.discard()
                    return false
                }
            }
        unsafe body.pointee.deferred.replaceSubrange(known..., with: added)
        unsafe body.pointee.deferredCount = body.pointee.deferred.count
    }

    /// Removes and returns the text.
    func takeText() -> Data { unsafe body.pointee.writer.takeText() }

    /// Returns a copy of the text from an offset on.
    func text(from start: Int) -> Data {
        var writer = ByteWriter(capacity: count &- start)
        copy(from: start, to: count, into: &writer)
        return writer.finish()
    }

    /// Replaces the text from an offset on.
    func replaceText(from start: Int, by text: Data) {
        unsafe body.pointee.writer.count = start
        unsafe body.pointee.writer.write(json: text)
    }

    /// Clears the segment and frees all others of the call.
    func clear() {
        unsafe body.pointee.writer.clear()
        removeDeferred()
    }

    /// Removes the deferred writes, and frees all other segments of the call. The segment's own text stays.
    func removeDeferred() {
        unsafe body.pointee.top = nil
        if deferredCount > 0 {
            unsafe body.pointee.deferred = []
            unsafe body.pointee.deferredCount = 0
        }
        while let segment = unsafe body.pointee.next {
            unsafe body.pointee.next = segment.pointee.next
            unsafe segment.pointee.placeholder?.deinitialize(count: 1)
            unsafe segment.pointee.placeholder?.deallocate()
            unsafe segment.deinitialize(count: 1)
            unsafe segment.deallocate()
        }
    }
}

// MARK: - Inserting

extension OutputSegment {
    /// A segment while it is copied.
    private struct Copying {
        let segment: OutputSegment
        /// The remaining insertions and repeated keys, last first.
        var deferred: [(offset: Int, write: DeferredWrite)]
        var position: Int

        /// - Throws: The first recorded mistake of user code in the segment.
        init(_ segment: OutputSegment, from start: Int = 0) throws {
            self.segment = segment
            position = start
            // Deferred writes at the same offset are sorted by the order of recording.
            deferred = try segment.deferredInText().enumerated()
                .sorted { ($0.element.offset, $0.offset) > ($1.element.offset, $1.offset) }
                .map(\.element)
        }
    }

    private func deferredInText() throws -> [(offset: Int, write: DeferredWrite)] {
        try unsafe body.pointee.deferred.compactMap { write in
            switch write {
            case .insertion(_, let offset), .repeatedKey(let offset, _): return (offset, write)
            case .encoder: return nil
            case .misuse(_, let error): throw error
            }
        }
    }

    private var hasInsertions: Bool {
        unsafe body.pointee.deferred.contains { write in
            if case .insertion = write { true } else { false }
        }
    }

    /// Returns the text from an offset on, with all insertions. Of members whose key was recorded as repeated,
    /// only the last is kept.
    /// - Parameters:
    ///   - start: The offset.
    ///   - clashes: Receives the paths of the members whose clash is to be reported.
    /// - Returns: The text.
    /// - Throws: A mistake of user code, if one was recorded.
    func completeText(from start: Int, _ clashes: inout [JsonPath]) throws -> Data {
        var writer = ByteWriter(capacity: (count &- start) &* 2)
        let repeatedKeys = try copy(from: start, to: &writer, &clashes)
        let text = writer.finish()
        return repeatedKeys.isEmpty ? text : text.withoutMembersBefore(repeatedKeys)
    }

    /// Copies the text with all insertions. The copying is not recursive: deep nesting uses memory, not the stack.
    /// - Returns: The offsets of repeated keys in the copy.
    private func copy(
        from start: Int,
        to writer: inout ByteWriter,
        _ clashes: inout [JsonPath]
    ) throws -> Set<Int> {
        var repeatedKeys: Set<Int> = []
        var open = [try Copying(self, from: start)]
        while var last = open.popLast() {
            let next = last.deferred.popLast()
            let end = next?.offset ?? last.segment.count
            last.segment.copy(from: last.position, to: end, into: &writer)
            last.position = end
            guard let next else { continue }
            open.append(last)
            switch next.write {
            case .insertion(let segment, _): open.append(try Copying(segment))
            case .repeatedKey(_, let clash):
                repeatedKeys.insert(writer.count)
                if let clash { clashes.append(clash) }
            case .encoder, .misuse: break
            }
        }
        return repeatedKeys
    }

    private func copy(from start: Int, to end: Int, into writer: inout ByteWriter) {
        if start == 0, end == count, end == 0, !hasInsertions {
            // A reserved value that was never written becomes an empty object.
            if unsafe !body.pointee.isPart { writer.write(literal: "{}") }
            return
        }
        guard start < end else { return }
        // A part begins with a comma if members precede it. If these members were removed later, the part follows an
        // opening bracket, and its comma is left out.
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

    /// Writes the bytes that open a member: comma, key and colon.
    @inline(__always)
    func write(member entry: UnsafePointer<EncodedKey>, isFirst: Bool) {
        // The first member has no comma.
        let start = isFirst ? 1 : 0
        unsafe body.pointee.writer
            .append(padded: entry.pointee.member + start, count: entry.pointee.memberCount &- start)
    }

    @inline(__always)
    func write(_ value: Float) { unsafe body.pointee.writer.write(value) }

    /// Writes a whole value.
    /// - Returns: Whether its arrays and objects are nested no deeper than a limit.
    func write(_ json: Json, maximumDepth: Int) -> Bool {
        let start = unsafe body.pointee.writer.count
        var printer = JsonPrinter(.compact)
        unsafe printer.print(json, to: &body.pointee.writer)
        return unsafe body.pointee.writer.isNested(atMost: maximumDepth, from: start)
    }
}

extension ByteWriter {
    /// Writes bytes unchanged.
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
    /// **Bound.** `bytes` points to `count` bytes, rounded up to a multiple of sixteen. The buffer has capacity for the
    /// same number of bytes.
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
