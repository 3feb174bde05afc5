/// The index of a child of a container: an element or a member.
///
/// In a parsed container, every index but the end index is made by stepping from the first child. So if its ordinal is
/// less than the number of children, its position is that of a child. The index retains the document, so no other
/// document can get its address, which ``isIn(_:)`` compares.
struct ChildIndex: Sendable {
    /// The distance from the first child; 0 or more.
    let ordinal: Int
    /// The index position of the child in a parsed text. For a member it is the position of the key. For an object made
    /// in code, it is the slot of the member.
    let position: Int
    /// The document of a parsed container; nil for a container made in code.
    private let document: JsonDocument?
    private let container: Int

    init(_ storage: Json.Storage, ordinal: Int, position: Int) {
        self.ordinal = ordinal
        self.position = position
        if case .view(let document, let container) = storage {
            self.document = document
            self.container = container
        } else {
            document = nil
            container = 0
        }
    }

    private init(_ child: ChildIndex, ordinal: Int, position: Int) {
        self.ordinal = ordinal
        self.position = position
        document = child.document
        container = child.container
    }

    /// Returns the index of the next child.
    func next(at position: Int) -> ChildIndex { ChildIndex(self, ordinal: ordinal + 1, position: position) }

    /// Whether this index belongs to a container. An index into a container made in code belongs to all containers made
    /// in code.
    func isIn(_ storage: Json.Storage) -> Bool {
        guard case .view(let document, let container) = storage else { return self.document == nil }
        return self.document === document && self.container == container
    }
}

extension Json.Storage {
    /// The index position of the first child of a parsed container; 0 for a container made in code.
    var firstChild: Int {
        guard case .view(let document, let position) = self else { return 0 }
        return document.nodes.firstChild(of: position)
    }

    /// Returns the index position after a child of a parsed container. There must be a child at `position`.
    func position(after position: Int) -> Int {
        guard case .view(let document, _) = self else { return 0 }
        return document.withNodes { $0.words.next(after: position) }
    }
}
