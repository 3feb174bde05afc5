/// The index of a child, an element or a member, of one container.
///
/// A value for a parsed container is only made by stepping from its first child, and it retains the document. So its
/// position is that of a child or of the end. No other document can be allocated at the retained document's address.
struct ChildIndex: Sendable {
    /// The distance from the first child; 0 or more.
    let ordinal: Int
    /// The child's position in the index of a parsed text, that of the key for a member.
    let position: Int
    /// The parsed container, nil for one that code made.
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

    /// Whether this belongs to a container: to this one if it is parsed, otherwise to any container made in code.
    func isIn(_ storage: Json.Storage) -> Bool {
        guard case .view(let document, let container) = storage else { return self.document == nil }
        return self.document === document && self.container == container
    }
}

extension Json.Storage {
    /// The index position of a parsed container's first child.
    var firstChild: Int {
        guard case .view(let document, let position) = self else { return 0 }
        return document.nodes.firstChild(of: position)
    }

    /// The index position after a child of a parsed container, which must be one.
    func position(after position: Int) -> Int {
        guard case .view(let document, _) = self else { return 0 }
        return document.withNodes { $0.words.next(after: position) }
    }
}
