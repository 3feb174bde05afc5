import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let request = HTTPRequest(url: URL("https://api.example.com/users"))

@Suite("RateLimit: requests in a time", .timeLimit(.minutes(5)))
struct RateLimitTests {
    @Test func theBurstGoesAtOnceAndTheRestInTime() async throws {
        let clock = TestClock()
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .rate(2, per: .seconds(1), burst: 3, clock: clock))
        for _ in 0..<3 { _ = try await transport.process(request) }
        #expect(clock.sleepers == 0)
        let calls = (0..<4).map { _ in Task { try await transport.process(request) } }
        try await clock.waitForSleepers(count: 4)
        #expect(stub.requests.count == 3)
        for number in 1...4 {
            #expect(try await clock.advanceToNextSleeper() == .milliseconds(500))
            try await stub.waitForRequests(count: 3 + number)
        }
        for call in calls { #expect(try await call.value.status == 200) }
        clock.advance(by: .seconds(60))
        for _ in 0..<3 { _ = try await transport.process(request) }
        #expect(clock.sleepers == 0)
    }

    /// The time in which the bucket fills would be longer than a `Duration` holds.
    @Test(arguments: [(Duration.seconds(60), Int.max), (.seconds(Int64.max), .max), (.zero, .max), (.seconds(-1), 1)])
    func everyBurstAndPeriodIsTaken(period: Duration, burst: Int) async throws {
        let transport = StubTransport(.json("[]")).wrapped(by: .rate(1, per: period, burst: burst, clock: TestClock()))
        #expect(try await transport.process(request).status == 200)
    }

    /// The other waiting calls keep their places: at most one request goes in each second.
    @Test func theNextCallHasThePlaceOfACancelledOne() async throws {
        let clock = TestClock()
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .rate(1, per: .seconds(1), clock: clock))
        _ = try await transport.process(request)
        func begin(_ path: String, sleepers: Int) async throws -> Task<HTTPResponse, any Error> {
            let call = Task { try await transport.process(HTTPRequest(url: request.url.appendingPathComponent(path))) }
            try await clock.waitForSleepers(count: sleepers)
            return call
        }
        let first = try await begin("first", sleepers: 1)
        let second = try await begin("second", sleepers: 2)
        first.cancel()
        _ = await first.result
        let third = try await begin("third", sleepers: 2)
        for count in 2...3 {
            #expect(try await clock.advanceToNextSleeper() == .seconds(1))
            try await stub.waitForRequests(count: count)
        }
        _ = try await (second.value, third.value)
        #expect(stub.requests.map { $0.url.lastPathComponent } == ["users", "third", "second"])
    }

    @Test func aCancelledCallGivesItsPlaceBack() async throws {
        let clock = TestClock()
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .rate(1, per: .seconds(1), clock: clock))
        _ = try await transport.process(request)
        let waiting = Task { try await transport.process(request) }
        try await clock.waitForSleepers(count: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let next = Task { try await transport.process(request) }
        #expect(try await clock.advanceToNextSleeper() == .seconds(1))
        #expect(try await next.value.status == 200)
    }

    /// In any stretch of time no more requests go than the burst and the rate allow.
    @Test(arguments: 0..<50) func noStretchOfTimeHasMoreAlsoAfterCancels(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let burst = 1 + random.next(below: 3)
        var bucket = TokenBucket(interval: .seconds(1), burst: burst)
        var now = Duration.zero
        var waiting: [(place: TokenBucket.Reservation, time: Duration)] = []
        var sent: [Duration] = []
        for _ in 0..<300 {
            now += .milliseconds(random.next(below: 900))
            sent += waiting.filter { $0.time <= now }.map(\.time)
            waiting.removeAll { $0.time <= now }
            if !waiting.isEmpty, random.next(below: 2) == 0 {
                bucket.giveBack(waiting.remove(at: random.next(below: waiting.count)).place)
            } else {
                let place = bucket.take(at: now)
                waiting.append((place, now + place.wait))
            }
        }
        sent.sort()
        for start in sent.indices {
            for end in start..<sent.count {
                let allowed = burst + Int((sent[end] - sent[start]) / .seconds(1))
                #expect(end - start + 1 <= allowed, "seed \(seed)")
            }
        }
    }

    @Test func aPlaceThatIsGivenBackIsTaken() {
        var bucket = TokenBucket(interval: .seconds(1), burst: 1)
        let places = (0..<4).map { _ in bucket.take(at: .zero) }
        bucket.giveBack(places[1])
        bucket.giveBack(places[2])
        #expect(bucket.take(at: .zero).wait == .seconds(1))
        bucket.giveBack(places[3])
        #expect(bucket.take(at: .zero).wait == .seconds(2))
    }

    @Test(arguments: 0..<50) func noStretchOfTimeHasMore(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let burst = 1 + random.next(below: 5)
        var bucket = TokenBucket(interval: .seconds(1), burst: burst)
        var now = Duration.zero
        var sent: [Duration] = []
        for _ in 0..<200 {
            now += .milliseconds(random.next(below: 1_500))
            sent.append(now + bucket.take(at: now).wait)
        }
        #expect(sent == sent.sorted())
        for start in sent.indices {
            for end in start..<sent.count {
                let allowed = burst + Int((sent[end] - sent[start]) / .seconds(1))
                #expect(end - start + 1 <= allowed, "seed \(seed)")
            }
        }
    }
}
