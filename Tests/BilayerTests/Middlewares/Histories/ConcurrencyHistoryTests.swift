import Bilayer
import Foundation
import Testing

@testable import Bilayer

/// Calls of several priorities that start, end and are cancelled in a random order, against a model.
@Suite("Random histories: concurrency limit", .timeLimit(.minutes(5)))
struct ConcurrencyHistoryTests {
    @Test(arguments: Seeds.some(12)) func placesGoWhereTheModelSays(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let places = 1 + random.next(below: 3)
        let (server, callers, limit) = (HeldServer(), Callers(), ConcurrencyLimit(perHost: places))
        let transport = server.transport.wrapped(by: limit)
        var models = ["a.example:443": PlacesModel(places: places), "b.example:443": PlacesModel(places: places)]
        let hosts = models.keys.sorted()
        var outcomes: [Int: String] = [:]

        func isAsExpected() -> Bool {
            guard callers.outcomes == outcomes else { return false }
            return hosts.allSatisfy { host in
                let held = server.held.map { server.requests[$0] }.filter { $0.hostAndPort == host }
                return Set(held.compactMap { Int($0.url.lastPathComponent) }) == models[host]?.inFlight
                    && limit.waiting(at: host) == models[host]?.waiting.count
            }
        }

        for step in 0..<80 {
            let host = hosts[random.next(below: hosts.count)]
            let inFlight = (models[host]?.inFlight ?? []).sorted()
            let waiting = (models[host]?.waiting ?? []).map(\.caller)
            switch random.next(below: 6) {
            case 0, 1, 2:
                let priority: CallPriority = [.background, .normal, .high][random.next(below: 3)]
                let number = callers.count
                let url = "\(host.dropLast(4))/\(number)"
                callers.start {
                    var options = CallOptions()
                    options[CallPriority.self] = priority
                    return try await transport.process(HTTPRequest(url), in: CallContext(options: options))
                }
                models[host]?.begin(number, priority)
            case 3, 4:
                guard !inFlight.isEmpty else { continue }
                let caller = inFlight[random.next(below: inFlight.count)]
                server.answer(server.number(ofPath: "/\(caller)"), HTTPResponse(status: 200))
                models[host]?.end(caller)
                outcomes[caller] = "200"
            default:
                let all = inFlight + waiting
                guard !all.isEmpty else { continue }
                let caller = all[random.next(below: all.count)]
                callers.cancel(caller)
                models[host]?.end(caller)
                outcomes[caller] = "cancelled"
            }
            guard await settles(until: isAsExpected) else {
                Issue.record("seed \(seed), step \(step): \(models), outcomes \(callers.outcomes)")
                break
            }
        }
        await callers.cancelAll()
        // No place is lost: as many requests are sent at once as there are places.
        for host in hosts {
            let first = server.requests.count
            for _ in 0...places {
                callers.start { try await transport.process(HTTPRequest("\(host)/last")) }
            }
            let isFull = await settles { server.held.count == places && limit.waiting(at: host) == 1 }
            #expect(isFull, "seed \(seed)")
            #expect(server.requests.count == first + places, "seed \(seed)")
            await callers.cancelAll()
        }
    }
}

/// The next call is the most urgent one; of equally urgent ones, the oldest. After four calls have overtaken the oldest
/// of all, the oldest is next.
private struct PlacesModel {
    let places: Int
    private(set) var inFlight: Set<Int> = []
    private(set) var waiting: [(caller: Int, priority: CallPriority)] = []
    private var overtakings = 0

    init(places: Int) { self.places = places }

    mutating func begin(_ caller: Int, _ priority: CallPriority) {
        if inFlight.count < places { inFlight.insert(caller) } else { waiting.append((caller, priority)) }
    }

    mutating func end(_ caller: Int) {
        waiting.removeAll { $0.caller == caller }
        guard inFlight.remove(caller) != nil else { return }
        // No call is left that was overtaken.
        if inFlight.isEmpty, waiting.isEmpty { overtakings = 0 }
        guard let highest = waiting.map(\.priority).max() else { return }
        let urgent = waiting.firstIndex { $0.priority == highest } ?? 0
        let next = overtakings < 4 ? urgent : 0
        overtakings = next == 0 ? 0 : overtakings + 1
        inFlight.insert(waiting.remove(at: next).caller)
    }
}
