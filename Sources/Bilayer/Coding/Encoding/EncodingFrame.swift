/// One value while it is written: unwritten, a scalar, or a container with its members so far.
///
/// The frames of a segment's incomplete values form a list, innermost first. An unwritten frame is always the first of
/// the list. While a frame's `encode(to:)` runs (``isRunning``), no outer frame of the list writes into the segment. An
/// outer frame that receives a value meanwhile continues in a segment of its own.
@safe
struct EncodingFrame {
    /// What has been written for the value so far.
    enum Form {
        /// Nothing yet. At the end of a member or an element it becomes `{}`.
        case nothing
        case scalar
        case array
        case object
    }

    var segment: OutputSegment
    /// The value's coding path, to which the paths of inner values point.
    let node: UnsafeMutablePointer<CodingPathNode>
    var form = Form.nothing
    /// Whether the code that writes the value is still running: its `encode(to:)`, or the direct writing of a
    /// collection. False for the frames of registered containers and encoders.
    var isRunning: Bool
    /// The offset of the value in the segment. A container that continues in another segment has a later part there,
    /// and may leave a placeholder here. In these, this property is ``part``, ``placeholder`` or ``partPlaceholder``.
    var start = 0
    /// Whether the value is an open container, whose closing bracket is not written yet.
    var isOpen = false
    /// The end offset of the contents, once the container is closed.
    var end = 0
    /// The number of members or elements.
    var count = 0
    /// The nesting level of the value: the number of containers around it, plus one if the value is a container.
    var level = 0
    /// The enclosing value in the same segment.
    var outer: UnsafeMutablePointer<EncodingFrame>?

    /// The written keys, one bit each, and the cache of their type (``KeyTypeCache``). If bits are not enough,
    /// ``names`` has the keys' names.
    var written: UInt64 = 0
    var cache: UnsafeMutableRawPointer?
    var names: UnsafeMutablePointer<WrittenNames<FrameOwner>>?
    /// The nested containers that were registered for keys, last first.
    var nested: FrameOwner?
    /// In a placeholder, the segment in which the container continues.
    var continuation: OutputSegment?

    /// The value of ``start`` in a later part of a container. The first part writes the closing bracket.
    static var part: Int { -1 }
    /// The values of ``start`` in a placeholder. `placeholder` replaces the first part of a container, which writes the
    /// closing bracket. `partPlaceholder` replaces a later part.
    static var placeholder: Int { -2 }
    static var partPlaceholder: Int { -3 }

    init(segment: OutputSegment, node: UnsafeMutablePointer<CodingPathNode>, isRunning: Bool) {
        self.segment = segment
        unsafe self.node = node
        self.isRunning = isRunning
    }
}

/// A value that has begun: the comma and the key of a member or element are written, the value is not.
@safe
struct BegunValue {
    /// The segment for the value.
    let segment: OutputSegment
    /// The start offset of the member, element or value, and the number of deferred writes recorded before it.
    let start: Int
    private let deferredCount: Int

    @inline(__always)
    init(at start: Int, of segment: OutputSegment) {
        self.segment = segment
        self.start = start
        deferredCount = segment.deferredCount
    }

    /// Removes a member, element or value that failed. If user code still has encoders of the value, they no longer
    /// contribute to the result.
    func discard() { segment.truncate(to: start, deferredCount: deferredCount) }
}

extension UnsafeMutablePointer<EncodingFrame> {
    /// Points the frame at the next value of a segment.
    @inline(__always)
    func reset(to segment: OutputSegment, _ node: CodingPathNode) {
        unsafe pointee.segment = segment
        unsafe pointee.node.pointee = node
        unsafe push(segment)
    }

    /// Makes this frame the innermost of a segment, with an unwritten value.
    @inline(__always)
    func push(_ segment: OutputSegment) {
        unsafe pointee.form = .nothing
        unsafe pointee.start = segment.count
        unsafe pointee.isOpen = false
        unsafe pointee.level = segment.level
        unsafe pointee.outer = segment.top
        unsafe segment.top = self
    }

    /// Opens a container for a value while the call is running. Returns false if the value already has another form.
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

    /// Begins the next member or element; returns `nil` after the end of the call.
    @inline(__always)
    func begin() -> BegunValue? {
        if unsafe pointee.segment.top != self, unsafe !becomeInnermost() { return nil }
        let segment = unsafe pointee.segment
        let begun = BegunValue(at: segment.count, of: segment)
        if unsafe pointee.count > 0 { segment.write(byte: Ascii.comma) }
        unsafe pointee.count &+= 1
        return begun
    }

    /// Makes this container the innermost of its segment, by closing the containers inside it. If this container is
    /// closed, or an inner value is still being encoded, this container continues in a segment of its own. Returns
    /// false after the end of the call.
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

    /// Returns the frame directly inside this frame, if the `encode(to:)` of any inner value is running; otherwise
    /// `nil`.
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

    /// Whether a value inside the container is being encoded, in this part of the container or in an earlier part.
    var hasRunningInside: Bool {
        var frame = unsafe self
        while true {
            if unsafe frame.pointee.isOpen && frame.innerOfRunning() != nil { return true }
            guard unsafe frame.pointee.start < 0, let placeholder = unsafe frame.pointee.segment.placeholder else {
                return false
            }
            unsafe frame = placeholder
        }
    }

    /// Continues the container in a segment of its own.
    private func startPart() -> OutputSegment {
        let part = unsafe pointee.segment.makeSegment(level: pointee.level, isPart: true)
        unsafe pointee.segment = part
        unsafe pointee.isOpen = true
        unsafe pointee.start = EncodingFrame.part
        unsafe pointee.outer = nil
        unsafe part.top = self
        return part
    }

    /// Continues the container in a segment of its own while an inner value is being encoded. A placeholder replaces
    /// this frame in the list. The end of the placeholder determines the offset at which the new segment is inserted.
    private func startPart(behind inner: UnsafeMutablePointer<EncodingFrame>) {
        let placeholder = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: 1)
        unsafe placeholder.initialize(
            to: EncodingFrame(segment: pointee.segment, node: pointee.node, isRunning: pointee.isRunning)
        )
        unsafe placeholder.pointee.form = pointee.form
        unsafe placeholder.pointee.isOpen = true
        unsafe placeholder.pointee.start = pointee.start < 0 ? EncodingFrame.partPlaceholder : EncodingFrame.placeholder
        unsafe placeholder.pointee.level = pointee.level
        unsafe placeholder.pointee.outer = pointee.outer
        unsafe inner.pointee.outer = placeholder
        let part = unsafe startPart()
        unsafe part.placeholder = placeholder
        unsafe placeholder.pointee.continuation = part
    }

    /// Completes all inner values.
    private func closeInner() {
        let segment = unsafe pointee.segment
        while let inner = unsafe segment.top, unsafe inner != self { unsafe inner.settle() }
    }

    /// Reserves a segment for an unwritten value that is the innermost of its segment and whose `encode(to:)` is not
    /// running. Does nothing if the segment is already reserved for this value.
    func settleIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !pointee.isRunning && segment.top == self && segment.isPartOrHasText {
            unsafe settle()
        }
    }

    /// Completes this frame's value, which is the innermost of its segment. For an unwritten value whose `encode(to:)`
    /// is not running, reserves a segment, so that the value can be written later.
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

    /// Closes this container, which is the innermost of its segment.
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

    /// Closes a part of a container. The closing bracket is written where the first part ends.
    @inline(never)
    private func closePart() {
        let segment = unsafe pointee.segment
        if let continuation = unsafe pointee.continuation { segment.insert(continuation, at: segment.count) }
        if unsafe pointee.start == EncodingFrame.placeholder { return unsafe writeBracket() }
        if let placeholder = unsafe segment.placeholder, unsafe placeholder.pointee.isOpen {
            unsafe placeholder.finish()
        }
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

    /// Makes an unwritten value the innermost of its segment, if the segment has no incomplete value.
    func pushIfUnwritten() {
        let segment = unsafe pointee.segment
        if unsafe pointee.form == .nothing && !segment.isDead && segment.top == nil { unsafe push(segment) }
    }

    /// Moves a value inside a failed value to a segment that is never inserted.
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
        // The owners are released one by one, because the list may be long. A recursive deinitialization would use the
        // stack for each element.
        while let owner = unsafe pointee.nested {
            unsafe pointee.nested = owner.next
            owner.next = nil
        }
    }
}

/// Owns the frame of an encoder. If user code requests a key's nested container several times, the encoders share it.
///
/// **Bound.** The frame and its coding path are freed with this object, which every encoder for the frame retains.
@safe
final class FrameOwner {
    let frame: UnsafeMutablePointer<EncodingFrame>
    /// The owner of the nested container that was registered before this one in the same JSON object.
    var next: FrameOwner?
    /// The source of the last key of the frame's coding path, if nothing else retains it.
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
