import Foundation
import Testing

@testable import Bilayer

/// Equal and different calls that start and leave in a random order, while a server answers at random times.
@Suite("Random histories: deduplication", .timeLimit(.minutes(5)))
struct DeduplicationHistoryTests {
    @Test(arguments: Seeds.some(12)) func aRequestStopsExactlyWhenItsLastCallLeaves(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let (server, callers, deduplication) = (HeldServer(), Callers(), Deduplication())
        let transport = server.transport.wrapped(by: deduplication)
        var model = SharingModel()

        for step in 0..<100 {
            switch random.next(below: 7) {
            case 0, 1, 2:
                let path = "/\(random.next(below: 3))"
                model.begin(callers.count, path)
                callers.start { try await transport.process(HTTPRequest("h.example\(path)")) }
            case 3, 4, 5:
                let waiting = model.waiting
                guard !waiting.isEmpty else { continue }
                let caller = waiting[random.next(below: waiting.count)]
                callers.cancel(caller)
                model.cancel(caller)
            default:
                let inFlight = model.flights.keys.sorted()
                guard !inFlight.isEmpty else { continue }
                let number = inFlight[random.next(below: inFlight.count)]
                let status: HTTPStatus = random.next(below: 2) == 0 ? 200 : 500
                server.answer(number, HTTPResponse(status: status, body: Data("\(number)".utf8)))
                model.end(number, "\(status.code) \(number)")
            }
            let isAsExpected = await settles {
                server.requests.map { $0.url.path() } == model.requests && server.held == Set(model.flights.keys)
                    && server.cancelled == model.aborted && callers.outcomes == model.outcomes
                    && deduplication.waiting == model.waiting.count
            }
            guard isAsExpected else {
                Issue.record("seed \(seed), step \(step): \(callers.outcomes), expected \(model)")
                break
            }
        }
        await callers.cancelAll()
        #expect(server.held.isEmpty && deduplication.waiting == 0, "seed \(seed)")
    }
}

/// A request in flight has callers. The first one sends it, those that come later join, and without any it is aborted.
private struct SharingModel {
    struct Flight {
        let path: String
        var callers: [Int]
    }

    /// The paths of all requests.
    private(set) var requests: [String] = []
    private(set) var flights: [Int: Flight] = [:]
    private(set) var aborted: Set<Int> = []
    private(set) var outcomes: [Int: String] = [:]

    var waiting: [Int] { flights.values.flatMap(\.callers).sorted() }

    mutating func begin(_ caller: Int, _ path: String) {
        if let number = flights.first(where: { $0.value.path == path })?.key {
            flights[number]?.callers.append(caller)
        } else {
            flights[requests.count] = Flight(path: path, callers: [caller])
            requests.append(path)
        }
    }

    mutating func cancel(_ caller: Int) {
        for (number, flight) in flights where flight.callers.contains(caller) {
            flights[number]?.callers.removeAll { $0 == caller }
            if flight.callers.count == 1 {
                flights[number] = nil
                aborted.insert(number)
            }
        }
        outcomes[caller] = "cancelled"
    }

    mutating func end(_ number: Int, _ outcome: String) {
        for caller in flights.removeValue(forKey: number)?.callers ?? [] { outcomes[caller] = outcome }
    }
}
