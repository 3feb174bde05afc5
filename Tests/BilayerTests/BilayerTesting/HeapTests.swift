import Foundation
import Testing

@testable import BilayerTesting

@Suite("Heap: n log n for any number of sleepers")
struct HeapTests {
    /// A value that counts how often two such values are compared.
    private struct Counted: Comparable, Sendable {
        // Sendable: `value` is only accessed under `lock`.
        final class Comparisons: @unchecked Sendable {
            private let lock = NSLock()
            private var value = 0
            var count: Int { lock.withLock { value } }
            func note() { lock.withLock { value += 1 } }
        }

        let value: Int
        let comparisons: Comparisons

        static func == (left: Self, right: Self) -> Bool { left.value == right.value }

        static func < (left: Self, right: Self) -> Bool {
            left.comparisons.note()
            return left.value < right.value
        }
    }

    @Test(arguments: [1, 10, 1_000, 10_000], ["rising", "falling", "random"])
    func elementsComeInOrderAfterFewComparisons(count: Int, order: String) {
        let comparisons = Counted.Comparisons()
        var random = SplitMix64(seed: 7)
        var values = Array(0..<count)
        if order == "falling" { values.reverse() }
        if order == "random" { values.shuffle(using: &random) }
        var heap = Heap<Counted>()
        for value in values { heap.insert(Counted(value: value, comparisons: comparisons)) }
        var found: [Int] = []
        while let next = heap.removeSmallest() { found.append(next.value) }
        #expect(found == Array(0..<count))
        // An insertion compares once for each level, a removal twice.
        let levels = Int.bitWidth - count.leadingZeroBitCount
        #expect(comparisons.count <= 3 * count * levels)
    }
}
