import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private struct Ticket: Equatable, Sendable {
    let number: Int
    let price: Decimal
}

private struct RestTicketEntry: Codable, RawMappable {
    let no: Int
    let price: Decimal
}

private struct GraphTicketEntry: Codable, RawMappable {
    let id: String
    let price: Decimal
}

extension Migration where Model == Ticket {
    fileprivate static func ticket(_ number: Int) -> Migration {
        Migration(
            from: .get("tickets/{no}", ["no": number]) { (entry: RestTicketEntry) in
                Ticket(number: entry.no, price: entry.price)
            },
            to: .get("graph/{no}", ["no": number]) { (entry: GraphTicketEntry) in
                try Ticket(number: Int(entry.id).require("id"), price: entry.price)
            }
        )
    }
}

/// The old source answers each request with its number and the price 1.
private func restTickets() -> StubTransport {
    StubTransport { request, _ in
        HTTPResponse(status: 200, body: Data(#"{"no":\#(request.url.lastPathComponent),"price":1}"#.utf8))
    }
}

private func graphTicket(_ number: String, price: String = "1") -> HTTPResponse {
    HTTPResponse(status: 200, body: Data(#"{"id":"\#(number)","price":\#(price)}"#.utf8))
}

@Suite("Migration: shadow calls", .timeLimit(.minutes(5)))
struct ShadowCallTests {
    private let clock = TestClock()
    private let book = MigrationBook()

    private func migrator(
        old: StubTransport = restTickets(),
        new: StubTransport,
        limit: Int = 1_000,
        deadline: Duration = .seconds(30)
    ) -> Migrator {
        Migrator(
            old: .migrating(old, clock: clock),
            new: .migrating(new, clock: clock),
            mode: .shadow(share: 1),
            differences: book.reporter,
            shadowLimit: limit,
            shadowDeadline: deadline
        )
    }

    /// Makes a thousand calls at once. Every call returns the old source's model.
    private func callThousandTimes(_ migrator: Migrator) async throws {
        let answers = try await withThrowingTaskGroup(of: Ticket.self) { group in
            for number in 0..<1_000 { group.addTask { try await migrator.fetch(.ticket(number)) } }
            return try await group.reduce(into: Set<Int>()) { numbers, ticket in
                #expect(ticket.price == 1)
                numbers.insert(ticket.number)
            }
        }
        #expect(answers.count == 1_000)
    }

    // MARK: Under load

    @Test("1,000 calls whose models agree: all are counted, nothing is reported")
    func agreeing() async throws {
        let migrator = migrator(new: StubTransport { request, _ in graphTicket(request.url.lastPathComponent) })
        try await callThousandTimes(migrator)
        try await migrator.waitForShadows()
        let tally = migrator.tally(of: "Ticket")
        #expect(tally.agreed == 1_000 && tally.compared == 1_000 && tally.agreement == 1)
        #expect(tally.isReady(after: 1_000, agreement: 1) && !tally.isReady(after: 1_001, agreement: 0.5))
        #expect(book.reports.isEmpty)
    }

    @Test("1,000 calls beside a new source that never answers: no caller waits, and each shadow ends at its deadline")
    func slow() async throws {
        let migrator = migrator(new: StubTransport(.hold))
        // Time stands still on the clock of both clients, so a call that waited for the new source would never end.
        try await callThousandTimes(migrator)
        #expect(migrator.tallies.isEmpty)
        try await clock.waitForSleepers(count: 1_000)
        clock.advance(by: .seconds(30))
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").newFailed == 1_000)
        #expect(book.reports.count == 1_000)
        #expect(book.reports.allSatisfy { ($0.newError as? TransportError)?.kind == .timedOut })
        #expect(clock.sleepers == 0)
    }

    @Test("1,000 calls beside a new source that fails: no caller sees it, each failure is reported")
    func failing() async throws {
        let migrator = migrator(new: StubTransport(.failure(TransportError(.connectionLost))))
        try await callThousandTimes(migrator)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").newFailed == 1_000)
        #expect(migrator.tally(of: "Ticket").agreement == 0)
        #expect(book.reports.count == 1_000 && book.reports.allSatisfy { $0.outcome == .newFailed })
    }

    @Test("1,000 calls beside a new source of which a tenth is wrong: exactly those are reported, with the field")
    func wrong() async throws {
        let migrator = migrator(
            new: StubTransport { request, _ in
                let number = request.url.lastPathComponent
                return graphTicket(number, price: number.hasSuffix("7") ? "2" : "1")
            }
        )
        try await callThousandTimes(migrator)
        try await migrator.waitForShadows()
        let tally = migrator.tally(of: "Ticket")
        #expect(tally.agreed == 900 && tally.differed == 100 && tally.agreement == 0.9)
        #expect(!tally.isReady(after: 1_000, agreement: 0.95))
        #expect(book.reports.count == 100)
        #expect(book.reports.allSatisfy { $0.differences.map(\.path.description) == ["$.price"] })
        #expect("\(tally)" == "900 agreed, 100 differed")
    }

    @Test("1,000 calls with five places for shadows: the others have none, and are counted")
    func limited() async throws {
        let held = StubTransport(.hold)
        let migrator = migrator(new: held, limit: 5)
        try await callThousandTimes(migrator)
        #expect(migrator.tally(of: "Ticket").skipped == 995)
        try await held.waitForRequests(count: 5)
        migrator.cancelShadows()
        try await migrator.waitForShadows()
        #expect(held.requests.count == 5)
        // The places of the shadow calls are free again.
        #expect(try await migrator.fetch(.ticket(1)).number == 1)
        #expect(migrator.tally(of: "Ticket").skipped == 995)
    }

    // MARK: The caller's errors, time and cancellation

    @Test("the caller gets the old source's error, unchanged; a new source that answers is reported")
    func oldFails() async throws {
        let failing = StubTransport(.failure(TransportError(.connectionLost)))
        let migrator = migrator(old: failing, new: StubTransport { _, _ in graphTicket("7") })
        let error = await #expect(throws: CallError.self) { try await migrator.fetch(.ticket(7)) }
        #expect(error?.request?.url.path() == "/tickets/7")
        #expect((error?.underlyingError as? TransportError)?.kind == .connectionLost)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").oldFailed == 1)
        #expect(book.reports.map(\.outcome) == [.oldFailed])
        #expect((book.reports.first?.oldError as? CallError)?.callID == error?.callID)
    }

    @Test("both sources fail")
    func bothFail() async throws {
        let migrator = migrator(old: StubTransport(.status(404)), new: StubTransport(.status(500)))
        let error = await #expect(throws: CallError.self) { try await migrator.fetch(.ticket(7)) }
        #expect(error?.status == 404)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").bothFailed == 1)
        #expect(migrator.tally(of: "Ticket").agreement == nil)
        #expect(book.reports.map(\.outcome) == [.bothFailed])
    }

    @Test("the call returns while its shadow has not begun to answer; the comparison follows")
    func answersFirst() async throws {
        let migrator = migrator(
            new: StubTransport(.delayed(.seconds(20), then: .json(#"{"id":"7","price":3}"#)))
        )
        #expect(try await migrator.fetch(.ticket(7)).price == 1)
        #expect(migrator.tallies.isEmpty)
        // Two sleepers: the delayed answer and the deadline.
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(20))
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").differed == 1)
        #expect(clock.sleepers == 0)
    }

    @Test("both are called at the same time: the shadow does not wait for the old source")
    func beside() async throws {
        let fast = StubTransport { _, _ in graphTicket("7") }
        let migrator = migrator(
            old: StubTransport(.delayed(.seconds(9), then: .json(#"{"no":7,"price":1}"#))),
            new: fast
        )
        let call = Task { try await migrator.fetch(.ticket(7)) }
        try await fast.waitForRequests(count: 1)
        #expect(migrator.tallies.isEmpty)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(9))
        _ = try await call.value
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").agreed == 1)
    }

    @Test("a cancelled caller gets CancellationError; its shadow is cancelled and counts nothing")
    func cancelled() async throws {
        let (old, new) = (StubTransport(.hold), StubTransport(.hold))
        let migrator = migrator(old: old, new: new)
        let call = Task { try await migrator.fetch(.ticket(7)) }
        try await old.waitForRequests(count: 1)
        try await new.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await migrator.waitForShadows()
        #expect(migrator.tallies.isEmpty && book.reports.isEmpty)
        #expect(clock.sleepers == 0)
    }

    @Test("200 callers that are cancelled at any time leave nothing behind")
    func cancelledAnywhere() async throws {
        for round in 0..<200 {
            let migrator = migrator(new: StubTransport { _, _ in graphTicket("7") })
            let call = Task { try await migrator.fetch(.ticket(7)) }
            for _ in 0..<round % 20 { await Task.yield() }
            call.cancel()
            switch await call.result {
            case .success(let ticket): #expect(ticket.number == 7)
            case .failure(let error): #expect(error is CancellationError)
            }
            try await migrator.waitForShadows()
            #expect(migrator.tally(of: "Ticket").newFailed == 0 && migrator.tally(of: "Ticket").bothFailed == 0)
        }
        #expect(clock.sleepers == 0)
        #expect(book.reports.isEmpty)
    }

    @Test("a new source that ignores its cancel holds no caller, no place and no end; their number is bounded")
    func stubborn() async throws {
        let gate = Gate()
        let migration = Migration<Ticket>(
            named: "Ticket",
            isRead: true,
            old: { _ in Ticket(number: 1, price: 1) },
            new: { _ in
                await gate.pass()
                return Ticket(number: 1, price: 1)
            }
        )
        let migrator = migrator(new: StubTransport(), limit: 2)
        var arrivals = gate.arrivals.makeAsyncIterator()
        // Each shadow call ends at its deadline, but its source goes on.
        for round in 1...4 {
            #expect(try await migrator.fetch(migration).number == 1)
            await arrivals.next()
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(30))
            try await migrator.waitForShadows()
            #expect(migrator.tally(of: "Ticket").newFailed == round)
        }
        // Four sources have not ended, twice as many as there are places. So this call has no shadow call.
        #expect(try await migrator.fetch(migration).number == 1)
        #expect(migrator.tally(of: "Ticket").skipped == 1)
        #expect(gate.waiting == 4)
        gate.open()
        while migrator.shadows.sourceCount > 0 { await Task.yield() }
        // Results after the deadline do not count, and their places are free again.
        #expect(migrator.tally(of: "Ticket").agreed == 0)
        #expect(book.reports.count == 4)
        #expect(try await migrator.fetch(migration).number == 1)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Ticket").skipped == 1)
        #expect(migrator.tally(of: "Ticket").agreed == 1)
    }

    @Test("a wait for the shadows can be cancelled; the shadows stay")
    func waiting() async throws {
        let held = StubTransport(.hold)
        let migrator = migrator(new: held)
        _ = try await migrator.fetch(.ticket(7))
        let wait = Task { try await migrator.waitForShadows() }
        try await held.waitForRequests(count: 1)
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        migrator.cancelShadows()
        try await migrator.waitForShadows()
    }

    @Test("releasing the migrator cancels its shadows")
    func releasing() async throws {
        let held = StubTransport(.hold)
        var migrator: Migrator? = migrator(new: held)
        _ = try await migrator?.fetch(.ticket(7))
        try await held.waitForRequests(count: 1)
        try await clock.waitForSleepers(count: 1)
        migrator = nil
        while clock.sleepers > 0 { await Task.yield() }
        #expect(book.reports.isEmpty)
    }

    @Test("the shadow sees none of the local values of the caller's task")
    func separate() async throws {
        let seen = MigrationBook()
        let new = StubTransport { _, _ in
            seen["local"] = CallerMark.isSet ? .new : .old
            return graphTicket("7")
        }
        let migrator = migrator(new: new)
        _ = try await CallerMark.$isSet.withValue(true) { try await migrator.fetch(.ticket(7)) }
        try await migrator.waitForShadows()
        #expect(seen["local"] == .old)
    }

    @Test("the share of calls with a shadow is that of the numbers below it")
    func sampling() async throws {
        let numbers = ShadowDice()
        let new = StubTransport { _, _ in graphTicket("7") }
        let migrator = Migrator(
            old: .migrating(restTickets()),
            new: .migrating(new),
            mode: .shadow(share: 0.05),
            differences: .none,
            random: { Double(numbers.next() % 100) / 100 }
        )
        for _ in 0..<100 {
            _ = try await migrator.fetch(.ticket(7))
            try await migrator.waitForShadows()
        }
        #expect(new.requests.count == 5)
    }

    @Test("sources that are no routes: another client beside this one")
    func closures() async throws {
        let migrator = migrator(new: StubTransport(.status(500)))
        let other = Migration<Ticket>(
            named: "TicketOfAnotherClient",
            isRead: true,
            old: { try await $0.fetch(.get("tickets/7") { (_: RestTicketEntry) in Ticket(number: 7, price: 1) }) },
            new: { _ in Ticket(number: 8, price: 1) }
        )
        #expect(try await migrator.fetch(other).number == 7)
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "TicketOfAnotherClient").differed == 1)
        #expect(book.reports.first?.differences.map(\.path.description) == ["$.number"])
    }
}

private enum CallerMark {
    @TaskLocal static var isSet = false
}

private final class ShadowDice: @unchecked Sendable {  // Sendable: `count` is only accessed under `lock`.
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            defer { count += 1 }
            return count
        }
    }
}

/// Holds tasks until it is opened, whether they are cancelled or not.
private final class Gate: @unchecked Sendable {  // Sendable: the variables are only accessed under `lock`.
    /// An element for each task that is held.
    let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private var held: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    init() { (arrivals, arrive) = AsyncStream.makeStream() }

    var waiting: Int { lock.withLock { held.count } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let passes = lock.withLock {
                if !isOpen { held.append(continuation) }
                return isOpen
            }
            if passes { continuation.resume() } else { arrive.yield() }
        }
    }

    func open() {
        let all = lock.withLock {
            isOpen = true
            defer { held = [] }
            return held
        }
        for continuation in all { continuation.resume() }
    }
}
