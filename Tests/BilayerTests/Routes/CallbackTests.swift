import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("Callback form of a call")
struct CallbackTests {
    private func client(_ answer: StubTransport.Answer) -> Client {
        let stub = StubTransport()
        stub.on(.get, "/health", answer)
        return Client(baseURL: URL("https://api.example.com"), transport: stub)
    }

    @Test func theOutcomeComesOnce() async throws {
        let (outcomes, continuation) = AsyncStream<Result<Json, any Error>>.makeStream()
        client(.json("[1]")).fetch(.health) { continuation.yield($0) }
        var iterator = outcomes.makeAsyncIterator()
        #expect(try await iterator.next()?.get() == [1])
    }

    @Test func aCancelledCallReportsTheCancellation() async throws {
        let (outcomes, continuation) = AsyncStream<Result<Json, any Error>>.makeStream()
        let call = client(.hold).fetch(.health) { continuation.yield($0) }
        call.cancel()
        var iterator = outcomes.makeAsyncIterator()
        let outcome = await iterator.next()
        #expect(throws: CancellationError.self) { try outcome?.get() }
    }

    @Test @MainActor func theClosureRunsWhereItSays() async throws {
        let (outcomes, continuation) = AsyncStream<Void>.makeStream()
        let screen = Screen()
        client(.json("[1]"))
            .fetch(.health) { @MainActor _ in
                screen.isShown = true
                continuation.yield()
            }
        for await _ in outcomes { break }
        #expect(screen.isShown)
    }

    @MainActor private final class Screen {
        var isShown = false
    }
}

@Suite("OneShotDelivery: the rules of a subscription")
struct OneShotDeliveryTests {
    @Test func nothingHappensBeforeTheFirstDemand() async {
        let (events, continuation) = AsyncStream<String>.makeStream()
        let delivery = OneShotDelivery(
            call: { () -> Int in
                continuation.yield("called")
                return 1
            },
            deliver: { _ in continuation.yield("delivered") }
        )
        continuation.yield("made")
        delivery.start()
        delivery.start()
        var seen: [String] = []
        for await event in events {
            seen.append(event)
            if event == "delivered" { break }
        }
        #expect(seen == ["made", "called", "delivered"])
    }

    @Test func nothingIsDeliveredAfterACancel() async {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let (ended, endedContinuation) = AsyncStream<Void>.makeStream()
        let delivered = Counter()
        let delivery = OneShotDelivery(
            call: { () -> Int in
                defer { endedContinuation.yield() }
                continuation.yield()
                try await Task.sleep(for: .seconds(3_600))
                return 1
            },
            deliver: { _ in delivered.increment() }
        )
        delivery.start()
        for await _ in begun { break }
        delivery.cancel()
        for await _ in ended { break }
        #expect(delivered.value == 0)
    }

    @Test func fourHundredRacesDeliverAtMostOnceAndNeverAfterTheCancelReturned() async {
        for round in 0..<400 {
            let delivered = Counter()
            let delivery = OneShotDelivery(
                call: { () -> Int in
                    await Task.yield()
                    return round
                },
                deliver: { _ in delivered.increment() }
            )
            await withTaskGroup { group in
                group.addTask { delivery.start() }
                group.addTask { delivery.start() }
                group.addTask { delivery.cancel() }
            }
            #expect(delivered.value <= 1, "round \(round)")
        }
    }
}

/// Counts from any thread. `@unchecked Sendable`: the number is only touched under the lock.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func increment() { lock.withLock { count += 1 } }
}
