extension Json {
    /// The members of an object in their order, made one by one as they are asked for. Empty for everything else.
    ///
    /// Members are those that were received: if a key stands there twice, so does it here.
    public var members: Members { Members(kind == .object ? self : .null) }

    /// The keys of an object in their order. Empty for everything else.
    public var keys: [String] { members.map(\.key) }

    /// The members of an object, in order.
    public struct Members: Collection, Sendable {
        /// A key and its value.
        public typealias Element = (key: String, value: Json)

        /// The place of a member.
        public struct Index: Comparable, Sendable {
            let ordinal: Int
            /// The key's position in the text's index.
            let position: Int
            /// The container that the place is in: a position means nothing in another.
            let container: Container?

            /// Whether two places are the same.
            public static func == (left: Index, right: Index) -> Bool { left.ordinal == right.ordinal }

            /// Whether one member stands before another.
            public static func < (left: Index, right: Index) -> Bool { left.ordinal < right.ordinal }
        }

        private let storage: Storage
        /// How many members there are.
        public let count: Int

        init(_ json: Json) {
            storage = json.resolved
            count = json.count
        }

        /// The place of the first member.
        public var startIndex: Index { Index(ordinal: 0, position: storage.firstChild, container: storage.container) }

        /// The place after the last member.
        public var endIndex: Index { Index(ordinal: count, position: 0, container: storage.container) }

        /// The place after another.
        public func index(after index: Index) -> Index {
            precondition(index.container == storage.container, "Json.Members: index of another value")
            return Index(
                ordinal: index.ordinal + 1,
                position: storage.next(after: index.position + 1),
                container: index.container
            )
        }

        /// The member at a place.
        public subscript(index: Index) -> Element {
            precondition(index.ordinal >= 0 && index.ordinal < count, "Json.Members: index out of range")
            precondition(index.container == storage.container, "Json.Members: index of another value")
            switch storage {
            case .view(let document, _):
                return (document.withNodes { $0.string(at: index.position) }, Json(.view(document, index.position + 1)))
            case .object(let object):
                let member = object.members[index.ordinal]
                return (member.key, member.value)
            default:
                return ("", .null)
            }
        }
    }
}
