import Testing

@testable import Bilayer

@Suite("PermitQueue: who is next")
struct PermitQueueTests {
    @Test func theUrgentAreNextAndNoneWaitsForEver() {
        var queue = PermitQueue<String, CallPriority>(permits: 1)
        let found1 = queue.take()
        #expect(found1)
        let found2 = queue.take()
        #expect(!found2)
        var names = ["low", "n1", "h1", "h2", "h3", "h4", "h5", "h6", "n2"]
        for (id, name) in names.enumerated() {
            let priority: CallPriority = name == "low" ? .background : name.hasPrefix("n") ? .normal : .high
            queue.wait(name, id: id, priority: priority)
        }
        names = names.compactMap { _ in queue.release() }
        // After four waiters have overtaken it, the oldest waiter is next.
        #expect(names == ["h1", "h2", "h3", "h4", "low", "h5", "h6", "n1", "n2"])
        #expect(!queue.isIdle)
        let found3 = queue.release()
        #expect(found3 == nil)
        #expect(queue.isIdle)
    }

    @Test func whoLeavesIsNotNext() {
        var queue = PermitQueue<String, CallPriority>(permits: 1)
        let found4 = queue.take()
        #expect(found4)
        queue.wait("a", id: 1, priority: .normal)
        queue.wait("b", id: 2, priority: .normal)
        let found5 = queue.leave(1)
        #expect(found5 == "a")
        let found6 = queue.leave(1)
        #expect(found6 == nil)
        let found7 = queue.release()
        #expect(found7 == "b")
    }

    @Test func fewerPlacesAreFreeLaterAndMoreAtOnce() {
        var queue = PermitQueue<String, EqualPriority>(permits: 1)
        let isIn = queue.take()
        #expect(isIn)
        for (id, name) in ["a", "b", "c", "d"].enumerated() { queue.wait(name, id: id, priority: .only) }
        queue.permits = 3
        let second = [queue.next(), queue.next(), queue.next()]
        #expect(second == ["a", "b", nil])
        queue.permits = 1
        let refused = [queue.release(), queue.release()]
        #expect(refused == [nil, nil])
        let third = queue.release()
        #expect(third == "c")
        #expect(queue.waiting == 1)
    }

    /// Equally urgent waiters keep their order, at most four overtake the oldest one, and no permit is lost.
    @Test(arguments: 0..<100) func randomProgramsAreFair(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let permits = 1 + random.next(below: 3)
        var queue = PermitQueue<Int, CallPriority>(permits: permits)
        var waiting: [(id: Int, priority: CallPriority)] = []
        var (taken, overtakings) = (0, 0)
        for id in 0..<500 {
            switch random.next(below: 5) {
            case 0...1:
                if queue.take() {
                    taken += 1
                    #expect(waiting.isEmpty && taken <= permits, "seed \(seed)")
                } else {
                    #expect(taken == permits, "seed \(seed)")
                    let priority = CallPriority(rawValue: random.next(below: 3)) ?? .normal
                    queue.wait(id, id: id, priority: priority)
                    waiting.append((id, priority))
                }
            case 2 where !waiting.isEmpty:
                let number = random.next(below: waiting.count)
                let found8 = queue.leave(waiting[number].id)
                #expect(found8 == waiting[number].id, "seed \(seed)")
                if number == 0 { overtakings = 0 }
                waiting.remove(at: number)
            case 3...4 where taken > 0:
                guard let next = queue.release() else {
                    #expect(waiting.isEmpty, "seed \(seed)")
                    taken -= 1
                    continue
                }
                guard let index = waiting.firstIndex(where: { $0.id == next }) else {
                    Issue.record("seed \(seed): nobody waits as \(next)")
                    return
                }
                #expect(!waiting[..<index].contains { $0.priority == waiting[index].priority }, "seed \(seed)")
                overtakings = index == 0 ? 0 : overtakings + 1
                #expect(overtakings <= 4, "seed \(seed)")
                waiting.remove(at: index)
            default: break
            }
        }
    }
}
