extension Json {
    /// The elements of an array, made one by one as they are asked for. Empty for everything else.
    ///
    /// ```swift
    /// for item in json["items"]?.array ?? [] { print(item["sku"]?.string ?? "-") }
    /// ```
    public var elements: Elements { Elements(kind == .array ? self : .null) }

    /// The elements of an array as a Swift array, nil for everything else.
    public var array: [Json]? {
        guard kind == .array else { return nil }
        if case .array(let array) = storage { return array.elements }
        return Array(elements)
    }

    /// The elements of an array, in order.
    public struct Elements: Collection, Sendable {
        /// The place of an element.
        public struct Index: Comparable, Sendable {
            let ordinal: Int
            /// The element's position in the text's index.
            let position: Int
            /// The container that the place is in: a position means nothing in another.
            let container: Container?

            /// Whether two places are the same.
            public static func == (left: Index, right: Index) -> Bool { left.ordinal == right.ordinal }

            /// Whether one element stands before another.
            public static func < (left: Index, right: Index) -> Bool { left.ordinal < right.ordinal }
        }

        private let storage: Storage
        /// How many elements there are.
        public let count: Int

        /// No elements.
        public static let none = Elements(.null)

        init(_ json: Json) {
            storage = json.resolved
            count = json.count
        }

        /// The place of the first element.
        public var startIndex: Index { Index(ordinal: 0, position: storage.firstChild, container: storage.container) }

        /// The place after the last element.
        public var endIndex: Index { Index(ordinal: count, position: 0, container: storage.container) }

        /// The place after another.
        public func index(after index: Index) -> Index {
            precondition(index.container == storage.container, "Json.Elements: index of another value")
            return Index(
                ordinal: index.ordinal + 1,
                position: storage.next(after: index.position),
                container: index.container
            )
        }

        /// The element at a place.
        public subscript(index: Index) -> Json {
            precondition(index.ordinal >= 0 && index.ordinal < count, "Json.Elements: index out of range")
            precondition(index.container == storage.container, "Json.Elements: index of another value")
            return switch storage {
            case .view(let document, _): Json(.view(document, index.position))
            case .array(let array): array.elements[index.ordinal]
            default: .null
            }
        }
    }
}

extension Json {
    /// A parsed container: the document and the position in its index.
    struct Container: Equatable, Sendable {
        let document: ObjectIdentifier
        let position: Int
    }
}

extension Json.Storage {
    /// The parsed container that this is; nil for a value that code made.
    var container: Json.Container? {
        guard case .view(let document, let position) = self else { return nil }
        return Json.Container(document: ObjectIdentifier(document), position: position)
    }

    /// The index position of a parsed container's first child.
    var firstChild: Int {
        guard case .view(let document, let position) = self else { return 0 }
        return document.nodes.firstChild(of: position)
    }

    /// The index position after a value of a parsed container.
    func next(after position: Int) -> Int {
        guard case .view(let document, _) = self else { return 0 }
        return document.withNodes { $0.words.next(after: position) }
    }
}
