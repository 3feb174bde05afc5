// Two or three numbers in a list: a point, a range, a colour. A map's text holds tens of thousands of them and little else.

extension JsonNodes {
    /// The elements of an array of two or three numbers; nil for anything else, which the caller reads as it does all arrays.
    ///
    /// The numbers are in registers before there is an array, so that it is made in one step, of its final size and filled.
    @inline(__always)
    func shortList(at array: Int) -> [Double]? {
        guard tag(at: array) == .array else { return nil }
        let count = words.memberCount(at: array)
        guard count == 2 || count == 3 else { return nil }
        // If a value takes more than one word, it is no number, and nobody asks for what stands behind it.
        let position = firstChild(of: array)
        let isInside = hasWords(around: array)
        guard let first = number(at: position, isInside: isInside) else { return nil }
        guard let second = number(at: position &+ 1, isInside: isInside) else { return nil }
        if count == 2 { return [first, second] }
        guard let third = number(at: position &+ 2, isInside: isInside) else { return nil }
        return [first, second, third]
    }

    /// A number, which most likely has a point.
    @inline(__always)
    private func number(at position: Int, isInside: Bool) -> Double? {
        if isInside, let value = fraction(at: position) { return value }
        return double(at: position)
    }

    /// All elements of an array of arrays; nil if `read` gives nil for one of them, or the task is cancelled.
    @inline(__always)
    func lists(at array: Int, _ read: (Int) -> [Double]?) -> [[Double]]? {
        guard tag(at: array) == .array else { return nil }
        let count = words.memberCount(at: array)
        var position = firstChild(of: array)
        let lists = unsafe [[Double]](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                if initialized & 0xFFF == 0xFFF, Task.isCancelled { return }
                guard let list = read(position) else { return }
                // Bound: the buffer has room for `count` elements.
                unsafe buffer.initializeElement(at: initialized, to: list)
                initialized &+= 1
                position = words.next(after: position)
            }
        }
        return lists.count == count ? lists : nil
    }
}
