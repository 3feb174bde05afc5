import Foundation
import Testing

@testable import Bilayer

@Suite("OneShotDelivery: the rules of a subscription", .timeLimit(.minutes(5)))
struct OneShotDeliveryTests {
    private struct Fault: Error {}

    @Test(arguments: [1, 2, .max])
    func theFirstDemandStartsTheCallOnce(demand: Int) async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) {
            log.add("called")
            return 1
        }
        log.add("made")
        delivery.request(demand)
        delivery.request(1)
        #expect(await log.events(until: "finished") == ["made", "called", "value 1", "finished"])
    }

    /// The demand that a test requests. The task of the call inherits this value from the request that has started it.
    @TaskLocal private static var demand = -1

    @Test func aDemandOfZeroStartsNothing() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { Self.demand }
        for demand in 0...1 { Self.$demand.withValue(demand) { delivery.request(demand) } }
        #expect(await log.events(until: "finished") == ["value 1", "finished"])
    }

    @Test func aDemandFromWithinTheValueStartsNoSecondCall() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { 1 }
        log.onValue = { delivery.request(.max) }
        delivery.request(1)
        _ = await log.events(until: "finished")
        delivery.request(1)
        await log.untilNothingCanCome()
        #expect(log.all == ["value 1", "finished"])
    }

    @Test func aFailureIsTheOnlyThingDelivered() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { throw Fault() }
        delivery.request(1)
        #expect(await log.events(until: "failed Fault") == ["failed Fault"])
        delivery.cancel()
        await log.untilNothingCanCome()
        #expect(log.all == ["failed Fault"])
    }

    @Test func afterACancelBeforeTheDemandNothingStarts() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) {
            log.add("called")
            return 1
        }
        delivery.cancel()
        delivery.request(1)
        await log.untilNothingCanCome()
        #expect(log.all == [])
    }

    @Test func aCancelWhileTheCallRunsCancelsItAndDeliversNothing() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) {
            defer { log.add("call ended") }
            log.add("call began")
            try await Task.sleep(for: .seconds(3_600))
            return 1
        }
        delivery.request(1)
        _ = await log.events(until: "call began")
        delivery.cancel()
        _ = await log.events(until: "call ended")
        await log.untilNothingCanCome()
        #expect(log.all == ["call began", "call ended"])
    }

    @Test func aCancelWithinTheValuePreventsTheCompletion() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { 1 }
        log.onValue = {
            delivery.cancel()
            log.add("cancelled")
        }
        delivery.request(1)
        _ = await log.events(until: "cancelled")
        await log.untilNothingCanCome()
        #expect(log.all == ["value 1", "cancelled"])
    }

    @Test func aCancelOfAnotherTaskWhileTheValueIsReceivedPreventsTheCompletion() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { 1 }
        let isCancelled = DispatchSemaphore(value: 0)
        log.onValue = { isCancelled.wait() }
        delivery.request(1)
        _ = await log.events(until: "value 1")
        delivery.cancel()
        isCancelled.signal()
        await log.untilNothingCanCome()
        #expect(log.all == ["value 1"])
    }

    @Test func aCancelWithinTheCompletionAndAfterItHasNoEffect() async {
        let log = EventLog()
        let delivery = OneShotDelivery(log: log) { 1 }
        log.onCompletion = { delivery.cancel() }
        delivery.request(1)
        _ = await log.events(until: "finished")
        delivery.cancel()
        delivery.request(1)
        await log.untilNothingCanCome()
        #expect(log.all == ["value 1", "finished"])
    }

    @Test func fourHundredRacesDeliverInOrderAndAtMostOnce() async {
        for round in 0..<400 {
            let log = EventLog()
            let delivery = OneShotDelivery(log: log) {
                if round.isMultiple(of: 2) { await Task.yield() }
                return round
            }
            await withTaskGroup { group in
                group.addTask { delivery.request(1) }
                group.addTask { delivery.request(.max) }
                group.addTask {
                    if round.isMultiple(of: 3) { await Task.yield() }
                    delivery.cancel()
                }
            }
            await log.untilNothingCanCome()
            let whole = ["value \(round)", "finished"]
            #expect(whole.starts(with: log.all), "round \(round): \(log.all)")
        }
    }

    @Test func fourHundredCancelsThatReturnedBeforeTheValueWasTakenDeliverNoCompletion() async {
        for round in 0..<400 {
            let log = EventLog()
            let delivery = OneShotDelivery(log: log) { round }
            log.onValue = {
                DispatchQueue.concurrentPerform(iterations: 3) { lane in
                    if lane == 1 { delivery.cancel() } else { delivery.request(1) }
                }
                log.add("cancelled")
            }
            delivery.request(1)
            _ = await log.events(until: "cancelled")
            await log.untilNothingCanCome()
            #expect(log.all == ["value \(round)", "cancelled"], "round \(round)")
        }
    }

    @Test func ofACancelAndACompletionThatRaceExactlyOneWins() async {
        for round in 0..<1_000 {
            let log = EventLog()
            let delivery = OneShotDelivery(log: log) { round }
            let isReceived = DispatchSemaphore(value: 0)
            log.onValue = {
                isReceived.signal()
                Self.spin(round * 2)
            }
            let isPrevented = await withCheckedContinuation { continuation in
                DispatchQueue.global()
                    .async {
                        isReceived.wait()
                        Self.spin(round % 7)
                        continuation.resume(returning: delivery.cancel())
                    }
                delivery.request(1)
            }
            if !isPrevented { _ = await log.events(until: "finished") }
            await log.untilNothingCanCome()
            #expect(log.all == ["value \(round)"] + (isPrevented ? [] : ["finished"]), "round \(round)")
            #expect(!delivery.cancel(), "round \(round)")
        }
    }

    @Test func ofManyCancelsOneEndsTheDelivery() async {
        for round in 0..<400 {
            let delivery = OneShotDelivery(log: EventLog()) {
                try await Task.sleep(for: .seconds(3_600))
                return round
            }
            if round.isMultiple(of: 2) { delivery.request(1) }
            let prevented = await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { delivery.cancel() } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(prevented == 1, "round \(round)")
        }
    }

    private static func spin(_ count: Int) {
        let lock = NSLock()
        for _ in 0..<count { lock.withLock {} }
    }
}

@Suite("OneShotDelivery: what it keeps alive", .timeLimit(.minutes(5)))
struct OneShotDeliveryLifetimeTests {
    private final class Downstream: Sendable {}

    @Test func theReceiverLivesUntilTheCancel() throws {
        var downstream: Downstream? = Downstream()
        weak let observed = downstream
        let delivery = Self.delivery(to: try #require(downstream))
        downstream = nil
        #expect(observed != nil)
        delivery.cancel()
        #expect(observed == nil)
    }

    @Test func theReceiverAndTheCallAreReleasedAfterTheCompletion() async throws {
        var downstream: Downstream? = Downstream()
        var captured: Downstream? = Downstream()
        weak let observed = downstream
        weak let observedCall = captured
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        let delivery = Self.delivery(to: try #require(downstream), capturing: captured) { continuation.yield() }
        downstream = nil
        captured = nil
        delivery.request(1)
        for await _ in ended { break }
        // The task of the call ends after the completion.
        while observed != nil || observedCall != nil { await Task.yield() }
        withExtendedLifetime(delivery) {}
    }

    @Test func aDownstreamThatCancelsWhenItIsReleasedDoesNotDeadlock() async throws {
        final class CancelsWhenReleased: Sendable {
            let onRelease: @Sendable () -> Void
            init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let slot = Slot()
        do {
            let downstream = CancelsWhenReleased { slot.delivery?.cancel() }
            slot.delivery = OneShotDelivery(
                call: { 1 },
                receiver: .init(
                    value: { _ in withExtendedLifetime(downstream) {} },
                    completion: { _ in withExtendedLifetime(downstream) {} }
                )
            )
        }
        slot.delivery?.cancel()
        #expect(slot.delivery != nil)
    }

    private static func delivery(
        to downstream: Downstream,
        capturing captured: Downstream? = nil,
        onCompletion: @escaping () -> Void = {}
    ) -> OneShotDelivery<Int> {
        OneShotDelivery(
            call: { captured == nil ? 0 : 1 },
            receiver: .init(
                value: { _ in withExtendedLifetime(downstream) {} },
                completion: { _ in withExtendedLifetime(downstream) { onCompletion() } }
            )
        )
    }

    // Sendable: one test uses it from one task.
    private final class Slot: @unchecked Sendable {
        var delivery: OneShotDelivery<Int>?
    }
}

extension OneShotDelivery<Int> {
    fileprivate convenience init(log: EventLog, call: @escaping @Sendable () async throws -> Int) {
        let token = log.makeToken()
        self.init(
            call: call,
            receiver: Receiver(
                value: { value in
                    log.add("value \(value)")
                    log.onValue()
                    withExtendedLifetime(token) {}
                },
                completion: { error in
                    log.add(error.map { "failed \(type(of: $0))" } ?? "finished")
                    log.onCompletion()
                    withExtendedLifetime(token) {}
                }
            )
        )
    }
}

/// What happened, in order, from any thread.
// Sendable: the events are accessed under the lock; the closures are set before the delivery starts.
private final class EventLog: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [String] = []
    private let added = AsyncStream<Void>.makeStream()
    var onValue: () -> Void = {}
    var onCompletion: () -> Void = {}

    private weak var token: Token?

    final class Token: Sendable {}

    var all: [String] { lock.withLock { events } }

    /// A new object for the receiver to hold, so that its release can be seen.
    func makeToken() -> Token {
        let token = Token()
        lock.withLock { self.token = token }
        return token
    }

    /// Waits until the receiver is released: after that, nothing can be delivered.
    func untilNothingCanCome() async {
        while lock.withLock({ token != nil }) { await Task.yield() }
    }

    func add(_ event: String) {
        lock.withLock { events.append(event) }
        added.continuation.yield()
    }

    /// Waits until the given event has come, and returns all events so far.
    func events(until last: String) async -> [String] {
        var iterator = added.stream.makeAsyncIterator()
        while !all.contains(last) { await iterator.next() }
        return all
    }
}
