import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("TestClock: 10,000 sleepers", .timeLimit(.minutes(5)))
struct TestClockCrowdTests {
    /// At each time exactly the sleepers whose deadline has come are awake, and cancelled sleepers sleep no more.
    @Test func eachWakesAtItsTimeOrIsCancelled() async throws {
        let (clock, count) = (TestClock(), 10_000)
        let ended = Locked<[Int: Bool]>([:])
        let sleepers = (0..<count)
            .map { number in
                Task {
                    let isWoken = (try? await clock.sleep(for: .milliseconds(number % 100 * 10 + 10))) != nil
                    ended.withLock { $0[number] = isWoken }
                }
            }
        try await clock.waitForSleepers(count: count)
        // The cancelled sleepers are at the start, in the middle and at the end of the queue.
        let cancelled = Set((0..<count).filter { $0 % 3 == 1 })
        for number in cancelled { sleepers[number].cancel() }
        #expect(clock.sleepers == count - cancelled.count)
        for number in cancelled { await sleepers[number].value }
        for step in 1...10 {
            clock.advance(by: .milliseconds(100))
            let due = Set((0..<count).filter { $0 % 100 * 10 + 10 <= step * 100 }).subtracting(cancelled)
            for number in due { await sleepers[number].value }
            let woken = ended.withLock { ended in Set(ended.filter(\.value).keys) }
            #expect(woken == due, "after \(step * 100) ms")
            #expect(clock.sleepers == count - cancelled.count - due.count)
        }
        #expect(ended.withLock { $0.count } == count)
        #expect(clock.sleepers == 0)
    }
}
