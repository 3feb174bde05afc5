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

    var sink: OutputSegment
    /// The place of the value, for the places of what is inside it to point to.
    let place: UnsafeMutablePointer<CodingPathNode>
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
    var home: UnsafeMutableRawPointer?
    var names: UnsafeMutablePointer<WrittenNames<SlotOwner>>?
    /// The nested keyed containers and arrays that were handed out for keys, last first.
    var nested: SlotOwner?
    /// What a stub stands for.
    var rest: OutputSegment?

    /// Instead of a start: a part of a container, whose bracket is written by the first part.
    static var part: Int { -1 }
    /// A stub of the first part, which writes the bracket, and of another part.
    static var stub: Int { -2 }
    static var partStub: Int { -3 }

    init(sink: OutputSegment, place: UnsafeMutablePointer<CodingPathNode>, isRunning: Bool) {
        self.sink = sink
        unsafe self.place = place
        self.isRunning = isRunning
    }
}

/// A member or an element that was begun.
@safe
struct BegunValue {
    /// Where its value is written.
    let sink: OutputSegment
    /// Where the member or element starts, and how much of the sink was open to late writes then.
    let start: Int
    private let lateCount: Int

    @inline(__always)
    init(at start: Int, of sink: OutputSegment) {
        self.sink = sink
        self.start = start
        lateCount = sink.lateCount
    }

    /// Removes the value, which has failed. What user code has kept of it writes nowhere from now on.
    func takeBack() { sink.cut(to: start, late: lateCount) }
}

extension UnsafeMutablePointer<EncodingFrame> {
    /// Aims at the value that is written next into a sink.
    @inline(__always)
    func aim(at sink: OutputSegment, _ place: CodingPathNode) {
        unsafe pointee.sink = sink
        unsafe pointee.place.pointee = place
        unsafe push(sink)
    }

    /// Makes this the innermost value of a sink, with nothing written yet.
    @inline(__always)
    func push(_ sink: OutputSegment) {
        unsafe pointee.form = .nothing
        unsafe pointee.start = sink.count
        unsafe pointee.isOpen = false
        unsafe pointee.level = sink.level
        unsafe pointee.outer = sink.top
        unsafe sink.top = self
    }

    /// Opens a container at the place of a value whose call goes on; false if something else was written there before.
    @inline(__always)
    func open(_ form: EncodingFrame.Form) -> Bool {
        let sink = unsafe pointee.sink
        guard unsafe pointee.form == .nothing else { return unsafe pointee.form == form }
        unsafe pointee.form = form
        unsafe pointee.isOpen = true
        unsafe pointee.count = 0
        unsafe pointee.level &+= 1
        unsafe pointee.written = 0
        unsafe pointee.home = nil
        sink.write(byte: form == .object ? Ascii.openBrace : Ascii.openBracket)
        return true
    }

    /// Begins the next member or element; nil after the end of the call.
    @inline(__always)
    func begin() -> BegunValue? {
        if unsafe pointee.sink.top != self, unsafe !comeFirst() { return nil }
        let sink = unsafe pointee.sink
        let begun = BegunValue(at: sink.count, of: sink)
        if unsafe pointee.count > 0 { sink.write(byte: Ascii.comma) }
        unsafe pointee.count &+= 1
        return begun
    }

    /// Closes what was opened inside; or goes on in a sink of its own, if this container is closed itself or a value
    /// inside it is still being encoded. False after the end of the call.
    @inline(never)
    private func comeFirst() -> Bool {
        let sink = unsafe pointee.sink
        if sink.isDead { return false }
        if unsafe !pointee.isOpen {
            unsafe sink.insert(goOn(), at: pointee.end)
        } else if let inner = unsafe innerOfRunning() {
            unsafe goOn(behind: inner)
        } else {
            unsafe closeInner()
        }
        return true
    }

    /// The slot directly inside this one, if a running call writes there.
    private func innerOfRunning() -> UnsafeMutablePointer<EncodingFrame>? {
        var slot = unsafe pointee.sink.top
        var hasRunning = false
        while let inner = unsafe slot {
            hasRunning = unsafe hasRunning || inner.pointee.isRunning
            unsafe slot = inner.pointee.outer
            if unsafe slot == self { return unsafe hasRunning ? inner : nil }
        }
        return nil
    }

    /// Whether a value inside is being encoded, in this part of the container or in one before it.
    var hasRunningInside: Bool {
        var slot = unsafe self
        while true {
            if unsafe slot.pointee.isOpen && slot.innerOfRunning() != nil { return true }
            guard unsafe slot.pointee.start < 0, let stub = unsafe slot.pointee.sink.stub else { return false }
            unsafe slot = stub
        }
    }

    /// Goes on in a sink of its own.
    private func goOn() -> OutputSegment {
        let part = unsafe pointee.sink.makeSink(level: pointee.level, isPart: true)
        unsafe pointee.sink = part
        unsafe pointee.isOpen = true
        unsafe pointee.start = EncodingFrame.part
        unsafe pointee.outer = nil
        unsafe part.top = self
        return part
    }

    /// Goes on in a sink of its own while a value inside this one is being encoded. A stub takes the place of this slot
    /// in the list: when the stub is closed, it is known where the rest has to be inserted.
    private func goOn(behind inner: UnsafeMutablePointer<EncodingFrame>) {
        let stub = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: 1)
        unsafe stub.initialize(
            to: EncodingFrame(sink: pointee.sink, place: pointee.place, isRunning: pointee.isRunning)
        )
        unsafe stub.pointee.form = pointee.form
        unsafe stub.pointee.isOpen = true
        unsafe stub.pointee.start = pointee.start < 0 ? EncodingFrame.partStub : EncodingFrame.stub
        unsafe stub.pointee.level = pointee.level
        unsafe stub.pointee.outer = pointee.outer
        unsafe inner.pointee.outer = stub
        let part = unsafe goOn()
        unsafe part.stub = stub
        unsafe stub.pointee.rest = part
    }

    /// Completes everything inside.
    private func closeInner() {
        let sink = unsafe pointee.sink
        while let inner = unsafe sink.top, unsafe inner != self { unsafe inner.settle() }
    }

    /// Sees to it that there will be a value, where nothing was written so far.
    func settleIfUnwritten() {
        let sink = unsafe pointee.sink
        if unsafe pointee.form == .nothing && !pointee.isRunning && sink.top == self && sink.isPartOrHasText {
            unsafe settle()
        }
    }

    /// Completes the innermost value of a sink, if its call has returned or there is none. Where nothing was written so
    /// far, something may be written later.
    private func settle() {
        let sink = unsafe pointee.sink
        if unsafe pointee.isOpen { return unsafe closeTop() }
        unsafe sink.top = pointee.outer
        if unsafe pointee.form == .nothing, unsafe !pointee.isRunning {
            let later = unsafe sink.makeSink(level: pointee.level, isPart: false)
            sink.insert(later, at: sink.count)
            unsafe pointee.sink = later
            unsafe push(later)
        }
    }

    /// Writes the closing bracket of the innermost container.
    @inline(__always)
    func closeTop() {
        let sink = unsafe pointee.sink
        unsafe pointee.isOpen = false
        unsafe pointee.end = sink.count
        unsafe sink.top = pointee.outer
        if unsafe pointee.start < 0 { return unsafe closePart() }
        unsafe writeBracket()
    }

    @inline(__always)
    private func writeBracket() {
        unsafe pointee.sink.write(byte: pointee.form == .object ? Ascii.closeBrace : Ascii.closeBracket)
    }

    /// The bracket of a container that has several parts is written where its first part ends.
    @inline(never)
    private func closePart() {
        let sink = unsafe pointee.sink
        if let rest = unsafe pointee.rest { sink.insert(rest, at: sink.count) }
        if unsafe pointee.start == EncodingFrame.stub { return unsafe writeBracket() }
        if let stub = unsafe sink.stub, unsafe stub.pointee.isOpen { unsafe stub.finish() }
    }

    /// Ends the value.
    @inline(__always)
    func finish() {
        if unsafe pointee.sink.top == self {
            if unsafe pointee.isOpen { unsafe closeTop() } else { unsafe pointee.sink.top = pointee.outer }
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
    func waitForValue() {
        let sink = unsafe pointee.sink
        if unsafe pointee.form == .nothing && !sink.isDead && sink.top == nil { unsafe push(sink) }
    }

    /// Aims a container of a value that has failed at a sink that is inserted nowhere.
    func lose() {
        let sink = unsafe pointee.sink
        if unsafe sink.top == self { unsafe sink.top = pointee.outer }
        unsafe pointee.outer = nil
        unsafe pointee.sink = sink.makeSink(level: pointee.level, isPart: true)
        unsafe pointee.end = 0
        unsafe waitForValue()
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
final class SlotOwner {
    let slot: UnsafeMutablePointer<EncodingFrame>
    /// The nested container that the same object has handed out before.
    var next: SlotOwner?
    /// What the slot's place gets its key from, if nothing else holds that.
    var keySource: CodingKeySource?

    init(_ sink: OutputSegment, _ place: CodingPathNode, isRunning: Bool, holding keySource: CodingKeySource?) {
        let placeStorage = UnsafeMutablePointer<CodingPathNode>.allocate(capacity: 1)
        unsafe placeStorage.initialize(to: place)
        unsafe slot = .allocate(capacity: 1)
        unsafe slot.initialize(to: EncodingFrame(sink: sink, place: placeStorage, isRunning: isRunning))
        self.keySource = keySource
        if !sink.isDead { unsafe slot.push(sink) }
    }

    deinit {
        unsafe slot.dropKeys()
        unsafe slot.pointee.place.deallocate()
        unsafe slot.deinitialize(count: 1)
        unsafe slot.deallocate()
    }
}
