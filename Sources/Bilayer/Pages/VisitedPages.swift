/// The cursors or links of the page at a position and of the pages before it, as far as they are needed to find pages
/// that never end.
///
/// The keys (cursors or links) of the last pages are kept. A longer circle of pages is found by Brent's method: one
/// earlier key is kept, which moves on at each power of two. So a position has a bounded number of keys, however many
/// pages are before it.
struct VisitedPages: Sendable, Hashable, Codable {
    /// A circle of at most this many pages is found at its first repeated page.
    static let recentCount = 32

    private var recent: [String] = []
    private var landmark: String?
    private var count = 0

    /// Records the key of a page.
    /// - Returns: Whether the key is new, as far as the kept keys show.
    @discardableResult
    mutating func insert(_ key: String) -> Bool {
        guard key != landmark, !recent.contains(key) else { return false }
        count += 1
        if count & (count - 1) == 0 { landmark = key }
        recent.append(key)
        if recent.count > Self.recentCount { recent.removeFirst() }
        return true
    }
}
