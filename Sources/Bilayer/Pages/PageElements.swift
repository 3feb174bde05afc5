/// The elements of all pages of a list, in order. Made by ``Pages/elements``, and by ``Pages/elements(uniqueBy:)``, which
/// leaves out repeated elements.
///
/// ```swift
/// for try await user in client.pages(of: .users, by: .link()).elements { print(user.name) }
/// ```
public struct PageElements<Response: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Item

    let pages: Pages<Response, Item>
    let key: (@Sendable (Item) -> AnyHashable)?

    /// Begins an iteration, or joins the shared iteration (``Pages/shared()``).
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), items: pages.items, key: key)
    }

    /// The iterator over the elements of the pages.
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

        /// Returns the next element. Fetches a page if the current page has no more elements.
        /// - Returns: The element; `nil` after the last one.
        /// - Throws: ``PageError``, or `CancellationError` if the calling task was cancelled.
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
    /// The elements of all pages, in order.
    public var elements: PageElements<Response, Item> { PageElements(pages: self, key: nil) }

    /// Returns the elements of all pages, in order, but leaves out each element whose key has occurred before.
    ///
    /// Use it for lists that change during the iteration, so that an element can be on two pages. The iterator stores
    /// the key of every element until the iteration ends.
    /// - Parameter key: Returns the identity of an element.
    /// - Returns: The elements.
    public func elements<Key: Hashable & SendableMetatype>(
        uniqueBy key: @escaping @Sendable (Item) -> Key
    ) -> PageElements<Response, Item> {
        PageElements(pages: self) { AnyHashable(key($0)) }
    }
}

extension PageElements: Redacted {}
extension PageElements.AsyncIterator: Redacted {}
