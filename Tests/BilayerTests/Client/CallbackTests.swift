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
        let outcomes = await outcomes { client(.json("[1]")).fetch(.health, completion: $0) }
        #expect(outcomes.count == 1)
        #expect(try outcomes.first?.get() == [1])
    }

    @Test func theErrorOfACallComesOnce() async {
        let outcomes = await outcomes { client(.status(500)).fetch(.health, completion: $0) }
        #expect(outcomes.count == 1)
        #expect(throws: CallError.self) { try outcomes.first?.get() }
    }

    @Test func aCancelledCallReportsTheCancellation() async {
        let outcomes = await outcomes { client(.hold).fetch(.health, completion: $0).cancel() }
        #expect(outcomes.count == 1)
        #expect(throws: CancellationError.self) { try outcomes.first?.get() }
    }

    private typealias Outcome = Result<Json, any Error>

    /// Returns what a closure receives until the call has released it.
    private func outcomes(of call: (@escaping @Sendable (Outcome) -> Void) -> Void) async -> [Outcome] {
        let (outcomes, continuation) = AsyncStream<Outcome>.makeStream()
        call { [outlet = OutcomeOutlet(continuation: continuation)] in outlet.continuation.yield($0) }
        return await outcomes.reduce(into: []) { $0.append($1) }
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

/// Ends a stream when the closure that holds it is released.
private final class OutcomeOutlet: Sendable {
    let continuation: AsyncStream<Result<Json, any Error>>.Continuation

    init(continuation: AsyncStream<Result<Json, any Error>>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
