/// The pages of a list, fetched one after the other. Made by ``Client/pages(of:by:from:reporter:mapping:)`` and by
/// ``Client/pages(of:by:from:reporter:mapping:elements:)``.
///
/// ```swift
/// for try await page in client.pages(of: .users, by: .cursor(at: "meta.next", as: "cursor")) {
///     print(page.number, page.value.count)
/// }
/// ```
/// Each iteration begins at the first page, or at the restored position. Several tasks can divide the pages among them,
/// see ``shared()``. An iteration fetches all its pages for the users that an ``Authentication`` had when the iteration
/// began. A call of `next()` after an error reads the failed page again, so no page is skipped.
public struct Pages<Response: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// One page.
    public typealias Element = Page<Response>

    let call: PageCall<Response>
    let state: PageState
    let items: @Sendable (Response) -> [Item]
    private var isPrefetching = false
    private var sharedReader: PageReader<Response>?

    init(_ call: PageCall<Response>, from state: PageState, items: @escaping @Sendable (Response) -> [Item]) {
        self.call = call
        self.state = state
        self.items = items
    }

    /// Returns a copy that fetches the next page while the caller uses the current one.
    public func prefetching() -> Pages {
        var pages = self
        pages.isPrefetching = true
        return pages
    }

    /// Returns a copy whose iterations divide the pages among them. Each page goes to one iteration. A page is fetched
    /// again only after an error.
    ///
    /// All pages are fetched for the users that an ``Authentication`` has when this method is called.
    public func shared() -> Pages {
        var pages = self
        pages.sharedReader = PageReader(call.forUsersNow(), from: state)
        return pages
    }

    /// Begins an iteration, or joins the shared iteration (``shared()``).
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: sharedReader ?? PageReader(call.forUsersNow(), from: state), isPrefetching: isPrefetching)
    }

    /// The iterator over the pages. Copies of an iterator share their position.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: PageReader<Response>
        let isPrefetching: Bool

        /// Fetches the next page.
        /// - Returns: The page; `nil` after the last one.
        /// - Throws: ``PageError``, or `CancellationError` if the calling task was cancelled. The next call reads the
        ///   failed page again.
        public func next() async throws -> Page<Response>? { try await reader.next(isPrefetching) }
    }
}

extension Pages: Redacted {}
extension Pages.AsyncIterator: Redacted {}
