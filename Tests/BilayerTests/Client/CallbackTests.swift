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
