/// The error of a page: the number of the page, the reason, and the position before the page.
///
/// ```swift
/// do {
///     for try await user in client.pages(of: .users, by: .pageNumber()).elements { print(user.name) }
/// } catch let error as PageError {
///     print(error.page, error.call?.status ?? 0)
///     let rest = client.pages(of: .users, by: .pageNumber(), from: error.state)      // reads that page again
/// }
/// ```
/// A cancelled iteration throws `CancellationError` instead.
public struct PageError: Error, Sendable {
    /// The kind of a page's error.
    public enum Kind: String, Sendable, Hashable {
        /// The call failed. ``PageError/underlyingError`` is the ``CallError``.
        case call = "the call failed"
        /// The cursor, its flag, the link or the total in the page has another form than expected.
        case paging = "found no usable position of the next page"
        /// The page has the cursor or link of an earlier page, so the pages would never end.
        case repeatedCursor = "found a cursor or link of an earlier page, expected a new one"
        /// The list of the page equals the list of the previous page, and neither a total nor a maximum ends the pages.
        /// The server probably ignores the offset or the page number.
        case repeatedPage = "found the previous page again, expected the next one"
        /// The link points to an origin that is not allowed.
        case foreignOrigin = "found a link to another origin, expected one that is allowed"
        /// The link is not an absolute URL.
        case invalidLink = "found a link that is no address"
        /// The strategy has a path that is not valid. No request was sent.
        case invalidPath = "found a text that is no path in the strategy"
        /// The position was saved with another kind of strategy.
        case foreignState = "found a state of another strategy"
    }

    /// The kind of the error.
    public let kind: Kind
    /// The number of the page, counted from 1.
    public let page: Int
    /// The position before the page. Begin there to read the page again.
    public let state: PageState
    /// The name of the endpoint: `GET users`.
    public let route: String
    /// The cause, if the error has one.
    public let underlyingError: (any Error)?

    /// The error of the call, if the call of the page failed.
    public var call: CallError? { underlyingError as? CallError }

    init(_ kind: Kind, before state: PageState, of route: Endpoint, _ underlyingError: (any Error)? = nil) {
        self.kind = kind
        page = state.pageCount + 1
        self.state = state
        self.route = route.name
        self.underlyingError = underlyingError
    }
}

extension PageError: Redacted {
    /// The number of the page and the reason: `page 3 of GET users: …`.
    public var description: String {
        let reason = underlyingError.map { describeForeign($0) }
        let text = kind == .call ? reason : [kind.rawValue, reason].compactMap { $0 }.joined(separator: ": ")
        return "page \(page) of \(route): \(text ?? kind.rawValue)"
    }
}
