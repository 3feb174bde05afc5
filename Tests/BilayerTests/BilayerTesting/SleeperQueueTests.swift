import Foundation
import Testing

@testable import BilayerTesting

@Suite("SleeperQueue: n log n with cancels")
struct SleeperQueueTests {
    /// A deadline that counts how often it is compared.
    private struct Deadline: Comparable, Sendable {
        // Sendable: `value` is only accessed under `lock`.
        final class Comparisons: @unchecked Sendable {
            private let lock = NSLock()
            private var value = 0
            var count: Int { lock.withLock { value } }
            func note() { lock.withLock { value += 1 } }
        }

        let time: Int
        let comparisons: Comparisons

        static func == (left: Self, right: Self) -> Bool {
            left.comparisons.note()
            return left.time == right.time
        }

        static func < (left: Self, right: Self) -> Bool {
            left.comparisons.note()
            return left.time < right.time
        }
    }

    /// Sleepers come in a random order. Three of four are cancelled in a random order while others wake, and nothing is
    /// left. The number of comparisons grows at most as n log n.
    @Test(arguments: [100, 1_000, 10_000], Seeds.some(2))
    func sleepersWakeInOrderAfterFewComparisons(count: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let comparisons = Deadline.Comparisons()
        var queue = SleeperQueue<Deadline, Int>()
        // Some deadlines are equal: their sleepers wake in the order in which they came.
        let times = (0..<count).map { _ in random.next(below: count / 2) }
        for (id, time) in times.enumerated() {
            queue.insert(id, id: id, until: Deadline(time: time, comparisons: comparisons))
        }
        var cancelled: Set<Int> = []
        var woken: [Int] = []
        let toCancel = Array((0..<count).shuffled(using: &random).prefix(3 * count / 4))
        for (step, id) in toCancel.enumerated() {
            if let sleeper = queue.remove(id) { cancelled.insert(sleeper) }
            #expect(queue.remove(id) == nil)
            if step.isMultiple(of: max(count / 100, 1)) {
                let now = Deadline(time: step / 4, comparisons: comparisons)
                woken += queue.removeDue(at: now)
                #expect(queue.earliest.map { $0.time > step / 4 } ?? true)
            }
        }
        woken += queue.removeDue(at: Deadline(time: count, comparisons: comparisons))
        #expect(queue.count == 0 && queue.earliest == nil)
        #expect(woken == woken.sorted { (times[$0], $0) < (times[$1], $1) }, "seed \(seed)")
        #expect(cancelled.isDisjoint(with: woken))
        #expect(cancelled.count + woken.count == count)
        // A step in the heap compares entries twice for each level, and comparing two entries compares their deadlines
        // twice.
        let levels = Int.bitWidth - count.leadingZeroBitCount
        #expect(comparisons.count <= 12 * count * levels, "seed \(seed): \(comparisons.count)")
    }
}
