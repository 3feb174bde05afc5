/// The error of a page: which page it is, why it could not be read, and the position before it.
///
/// ```swift
/// do {
///     for try await user in client.pages(of: .users, by: .pageNumber()).elements { print(user.name) }
/// } catch let error as PageError {
///     print(error.page, error.call?.status ?? 0)
///     let rest = client.pages(of: .users, by: .pageNumber(), from: error.state)      // reads that page again
/// }
/// ```
/// A cancelled iteration throws `CancellationError`.
public struct PageError: Error, Sendable {
    /// The kind of a page's error.
    public enum Kind: String, Sendable, Hashable {
        /// The call failed: ``PageError/underlyingError`` is the ``CallError``.
        case call = "the call failed"
        /// The cursor, link or total of the page has another form than expected.
        case paging = "the page does not say which one is next"
        /// A cursor or link that an earlier page had already: the pages would never end.
        case repeatedCursor = "found a cursor or link of an earlier page, expected a new one"
        /// The page equals the one before it, and neither a total nor a maximum ends the pages: the server ignores the
        /// offset or the page number.
        case repeatedPage = "found the previous page again, expected the next one"
        /// The link points to another origin, which is not allowed.
        case foreignOrigin = "found a link to another origin, expected one that is allowed"
        /// The link is no address.
        case invalidLink = "found a link that is no address"
        /// A path of the strategy is none: no request is sent.
        case invalidPath = "found a text that is no path in the strategy"
        /// The state is of another strategy.
        case foreignState = "found a state of another strategy"
    }

    /// The kind of the error.
    public let kind: Kind
    /// The number of the page, counted from 1.
    public let page: Int
    /// The position before the page, to read it again.
    public let state: PageState
    /// The endpoint's name: `GET users`.
    public let route: String
    /// The cause, if there is one.
    public let underlyingError: (any Error)?

    /// The error of the page's call, if it failed.
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
    /// The page, and the reason: `page 3 of GET users: …`.
    public var description: String {
        let reason = underlyingError.map { describeForeign($0) }
        let text = kind == .call ? reason : [kind.rawValue, reason].compactMap { $0 }.joined(separator: ": ")
        return "page \(page) of \(route): \(text ?? kind.rawValue)"
    }
}
