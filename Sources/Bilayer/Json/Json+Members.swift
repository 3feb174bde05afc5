extension Json {
    /// The members of an object in order, made lazily. Empty for all other values.
    ///
    /// If a key is repeated, each of its members is listed.
    public var members: Members { Members(kind == .object ? self : .null) }

    /// The keys of an object in order. Empty for all other values.
    public var keys: [String] { members.map(\.key) }

    /// The members of an object, in order.
    ///
    /// An index belongs to the object that it comes from, and to unchanged copies of that object. An index of another
    /// parsed object, or an index out of range, stops the program, as in a Swift array. Received JSON alone cannot
    /// cause this.
    public struct Members: Collection, Sendable {
        /// A key and its value.
        public typealias Element = (key: String, value: Json)

        /// The position of a member. It retains the parsed text.
        public struct Index: Comparable, Sendable {
            let child: ChildIndex

            /// Whether two indices have the same distance from the start.
            public static func == (left: Index, right: Index) -> Bool { left.child.ordinal == right.child.ordinal }

            /// Whether one index precedes another.
            public static func < (left: Index, right: Index) -> Bool { left.child.ordinal < right.child.ordinal }
        }

        private let storage: Storage
        /// The number of members.
        public let count: Int

        init(_ json: Json) {
            storage = json.resolved
            count = json.count
        }

        /// The index of the first member; ``endIndex`` if there are no members.
        public var startIndex: Index { Index(child: ChildIndex(storage, ordinal: 0, position: storage.firstKey)) }

        /// The index after the last member.
        public var endIndex: Index { Index(child: ChildIndex(storage, ordinal: count, position: 0)) }

        /// Returns the index after that of a member.
        public func index(after index: Index) -> Index {
            check(index)
            return Index(child: index.child.next(at: storage.key(after: index.child.position)))
        }

        /// Returns the number of members from one index to another; negative if the second index precedes the first.
        public func distance(from start: Index, to end: Index) -> Int {
            precondition(start.child.isIn(storage) && end.child.isIn(storage), "Json.Members: index of another value")
            return end.child.ordinal - start.child.ordinal
        }

        /// The member at an index.
        public subscript(index: Index) -> Element {
            check(index)
            return member(at: index.child.position)
        }

        /// Returns an iterator over the members. The iterator makes no indices.
        public func makeIterator() -> Iterator { Iterator(self) }

        private func check(_ index: Index) {
            precondition(index.child.isIn(storage), "Json.Members: index of another value")
            precondition(index.child.ordinal < count, "Json.Members: index out of range")
        }

        private func member(at position: Int) -> Element {
            switch storage {
            case .view(let document, _):
                return (document.withNodes { $0.string(at: position) }, Json(.view(document, position + 1)))
            case .object(let object):
                let member = object.member(in: position)
                precondition(member != nil, "Json.Members: index of a removed member")
                return (member?.key ?? "", member?.value ?? .null)
            default:
                return ("", .null)
            }
        }

        /// An iterator over the members of an object.
        public struct Iterator: IteratorProtocol, Sendable {
            private let members: Members
            private var left: Int
            private var position: Int

            init(_ members: Members) {
                self.members = members
                left = members.count
                position = members.storage.firstKey
            }

            /// Returns the next member; `nil` after the last one.
            public mutating func next() -> Element? {
                guard left > 0 else { return nil }
                defer {
                    left -= 1
                    position = members.storage.key(after: position)
                }
                return members.member(at: position)
            }
        }
    }
}

extension Json.Storage {
    /// The position of an object's first key: in the index of a parsed text, or in the ``JsonObject/slots`` of an
    /// object made in code.
    fileprivate var firstKey: Int {
        if case .object(let object) = self { return object.firstSlot }
        return firstChild
    }

    /// Returns the position of the key after the key at a position.
    fileprivate func key(after position: Int) -> Int {
        if case .object(let object) = self { return object.slot(after: position) }
        return self.position(after: position + 1)
    }
}

extension Json.Members: Redacted {
    /// The number of members as text, for example `3 members`.
    public var description: String { "\(count) members" }
}
