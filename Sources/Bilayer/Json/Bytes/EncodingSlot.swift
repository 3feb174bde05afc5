/// One value while it is written: nothing yet, a scalar, or a container with its members so far.
@safe
struct EncodingSlot {
    /// What has been written at the value's place.
    enum Form {
        case nothing
        case scalar
        case array
        case object
    }

    var sink: EncodingSink
    /// Where the value stands, for the places of what is inside it to point to.
    let place: UnsafeMutablePointer<CodingPlace>
    var form = Form.nothing
    /// Where the value starts.
    var start = 0
    /// Whether its closing bracket is still to come.
    var isOpen = false
    /// Where its contents end, once it is closed.
    var end = 0
    /// Members or elements.
    var count = 0
    /// Containers around this one and itself.
    var level = 0
    /// The container around this one in the same sink.
    var outer: UnsafeMutablePointer<EncodingSlot>?

    /// Which keys of which type were written, one bit each; or their names, when bits are not enough.
    var written: UInt64 = 0
    var home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>?
    var names: Set<JsonKey>?
}

extension UnsafeMutablePointer<EncodingSlot> {
    /// Aims at the value that is written next into a sink.
    @inline(__always)
    func aim(at sink: EncodingSink, _ place: CodingPlace) {
        unsafe pointee.sink = sink
        unsafe pointee.place.pointee = place
        unsafe pointee.form = .nothing
        unsafe pointee.start = sink.count
        unsafe pointee.isOpen = false
    }

    /// Opens a container at the value's place; false if something else was written there before.
    @inline(__always)
    func open(_ form: EncodingSlot.Form) -> Bool {
        let sink = unsafe pointee.sink
        guard unsafe pointee.form == .nothing, unsafe sink.count == pointee.start, !sink.isDead else {
            return unsafe pointee.form == form
        }
        unsafe pointee.form = form
        unsafe pointee.isOpen = true
        unsafe pointee.count = 0
        unsafe pointee.outer = sink.top
        unsafe pointee.level = (pointee.outer?.pointee.level ?? 0) &+ 1
        unsafe pointee.written = 0
        unsafe pointee.home = nil
        if unsafe pointee.names != nil { unsafe pointee.names = nil }
        unsafe sink.top = self
        sink.write(byte: form == .object ? Ascii.openBrace : Ascii.openBracket)
        return true
    }

    /// The sink, ready for the next member or element; nil after the end of the call.
    @inline(__always)
    func begin() -> EncodingSink? {
        var sink = unsafe pointee.sink
        if unsafe sink.top != self {
            guard let ready = unsafe reopen() else { return nil }
            sink = ready
        }
        if unsafe pointee.count > 0 { sink.write(byte: Ascii.comma) }
        unsafe pointee.count &+= 1
        return sink
    }

    /// Closes what was opened inside; or, if this container is closed itself, goes on in a sink of its own.
    @inline(never)
    private func reopen() -> EncodingSink? {
        let sink = unsafe pointee.sink
        if sink.isDead { return nil }
        if unsafe pointee.isOpen {
            while let inner = unsafe sink.top, unsafe inner != self { unsafe inner.closeTop() }
            return sink
        }
        let more = EncodingSink(capacity: 0)
        unsafe sink.insert(more, at: pointee.end)
        unsafe pointee.sink = more
        unsafe pointee.isOpen = true
        unsafe pointee.start = -1
        unsafe pointee.outer = nil
        unsafe more.top = self
        return more
    }

    /// Writes the closing bracket of the innermost container.
    @inline(__always)
    func closeTop() {
        let sink = unsafe pointee.sink
        unsafe pointee.isOpen = false
        unsafe pointee.end = sink.count
        unsafe sink.top = pointee.outer
        // Only what goes on in a sink of its own has nothing around it there: its bracket stands where it began.
        let isContinued = unsafe pointee.start < 0
        if !isContinued { unsafe sink.write(byte: pointee.form == .object ? Ascii.closeBrace : Ascii.closeBracket) }
    }

    /// Ends the value; false if nothing was written.
    @inline(__always)
    func finish() -> Bool {
        if unsafe pointee.isOpen {
            if unsafe pointee.sink.top == self { unsafe closeTop() } else { unsafe finishContainer() }
        }
        return unsafe pointee.form != .nothing
    }

    /// The same with containers inside that are still open.
    @inline(never)
    private func finishContainer() {
        let sink = unsafe pointee.sink
        while let inner = unsafe sink.top, unsafe inner != self { unsafe inner.closeTop() }
        unsafe closeTop()
    }
}
