/// One value while it is written: unwritten, a scalar, or a container with its members so far.
///
/// The frames of a segment's incomplete values form a list, innermost first. An unwritten frame is always the first of
/// the list. A frame of a running call (``isRunning``) protects its value: no frame behind it in the list writes into
/// the segment. Such a frame continues in a segment of its own.
@safe
struct EncodingFrame {
    /// What has been written for the value so far.
    enum Form {
        case nothing
        case scalar
        case array
        case object
    }

    var segment: OutputSegment
    /// The value's coding path, to which the paths of inner values point.
    let node: UnsafeMutablePointer<CodingPathNode>
    var form = Form.nothing
    /// Whether a call that has not returned writes the value. false for registered containers and encoders.
    var isRunning: Bool
    /// The offset of the value; ``part`` or less if it continues a value of another segment.
    var start = 0
    /// Whether the closing bracket is not written yet.
    var isOpen = false
    /// The end offset of the contents, once the container is closed.
    var end = 0
    /// Members or elements.
    var count = 0
    /// Containers around this one and itself.
    var level = 0
    /// The enclosing value in the same segment.
    var outer: UnsafeMutablePointer<EncodingFrame>?

    /// The written keys, one bit each, and the cache of their type (``KeyTypeCache``). Or their names, if bits are not
    /// enough.
    var written: UInt64 = 0
    var cache: UnsafeMutableRawPointer?
    var names: UnsafeMutablePointer<WrittenNames<FrameOwner>>?
    /// The nested keyed containers and arrays that were registered for keys, last first.
    var nested: FrameOwner?
    /// The segment that continues a stub.
    var rest: OutputSegment?

    /// A marker instead of a start: a part of a container, whose bracket is written by the first part.
    static var part: Int { -1 }
    /// A stub of the first part, which writes the bracket, and of another part.
    static var stub: Int { -2 }
    static var partStub: Int { -3 }

    init(segment: OutputSegment, node: UnsafeMutablePointer<CodingPathNode>, isRunning: Bool) {
        self.segment = segment
        unsafe self.node = node
        self.isRunning = isRunning
    }
}

/// A member or an element after its first bytes are written.
@safe
struct BegunValue {
    /// The segment of its value.
    let segment: OutputSegment
    /// The start offset of the member or element, and the number of late writes recorded then.
    let start: Int
    private let lateCount: Int

    @inline(__always)
    init(at start: Int, of segment: OutputSegment) {
        self.segment = segment
        self.start = start
        lateCount = segment.lateCount
    }

    /// Removes a value that failed. What user code retains of it writes into no result from then on.
    func discard() { segment.cut(to: start, late: lateCount) }
}

extension UnsafeMutablePointer<EncodingFrame> {
    /// Points the frame at the next value of a segment.
    @inline(__always)
    func reset(to segment: OutputSegment, _ node: CodingPathNode) {
        unsafe pointee.segment = segment
        unsafe pointee.node.pointee = node
        unsafe push(segment)
    }

    /// Makes this frame the innermost of a segment, without a value.
    @inline(__always)
    func push(_ segment: OutputSegment) {
        unsafe pointee.form = .nothing
        unsafe pointee.start = segment.count
        unsafe pointee.isOpen = false
        unsafe pointee.level = segment.level
        unsafe pointee.outer = segment.top
        unsafe segment.top = self
    }

    /// Opens a container for a value whose call is running. Returns false if the value has another form already.
    @inline(__always)
    func open(_ form: EncodingFrame.Form) -> Bool {
        let segment = unsafe pointee.segment
        guard unsafe pointee.form == .nothing else { return unsafe pointee.form == form }
        unsafe pointee.form = form
        unsafe pointee.isOpen = true
        unsafe pointee.count = 0
        unsafe pointee.level &+= 1
        unsafe pointee.written = 0
        unsafe pointee.cache = nil
        segment.write(byte: form == .object ? Ascii.openBrace : Ascii.openBracket)
        return true
    }

    /// Begins the next member or element; nil after the end of the call.
    @inline(__always)
    func begin() -> BegunValue? {
        if unsafe pointee.segment.top != self, unsafe !becomeInnermost() { return nil }
        let segment = unsafe pointee.segment
        let begun = BegunValue(at: segment.count, of: segment)
        if unsafe pointee.count > 0 { segment.write(byte: Ascii.comma) }
        unsafe pointee.count &+= 1
        return begun
    }

    /// Closes the containers inside this one. If this container is closed, or an inner value is still being encoded, it
    /// continues in a segment of its own. Returns false after the end of the call.
    @inline(never)
    private func becomeInnermost() -> Bool {
        let segment = unsafe pointee.segment
        if segment.isDead { return false }
        if unsafe !pointee.isOpen {
            unsafe segment.insert(startPart(), at: pointee.end)
        } else if let inner = unsafe innerOfRunning() {
            unsafe startPart(behind: inner)
        } else {
            unsafe closeInner()
        }
        return true
    }

    /// The frame directly inside this one, if a running call writes there.
    private func innerOfRunning() -> UnsafeMutablePointer<EncodingFrame>? {
        var frame = unsafe pointee.segment.top
        var hasRunning = false
        while let inner = unsafe frame {
            hasRunning = unsafe hasRunning || inner.pointee.isRunning
            unsafe frame = inner.pointee.outer
            if unsafe frame == self { return unsafe hasRunning ? inner : nil }
        }
        return nil
    }

    /// Whether a value inside is being encoded, in this part of the container or in one before it.
    var hasRunningInside: Bool {
        var frame = unsafe self
        while true {
            if unsafe frame.pointee.isOpen && frame.innerOfRunning() != nil { return true }
            guard unsafe frame.pointee.start < 0, let stub = unsafe frame.pointee.segment.stub else { return false }
            unsafe frame = stub
        }
    }

    /// Continues in a segment of its own.
    private func startPart() -> OutputSegment {
        let part = unsafe pointee.segment.makeSegment(level: pointee.level, isPart: true)
        unsafe pointee.segment = part
        unsafe pointee.isOpen = true
        unsafe pointee.start = EncodingFrame.part
        unsafe pointee.outer = nil
        unsafe part.top = self
        return part
    }

    /// Continues in a segment of its own while an inner value is being encoded. A stub replaces this frame in the list.
    /// The end of the stub determines the offset at which the rest is inserted.
    private func startPart(behind inner: UnsafeMutablePointer<EncodingFrame>) {
        let stub = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: 1)
        unsafe stub.initialize(
            to: EncodingFrame(segment: pointee.segment, node: pointee.node, isRunning: pointee.isRunning)
        )
        unsafe stub.pointee.form = pointee.form
        unsafe stub.pointee.isOpen = true
        unsafe stub.pointee.start = pointee.start < 0 ? EncodingFrame.partStub : EncodingFrame.stub
        unsafe stub.pointee.level = pointee.level
        unsafe stub.pointee.outer = pointee.outer
        unsafe inner.pointee.outer = stub
        let part = unsafe startPart()
        unsafe part.stub = stub
        unsafe stub.pointee.rest = part
    }

    /// Completes all inner values.
    private func closeInner() {
        let segment = unsafe pointee.segment
        while let inner = unsafe segment.top, unsafe inner != self { unsafe inner.settle() }
    }

    /// Reserves a value for later, if nothing was written so far.
    func settleIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !pointee.isRunning && segment.top == self && segment.isPartOrHasText {
            unsafe settle()
        }
    }

    /// Completes the innermost value of a segment, if no call for it is running. For an unwritten value it reserves a
    /// segment, so that the value can be written later.
    private func settle() {
        let segment = unsafe pointee.segment
        if unsafe pointee.isOpen { return unsafe closeTop() }
        unsafe segment.top = pointee.outer
        if unsafe pointee.form == .nothing, unsafe !pointee.isRunning {
            let later = unsafe segment.makeSegment(level: pointee.level, isPart: false)
            segment.insert(later, at: segment.count)
            unsafe pointee.segment = later
            unsafe push(later)
        }
    }

    /// Writes the closing bracket of the innermost container.
    @inline(__always)
    func closeTop() {
        let segment = unsafe pointee.segment
        unsafe pointee.isOpen = false
        unsafe pointee.end = segment.count
        unsafe segment.top = pointee.outer
        if unsafe pointee.start < 0 { return unsafe closePart() }
        unsafe writeBracket()
    }

    @inline(__always)
    private func writeBracket() {
        unsafe pointee.segment.write(byte: pointee.form == .object ? Ascii.closeBrace : Ascii.closeBracket)
    }

    /// The bracket of a container that has several parts is written where its first part ends.
    @inline(never)
    private func closePart() {
        let segment = unsafe pointee.segment
        if let rest = unsafe pointee.rest { segment.insert(rest, at: segment.count) }
        if unsafe pointee.start == EncodingFrame.stub { return unsafe writeBracket() }
        if let stub = unsafe segment.stub, unsafe stub.pointee.isOpen { unsafe stub.finish() }
    }

    /// Ends the value.
    @inline(__always)
    func finish() {
        if unsafe pointee.segment.top == self {
            if unsafe pointee.isOpen { unsafe closeTop() } else { unsafe pointee.segment.top = pointee.outer }
        } else if unsafe pointee.isOpen {
            unsafe finishContainer()
        }
    }

    /// Ends a container with values inside that are not complete.
    @inline(never)
    private func finishContainer() {
        unsafe closeInner()
        unsafe closeTop()
    }

    /// Makes an unwritten value the innermost of its segment, if the segment has no other.
    func pushIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !segment.isDead && segment.top == nil { unsafe push(segment) }
    }

    /// Moves a container inside a failed value to a segment that is never inserted.
    func discard() {
        let segment = unsafe pointee.segment
        if unsafe segment.top == self { unsafe segment.top = pointee.outer }
        unsafe pointee.outer = nil
        unsafe pointee.segment = segment.makeSegment(level: pointee.level, isPart: true)
        unsafe pointee.end = 0
        unsafe pushIfUnwritten()
    }

    /// Frees the recorded keys.
    @inline(never)
    func freeKeys() {
        unsafe pointee.names?.free()
        unsafe pointee.names = nil
        // One by one: the list may be long, and a recursive deinitialization uses stack for each element.
        while let owner = unsafe pointee.nested {
            unsafe pointee.nested = owner.next
            owner.next = nil
        }
    }
}

/// Owns the frame of an encoder. All encoders registered for the key of a nested container share its frame.
///
/// **Bound.** The frame and its coding path are freed with this object, which every encoder for the frame retains.
@safe
final class FrameOwner {
    let frame: UnsafeMutablePointer<EncodingFrame>
    /// The nested container that the same object registered before this one.
    var next: FrameOwner?
    /// The source of the frame's own key, if nothing else retains it.
    var keySource: CodingKeySource?

    init(_ segment: OutputSegment, _ node: CodingPathNode, isRunning: Bool, holding keySource: CodingKeySource?) {
        let nodeStorage = UnsafeMutablePointer<CodingPathNode>.allocate(capacity: 1)
        unsafe nodeStorage.initialize(to: node)
        unsafe frame = .allocate(capacity: 1)
        unsafe frame.initialize(to: EncodingFrame(segment: segment, node: nodeStorage, isRunning: isRunning))
        self.keySource = keySource
        if !segment.isDead { unsafe frame.push(segment) }
    }

    deinit {
        unsafe frame.freeKeys()
        unsafe frame.pointee.node.deallocate()
        unsafe frame.deinitialize(count: 1)
        unsafe frame.deallocate()
    }
}
