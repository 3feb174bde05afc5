/// A position between two pages. Save it after a page, and continue there later.
///
/// ```swift
/// for try await page in client.pages(of: .users, by: .pageNumber()) {
///     print(page.value.count)
///     UserDefaults.standard.set(try JSONEncoder().encode(page.next), forKey: "users")
/// }
/// ```
/// A position can contain cursors or addresses that the server sent. Use a position with the strategy that made it.
/// With a strategy whose positions have another form, such as an offset instead of a cursor, the iteration throws a
/// ``PageError``. A finished position ends the iteration with every strategy.
public struct PageState: Sendable, Hashable, Codable {
    /// The part of a request that selects the page.
    enum Position: Sendable, Hashable, Codable {
        /// The first page.
        case start
        /// The offset of the page.
        case offset(Int)
        /// The number of the page, as the server counts.
        case number(Int)
        /// A cursor that the server sends as a string.
        case cursor(String)
        /// A cursor that the server sends as a number.
        case numericCursor(String)
        /// The address of the page.
        case link(String)
        /// The server repeated a cursor or a link, so the pages would never end.
        case repeated
        /// There is no further page.
        case end
    }

    var position = Position.start
    /// The number of pages before this position.
    public internal(set) var pageCount = 0
    /// The number of elements in the pages before this position, with elements that the mapping dropped. If the route
    /// maps a value that is not a list, it is the number of elements in the responses.
    public internal(set) var elementCount = 0
    /// The cursors and links of the page at this position and of the pages before it, as far as they are kept.
    var visited = VisitedPages()
    /// The hash of the last page's list, or of its body if the mapped value is no JSON list. `nil` at the start.
    var lastListHash: UInt64?

    /// The position before the first page.
    public init() {}

    /// Whether there is no further page.
    public var isFinished: Bool { position == .end }
}

extension PageState {
    private enum CodingKeys: CodingKey {
        case position, pageCount, elementCount, visited, lastListHash
    }

    /// Reads a saved position.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError`. A negative number, or a number above 2^53, is an error, too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        position = try values.decode(Position.self, forKey: .position)
        pageCount = try values.decode(Int.self, forKey: .pageCount)
        elementCount = try values.decode(Int.self, forKey: .elementCount)
        visited = try values.decode(VisitedPages.self, forKey: .visited)
        lastListHash = try values.decodeIfPresent(UInt64.self, forKey: .lastListHash)
        for (key, number) in [
            (CodingKeys.position, position.number), (.pageCount, pageCount), (.elementCount, elementCount),
        ]
        where !Self.numbers.contains(number) {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: values,
                debugDescription: "found a number that no pages have, expected one from 0 to 2^53"
            )
        }
    }

    /// The valid numbers. They are far from the limits of `Int`, so that adding or subtracting two of them cannot
    /// overflow.
    private static let numbers = 0...min(Int(clamping: Int64(1) << 53), Int.max / 2)
}

extension PageState.Position {
    fileprivate var number: Int {
        switch self {
        case .offset(let number), .number(let number): number
        default: 0
        }
    }
}

extension PageState: Redacted {
    /// The number of pages: `PageState(after 3 pages)`, or `PageState(after 3 pages, finished)`.
    public var description: String { "PageState(after \(pageCount) pages\(isFinished ? ", finished" : ""))" }
}
