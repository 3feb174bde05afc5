/// One value while it is written: nothing yet, a scalar, or a container with its members so far.
///
/// The slots of a sink's incomplete values form a list, innermost first. A slot in which nothing was written is always
/// the first of the list. While the value of a running call (``isRunning``) is in the list, nothing that belongs to a
/// slot behind it is written into the sink: such a slot continues in a sink of its own.
@safe
struct EncodingFrame {
    /// What has been written at the value's place.
    enum Form {
        case nothing
        case scalar
        case array
        case object
    }

    var segment: OutputSegment
    /// The place of the value, for the places of what is inside it to point to.
    let node: UnsafeMutablePointer<CodingPathNode>
    var form = Form.nothing
    /// Whether the value is written by a call that has not returned, unlike a container or an encoder that was handed
    /// out.
    var isRunning: Bool
    /// Where the value starts; ``part`` or less if it continues one of another sink.
    var start = 0
    /// Whether its closing bracket is still to come.
    var isOpen = false
    /// Where its contents end, once it is closed.
    var end = 0
    /// Members or elements.
    var count = 0
    /// Containers around this one and itself.
    var level = 0
    /// The value around this one in the same sink.
    var outer: UnsafeMutablePointer<EncodingFrame>?

    /// Which keys were written, one bit each, and what is known of their type (``KeyTypeCache``); or their names, when
    /// bits are not enough.
    var written: UInt64 = 0
    var cache: UnsafeMutableRawPointer?
    var names: UnsafeMutablePointer<WrittenNames<FrameOwner>>?
    /// The nested keyed containers and arrays that were handed out for keys, last first.
    var nested: FrameOwner?
    /// What a stub stands for.
    var rest: OutputSegment?

    /// Instead of a start: a part of a container, whose bracket is written by the first part.
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

/// A member or an element that was begun.
@safe
struct BegunValue {
    /// Where its value is written.
    let segment: OutputSegment
    /// Where the member or element starts, and how much of the sink was open to late writes then.
    let start: Int
    private let lateCount: Int

    @inline(__always)
    init(at start: Int, of segment: OutputSegment) {
        self.segment = segment
        self.start = start
        lateCount = segment.lateCount
    }

    /// Removes the value, which has failed. What user code has kept of it writes nowhere from now on.
    func discard() { segment.cut(to: start, late: lateCount) }
}

extension UnsafeMutablePointer<EncodingFrame> {
    /// Aims at the value that is written next into a sink.
    @inline(__always)
    func reset(to segment: OutputSegment, _ node: CodingPathNode) {
        unsafe pointee.segment = segment
        unsafe pointee.node.pointee = node
        unsafe push(segment)
    }

    /// Makes this the innermost value of a sink, with nothing written yet.
    @inline(__always)
    func push(_ segment: OutputSegment) {
        unsafe pointee.form = .nothing
        unsafe pointee.start = segment.count
        unsafe pointee.isOpen = false
        unsafe pointee.level = segment.level
        unsafe pointee.outer = segment.top
        unsafe segment.top = self
    }

    /// Opens a container at the place of a value whose call goes on; false if something else was written there before.
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

    /// Closes what was opened inside; or goes on in a sink of its own, if this container is closed itself or a value
    /// inside it is still being encoded. False after the end of the call.
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

    /// The slot directly inside this one, if a running call writes there.
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

    /// Goes on in a sink of its own.
    private func startPart() -> OutputSegment {
        let part = unsafe pointee.segment.makeSegment(level: pointee.level, isPart: true)
        unsafe pointee.segment = part
        unsafe pointee.isOpen = true
        unsafe pointee.start = EncodingFrame.part
        unsafe pointee.outer = nil
        unsafe part.top = self
        return part
    }

    /// Goes on in a sink of its own while a value inside this one is being encoded. A stub takes the place of this slot
    /// in the list: when the stub is closed, it is known where the rest has to be inserted.
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

    /// Completes everything inside.
    private func closeInner() {
        let segment = unsafe pointee.segment
        while let inner = unsafe segment.top, unsafe inner != self { unsafe inner.settle() }
    }

    /// Sees to it that there will be a value, where nothing was written so far.
    func settleIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !pointee.isRunning && segment.top == self && segment.isPartOrHasText {
            unsafe settle()
        }
    }

    /// Completes the innermost value of a sink, if its call has returned or there is none. Where nothing was written so
    /// far, something may be written later.
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

    /// Makes a value that may be written later the innermost of its sink, which nothing else is written into.
    func pushIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !segment.isDead && segment.top == nil { unsafe push(segment) }
    }

    /// Aims a container of a value that has failed at a sink that is inserted nowhere.
    func discard() {
        let segment = unsafe pointee.segment
        if unsafe segment.top == self { unsafe segment.top = pointee.outer }
        unsafe pointee.outer = nil
        unsafe pointee.segment = segment.makeSegment(level: pointee.level, isPart: true)
        unsafe pointee.end = 0
        unsafe pushIfUnwritten()
    }

    /// Lets go of what is noted about keys.
    @inline(never)
    func dropKeys() {
        unsafe pointee.names?.free()
        unsafe pointee.names = nil
        // One by one: the list may be long, and the end of a list of objects takes stack for each.
        while let owner = unsafe pointee.nested {
            unsafe pointee.nested = owner.next
            owner.next = nil
        }
    }
}

/// Owns the slot of an encoder. The slot of a nested container is shared by all encoders that are handed out for its
/// key.
///
/// **Bound.** The slot and its place are freed with this object, which every encoder for the slot holds.
@safe
final class FrameOwner {
    let frame: UnsafeMutablePointer<EncodingFrame>
    /// The nested container that the same object has handed out before.
    var next: FrameOwner?
    /// What the slot's place gets its key from, if nothing else holds that.
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
        unsafe frame.dropKeys()
        unsafe frame.pointee.node.deallocate()
        unsafe frame.deinitialize(count: 1)
        unsafe frame.deallocate()
    }
}
