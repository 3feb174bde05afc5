/// The elements of the pages of a list, in their order: made by ``Pages/elements``.
///
/// ```swift
/// for try await user in client.pages(of: .users, by: .link()).elements { print(user.name) }
/// ```
public struct PageElements<Response: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Item

    let pages: Pages<Response, Item>
    let key: (@Sendable (Item) -> AnyHashable)?

    /// Begins an iteration, or joins the shared one.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), items: pages.items, key: key)
    }

    /// Passes the elements of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let pages: Pages<Response, Item>.AsyncIterator
        let items: @Sendable (Response) -> [Item]
        let key: (@Sendable (Item) -> AnyHashable)?
        private var current: ArraySlice<Item> = []
        private var keys: Set<AnyHashable> = []

        init(
            pages: Pages<Response, Item>.AsyncIterator,
            items: @escaping @Sendable (Response) -> [Item],
            key: (@Sendable (Item) -> AnyHashable)?
        ) {
            self.pages = pages
            self.items = items
            self.key = key
        }

        /// The next element; fetches a page if the current one has no more.
        /// - Returns: The element; `nil` after the last one.
        /// - Throws: ``PageError``, or `CancellationError` when the calling task was cancelled.
        public mutating func next() async throws -> Item? {
            while true {
                while let item = current.popFirst() {
                    guard let key else { return item }
                    if keys.insert(key(item)).inserted { return item }
                }
                guard let page = try await pages.next() else { return nil }
                current = items(page.value)[...]
            }
        }
    }
}

extension Pages {
    /// The elements of the pages, in their order.
    public var elements: PageElements<Response, Item> { PageElements(pages: self, key: nil) }

    /// The elements of the pages without those that an earlier page had already, for lists that change meanwhile.
    ///
    /// Stores the key of every element until the iteration ends.
    /// - Parameter key: The identity of an element.
    /// - Returns: The elements.
    public func elements<Key: Hashable & SendableMetatype>(
        uniqueBy key: @escaping @Sendable (Item) -> Key
    ) -> PageElements<Response, Item> {
        PageElements(pages: self) { AnyHashable(key($0)) }
    }
}

extension PageElements: Redacted {}
extension PageElements.AsyncIterator: Redacted {}
