// Reading an array of scalars of one type as a whole.

extension JsonNodes {
    /// Returns all elements of an array; nil if the value is not an array, or `read` returns nil for an element.
    @inline(__always)
    func scalars<Value>(at array: Int, _ read: (JsonNodes, Int) -> Value?) -> [Value]? {
        guard tag(at: array) == .array else { return nil }
        let count = words.memberCount(at: array)
        var values: [Value] = []
        values.reserveCapacity(count)
        let first = firstChild(of: array)
        for index in 0..<count {
            // Scalars take one word each. For a container `read` returns nil.
            guard let value = read(self, first &+ index) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Returns all elements of an array of numbers. Nil if the value is not an array, or if an element is not a number
    /// or is too large for a double.
    @inline(__always)
    func doubles(at array: Int) -> [Double]? { shortDoubles(at: array) ?? anyDoubles(at: array) }

    @inline(never)
    private func anyDoubles(at array: Int) -> [Double]? { scalars(at: array) { $0.double(at: $1) } }

    /// Returns all elements of an array of arrays of numbers, such as coordinates; nil for every other value.
    @inline(never)
    func doubleLists(at array: Int) -> [[Double]]? {
        guard tag(at: array) == .array else { return nil }
        let count = words.memberCount(at: array)
        // All empty arrays share their storage, and the initializer would write into it.
        if count == 0 { return [] }
        let lists = unsafe [[Double]](unsafeUninitializedCapacity: count) { buffer, initialized in
            var position = firstChild(of: array)
            for index in 0..<count {
                guard let list = doubles(at: position) else { return }
                // Bound: the buffer has capacity for `count` elements.
                unsafe buffer.initializeElement(at: index, to: list)
                initialized = index &+ 1
                position = words.next(after: position)
            }
        }
        return lists.count == count ? lists : nil
    }
}

// MARK: - Two or three numbers

extension JsonNodes {
    /// Returns the elements of an array of two or three numbers: a point, a range, a colour. The text of a map can have
    /// tens of thousands of such arrays. Returns nil for any other value, which the caller reads as a general array.
    ///
    /// The numbers are read into registers first, so that the array is made in one step at its final size.
    @inline(__always)
    func shortDoubles(at array: Int) -> [Double]? {
        guard tag(at: array) == .array else { return nil }
        let count = words.memberCount(at: array)
        guard count == 2 || count == 3 else { return nil }
        // If a value has more than one word, it is not a number, and the positions after it are not read.
        let position = firstChild(of: array)
        let isInside = hasWords(around: array)
        guard let first = number(at: position, isInside: isInside) else { return nil }
        guard let second = number(at: position &+ 1, isInside: isInside) else { return nil }
        if count == 2 { return [first, second] }
        guard let third = number(at: position &+ 2, isInside: isInside) else { return nil }
        return [first, second, third]
    }

    /// Reads a number. The faster reader for numbers with a point is tried first.
    @inline(__always)
    private func number(at position: Int, isInside: Bool) -> Double? {
        if isInside, let value = fraction(at: position) { return value }
        return double(at: position)
    }
}
