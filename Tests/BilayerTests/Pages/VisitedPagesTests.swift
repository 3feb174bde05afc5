import Foundation
import Testing

@testable import Bilayer

@Suite("Pages that repeat are found with a bounded memory")
struct VisitedPagesTests {
    /// The number of pages that are read until a repeated page is found. The pages are some single ones, then a circle.
    private func pages(before count: Int, circle length: Int) -> Int {
        var visited = VisitedPages()
        var page = 0
        while visited.insert("\(page < count ? page : count + (page - count) % length)") { page += 1 }
        return page
    }

    @Test("a short circle is found at its first repeated page", arguments: [0, 1, 31, 32, 1_000])
    func shortCircles(count: Int) {
        for length in 1...VisitedPages.recentCount {
            #expect(pages(before: count, circle: length) == count + length)
        }
    }

    @Test("a long circle is found, too", arguments: [33, 100, 999, 4_096])
    func longCircles(length: Int) {
        for count in [0, 1, 500, 5_000] {
            let found = pages(before: count, circle: length)
            #expect(found >= count + length && found <= 4 * (count + length))
        }
    }

    @Test("no page of many is taken for an earlier one, and a position keeps a bounded number")
    func manyPages() throws {
        var visited = VisitedPages()
        for page in 0..<10_000 {
            let isNew = visited.insert("\(page)")
            #expect(isNew)
        }
        #expect(try JSONEncoder().encode(visited).count < 1_000)
    }
}
