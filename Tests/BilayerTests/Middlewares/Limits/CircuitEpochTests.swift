import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Requests that end after the circuit has changed its state.
@Suite("CircuitBreaker: an outcome counts in the state in which its request was sent", .timeLimit(.minutes(5)))
struct CircuitEpochTests {
    private let clock = TestClock()
    private let server = HeldServer()
    private let callers = Callers()

    private func transport(failures: Int) -> some Node<HTTPRequest, HTTPResponse> {
        server.transport.wrapped(by: CircuitBreaker(failures: failures, pause: .seconds(30), clock: clock))
    }

    /// Starts a call that is held by the server as its next request.
    private func start(_ transport: some Node<HTTPRequest, HTTPResponse>) async {
        let number = server.requests.count
        callers.start { try await transport.process(HTTPRequest(url: URL("https://api.example.com/users"))) }
        #expect(await settles { server.held.contains(number) })
    }

    private func end(_ number: Int, _ status: HTTPStatus) async {
        let count = callers.outcomes.count
        server.answer(number, HTTPResponse(status: status))
        #expect(await settles { callers.outcomes.count == count + 1 })
    }

    private func isOpen(_ transport: some Node<HTTPRequest, HTTPResponse>) async -> Bool {
        let (count, ended) = (server.requests.count, callers.outcomes.count)
        callers.start { try await transport.process(HTTPRequest(url: URL("https://api.example.com/users"))) }
        #expect(await settles { server.held.contains(count) || callers.outcomes.count > ended })
        return callers.outcomes.count > ended
    }

    /// Opens the circuit with the last of the requests 1 to `failures`, and closes it with a probe. Request 0 was sent
    /// before that, and is still held.
    private func reopenedAndClosed(failures: Int) async -> some Node<HTTPRequest, HTTPResponse> {
        let transport = transport(failures: failures)
        await start(transport)
        for number in 1...failures {
            await start(transport)
            await end(number, 500)
        }
        #expect(await isOpen(transport))
        clock.advance(by: .seconds(30))
        await start(transport)
        await end(failures + 1, 200)
        return transport
    }

    @Test(arguments: 1...4) func aFailureFromBeforeTheProbeDoesNotCountAfterIt(failures: Int) async {
        let transport = await reopenedAndClosed(failures: failures)
        for number in 0..<(failures - 1) {
            await start(transport)
            await end(failures + 2 + number, 500)
        }
        await end(0, 500)
        #expect(await !isOpen(transport))
        await callers.cancelAll()
    }

    @Test(arguments: 2...4) func aSuccessFromBeforeTheProbeDoesNotEndARowOfFailures(failures: Int) async {
        let transport = await reopenedAndClosed(failures: failures)
        for number in 0..<failures {
            if number == failures - 1 { await end(0, 200) }
            await start(transport)
            await end(failures + 2 + number, 500)
        }
        #expect(await isOpen(transport))
        await callers.cancelAll()
    }

    /// The late outcome neither keeps the circuit open for longer, nor closes it.
    @Test(arguments: [200, 500] as [HTTPStatus]) func anEndWhileItIsOpenChangesNothing(status: HTTPStatus) async {
        let transport = transport(failures: 1)
        for _ in 0..<3 { await start(transport) }
        await end(0, 500)
        clock.advance(by: .seconds(20))
        await end(1, status)
        #expect(await isOpen(transport))
        clock.advance(by: .seconds(10))
        // The probe.
        await start(transport)
        await end(2, status)
        #expect(await isOpen(transport))
        await end(3, 200)
        #expect(await !isOpen(transport))
        await callers.cancelAll()
    }
}
