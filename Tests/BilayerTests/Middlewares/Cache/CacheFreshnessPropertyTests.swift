import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Random responses and times against a second, smaller implementation of RFC 9111 §4.2.
@Suite("HTTP cache: freshness, generated", .timeLimit(.minutes(5)))
struct CacheFreshnessPropertyTests {
    /// What the response and the second request say, in seconds. Dates count from the first request.
    struct Facts {
        var maxAge: Int?
        var expires: Int?
        var date: Int?
        var age: Int?
        var lastModified: Int?
        var delay: Int
        var wait: Int
        var requestMaxAge: Int?
        var minFresh: Int?
        var maxStale: Int?

        init(_ random: inout SplitMix64) {
            func maybe(_ range: ClosedRange<Int>, _ random: inout SplitMix64) -> Int? {
                random.next(below: 2) == 0 ? nil : Int.random(in: range, using: &random)
            }
            maxAge = maybe(0...100, &random)
            expires = maybe(-50...150, &random)
            date = maybe(-50...50, &random)
            age = maybe(0...50, &random)
            lastModified = maybe(-1000 ... -10, &random)
            delay = random.next(below: 20)
            wait = random.next(below: 120)
            requestMaxAge = maybe(0...100, &random)
            minFresh = random.next(below: 4) == 0 ? random.next(below: 50) : nil
            maxStale = maybe(0...100, &random)
        }

        var fields: HTTPHeaders {
            var fields: HTTPHeaders = [.date: date.map { CacheRow.date(TimeInterval($0)) } ?? "-"]
            fields["Cache-Control"] = maxAge.map { "max-age=\($0)" }
            fields["Expires"] = expires.map { CacheRow.date(TimeInterval($0)) }
            fields["Age"] = age.map(String.init)
            fields[.lastModified] = lastModified.map { CacheRow.date(TimeInterval($0)) }
            return fields
        }

        var question: HTTPHeaders {
            let parts = [
                requestMaxAge.map { "max-age=\($0)" }, minFresh.map { "min-fresh=\($0)" },
                maxStale.map { "max-stale=\($0)" },
            ]
            let text = parts.compactMap(\.self).joined(separator: ", ")
            return text.isEmpty ? [:] : ["Cache-Control": text]
        }

        /// The outcome by this implementation. It counts in tenths of seconds, because without other information a
        /// response is fresh for a tenth of the time since its last change.
        var expected: CacheStatus {
            let received = delay
            let sent = date ?? received
            let initial = max(received - sent, (age ?? 0) + delay, 0)
            let now = (initial + wait) * 10
            var lifetime = 0
            if let maxAge {
                lifetime = maxAge * 10
            } else if let expires {
                lifetime = max(0, expires - sent) * 10
            } else if let lastModified {
                lifetime = max(0, sent - lastModified)
            }
            if let most = requestMaxAge, most == 0 || now > most * 10 { return .miss }
            if let minFresh, lifetime - now < minFresh * 10 { return .miss }
            if lifetime > now { return .hit }
            if let maxStale, now - lifetime <= maxStale * 10 { return .stale }
            return .miss
        }
    }

    @Test func theCacheAgreesWithTheModel() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var outcomes: [CacheStatus: Int] = [:]
        for round in 0..<2_000 {
            let facts = Facts(&random)
            let bench = CacheBench()
            bench.stub.on(
                .get,
                "/users",
                StubTransport.Answer { [clock = bench.clock] _, _ in
                    clock.advance(by: TimeInterval(facts.delay))
                    var headers = facts.fields
                    if headers[.date] == "-" { headers[.date] = nil }
                    return HTTPResponse(status: 200, headers: headers)
                }
            )
            _ = try await bench.ask()
            bench.clock.advance(by: TimeInterval(facts.wait))
            let status = try #require(try await bench.ask(.get, facts.question).cacheStatus)
            outcomes[status, default: 0] += 1
            guard status == facts.expected else {
                Issue.record("seed \(seed), round \(round): \(status), expected \(facts.expected): \(facts)")
                return
            }
        }
        #expect(outcomes.keys.count == 3, "the generator reaches every outcome")
    }
}
