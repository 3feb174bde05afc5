import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Calls that start and are cancelled at random times, against a model that keeps a bucket and a list of places.
@Suite("Random histories: rate limit", .timeLimit(.minutes(5)))
struct RateHistoryTests {
    @Test(arguments: Seeds.some(12)) func callsAreSentWhenTheModelSays(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let (clock, server, callers) = (TestClock(), HeldServer(), Callers())
        let burst = 1 + random.next(below: 4)
        let limit = RateLimit(1, per: .seconds(1), burst: burst, clock: clock)
        let transport = server.transport.wrapped(by: limit)
        var model = BucketModel(burst: burst)
        var now = 0
        var sent: Set<Int> = []
        var cancelled: Set<Int> = []

        for step in 0..<100 {
            switch random.next(below: 6) {
            case 0, 1, 2:
                let number = callers.count
                callers.start { try await transport.process(HTTPRequest("h.example/\(number)")) }
                model.begin(number, at: now)
            case 3:
                let waiting = model.waiting(at: now)
                guard !waiting.isEmpty else { continue }
                let number = waiting[random.next(below: waiting.count)]
                callers.cancel(number)
                model.cancel(number)
                cancelled.insert(number)
            default:
                let pause = 1 + random.next(below: 2_500)
                clock.advance(by: .milliseconds(pause))
                now += pause
            }
            sent.formUnion(model.sent(until: now))
            let isAsExpected = await settles {
                Set(server.requests.compactMap { Int($0.url.lastPathComponent) }) == sent
                    && clock.sleepers == model.waiting(at: now).count
                    && Set(callers.outcomes.keys) == cancelled
            }
            guard isAsExpected else {
                Issue.record("seed \(seed), step \(step), at \(now) ms: sent \(server.requests), expected \(sent)")
                break
            }
        }
        #expect(callers.outcomes.values.allSatisfy { $0 == "cancelled" }, "seed \(seed)")
        await callers.cancelAll()
        // No token is lost for ever: after a pause there is the whole burst, and no more.
        clock.advance(by: .seconds(1_000))
        let before = server.requests.count
        for _ in 0...burst { callers.start { try await transport.process(HTTPRequest("h.example/")) } }
        let isFull = await settles { server.requests.count == before + burst && clock.sleepers == 1 }
        #expect(isFull, "seed \(seed)")
        await callers.cancelAll()
        #expect(clock.sleepers == 0)
    }
}

/// A bucket whose level counts milliseconds; a token takes one second. Each call has a place: the time at which it is
/// sent. A new call gets the first place, not yet past, that a cancelled call has given back. If there is none, its
/// place is behind all others: the time at which the bucket has a whole token.
private struct BucketModel {
    private enum Holder: Equatable {
        case call(Int)
        case nobody
        case lost
    }

    let burst: Int
    private var places: [(time: Int, holder: Holder)] = []

    init(burst: Int) { self.burst = burst }

    func waiting(at now: Int) -> [Int] { calls { $0 > now } }

    func sent(until now: Int) -> [Int] { calls { $0 <= now } }

    private func calls(where isMeant: (Int) -> Bool) -> [Int] {
        places.compactMap { place in
            if case .call(let number) = place.holder, isMeant(place.time) { number } else { nil }
        }
    }

    mutating func begin(_ call: Int, at now: Int) {
        for index in places.indices where places[index].holder == .nobody && places[index].time < now {
            places[index].holder = .lost
        }
        if let index = places.firstIndex(where: { $0.holder == .nobody }) {
            places[index].holder = .call(call)
        } else {
            places.append((firstTokenTime(from: now), .call(call)))
        }
    }

    /// A place between others stays there for the next call; one at the end is gone.
    mutating func cancel(_ call: Int) {
        for index in places.indices where places[index].holder == .call(call) { places[index].holder = .nobody }
        while places.last?.holder == .nobody { places.removeLast() }
    }

    private func firstTokenTime(from now: Int) -> Int {
        var (level, time) = (burst * 1_000, 0)
        for place in places {
            level = min(level + place.time - time, burst * 1_000) - 1_000
            time = place.time
        }
        let start = max(now, time)
        level = min(level + start - time, burst * 1_000)
        return start + max(1_000 - level, 0)
    }
}
