/// The position between two pages: save it after a page, and continue there later.
///
/// ```swift
/// for try await page in client.pages(of: .users, by: .pageNumber()) {
///     print(page.value.count)
///     UserDefaults.standard.set(try JSONEncoder().encode(page.next), forKey: "users")
/// }
/// ```
/// It contains cursors or addresses of the server. Restore it for the strategy that it came from; another one refuses
/// it.
public struct PageState: Sendable, Hashable, Codable {
    enum Position: Sendable, Hashable, Codable {
        case start
        case offset(Int)
        case number(Int)
        case cursor(String)
        case link(String)
        /// The server repeated a cursor or a link: the pages would never end.
        case repeated
        case end
    }

    var position = Position.start
    /// The number of pages before this position.
    public internal(set) var pageCount = 0
    /// The number of elements in these pages, as the server sent them.
    public internal(set) var elementCount = 0
    /// The cursors and links of the pages before this position.
    var visited: Set<String> = []
    /// The digest of the last page's body.
    var lastBody: UInt64?

    /// The position before the first page.
    public init() {}

    /// Whether there is no further page.
    public var isFinished: Bool { position == .end }
}

extension PageState: Redacted {
    /// The number of pages: `PageState(after 3 pages)`.
    public var description: String { "PageState(after \(pageCount) pages\(isFinished ? ", finished" : ""))" }
}
