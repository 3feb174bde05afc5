extension Json {
    /// The elements of an array, made lazily. Empty for all other values.
    ///
    /// ```swift
    /// for item in json["items"]?.array ?? [] { print(item["sku"]?.string ?? "-") }
    /// ```
    public var elements: Elements { Elements(kind == .array ? self : .null) }

    /// The elements of an array as a Swift array; nil for all other values.
    public var array: [Json]? {
        guard kind == .array else { return nil }
        if case .array(let array) = storage { return array.elements }
        return Array(elements)
    }

    /// The elements of an array, in order.
    ///
    /// An index belongs to the array that it comes from, and to unchanged copies of that array. An index of another
    /// parsed array, or an index out of range, stops the program, as in a Swift array. Received JSON alone cannot cause
    /// this. For a number from input use `json[number]`, which is `nil` out of range.
    public struct Elements: Collection, Sendable {
        /// The position of an element. It retains the parsed text.
        public struct Index: Comparable, Sendable {
            let child: ChildIndex

            /// Whether two indices have the same distance from the start.
            public static func == (left: Index, right: Index) -> Bool { left.child.ordinal == right.child.ordinal }

            /// Whether one index precedes another.
            public static func < (left: Index, right: Index) -> Bool { left.child.ordinal < right.child.ordinal }
        }

        private let storage: Storage
        /// The number of elements.
        public let count: Int

        /// A collection without elements.
        public static let none = Elements(.null)

        init(_ json: Json) {
            storage = json.resolved
            count = json.count
        }

        /// The index of the first element; ``endIndex`` if there are no elements.
        public var startIndex: Index { Index(child: ChildIndex(storage, ordinal: 0, position: storage.firstChild)) }

        /// The index after the last element.
        public var endIndex: Index { Index(child: ChildIndex(storage, ordinal: count, position: 0)) }

        /// Returns the index after that of an element.
        public func index(after index: Index) -> Index {
            check(index)
            return Index(child: index.child.next(at: storage.position(after: index.child.position)))
        }

        /// Returns the number of elements from one index to another; negative if the second index precedes the first.
        public func distance(from start: Index, to end: Index) -> Int {
            precondition(start.child.isIn(storage) && end.child.isIn(storage), "Json.Elements: index of another value")
            return end.child.ordinal - start.child.ordinal
        }

        /// The element at an index.
        public subscript(index: Index) -> Json {
            check(index)
            return element(index.child.ordinal, at: index.child.position)
        }

        /// Returns an iterator over the elements. The iterator makes no indices.
        public func makeIterator() -> Iterator { Iterator(self) }

        private func check(_ index: Index) {
            precondition(index.child.isIn(storage), "Json.Elements: index of another value")
            precondition(index.child.ordinal < count, "Json.Elements: index out of range")
        }

        private func element(_ ordinal: Int, at position: Int) -> Json {
            switch storage {
            case .view(let document, _): Json(.view(document, position))
            case .array(let array): array.elements[ordinal]
            default: .null
            }
        }

        /// An iterator over the elements of an array.
        public struct Iterator: IteratorProtocol, Sendable {
            private let elements: Elements
            private var ordinal = 0
            private var position: Int

            init(_ elements: Elements) {
                self.elements = elements
                position = elements.storage.firstChild
            }

            /// Returns the next element; `nil` after the last one.
            public mutating func next() -> Json? {
                guard ordinal < elements.count else { return nil }
                defer {
                    ordinal += 1
                    position = elements.storage.position(after: position)
                }
                return elements.element(ordinal, at: position)
            }
        }
    }
}

extension Json.Elements: Redacted {
    /// The number of elements as text, for example `3 elements`.
    public var description: String { "\(count) elements" }
}
