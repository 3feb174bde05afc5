import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Many calls with random faults. `BILAYER_SOAK=20000 swift test --filter SoakTests` makes 20,000 calls. It also
/// measures descriptors and memory, which other tests would change.
@Suite("Soak: every call ends once, and leaves nothing", .timeLimit(.minutes(30)), .serialized)
struct SoakTests {
    private static let calls = ProcessInfo.processInfo.environment["BILAYER_SOAK"].flatMap { Int($0) }

    private static let faults: [Reply] = [
        .json("[1]"), .json("[1]"), .json("[1]"), .closeBeforeAnswer, .resetBeforeAnswer,
        .truncatedBody(sent: 1, declared: 9), .resetInBody(after: 3), .unfinishedChunks(), .badChunk, .badGzip,
        .notHTTP,
        .headerWithoutColon, .redirect(to: "/ok"), .text("busy", status: 503), .text("no", status: 404),
        .chunked(["[", "1", "]"]), .delayed(.milliseconds(3), then: .json("[1]")),
    ]

    @Test(arguments: BuiltInTransport.allCases)
    func callsWithRandomFaults(over choice: BuiltInTransport) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let server = try await FaultServer.start()
        server.on(.get, "/ok", .json("[1]"))
        for (index, fault) in Self.faults.enumerated() { server.on(.get, "/\(index)", fault) }
        let transport = try choice.transport().wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
            .wrapped(by: .deadline(.seconds(600)))
        let client = Client(baseURL: server.url, transport: transport)
        let count = Self.calls ?? 400
        // Connections and caches of libraries are made in the first calls.
        _ = await outcomes(of: min(count / 4, 2_000), seed, client, server)
        let before = ProcessResources.now
        let outcomes = await outcomes(of: count, seed, client, server)
        let after = ProcessResources.now
        #expect(outcomes.values.reduce(0, +) == count, "seed \(seed)")
        #expect(outcomes["another error"] == nil, "seed \(seed)")
        #expect(outcomes["[1]", default: 0] > count / 4, "seed \(seed)")
        if Self.calls != nil {
            print("\(choice), seed \(seed): \(outcomes.sorted { $0.value > $1.value }); \(before) -> \(after)")
            #expect(after.descriptors <= before.descriptors + 16)
            #expect(after.kilobytes <= before.kilobytes + 32_768)
        }
    }

    /// Makes 64 calls at a time. One call in twenty is cancelled.
    private func outcomes(
        of count: Int,
        _ seed: UInt64,
        _ client: Client,
        _ server: FaultServer
    ) async -> [String: Int] {
        var random = SplitMix64(seed: seed)
        let plan = (0..<count).map { _ in (random.next(below: Self.faults.count), random.next(below: 20) == 0) }
        return await withTaskGroup(of: String.self) { group in
            var outcomes: [String: Int] = [:]
            for (index, (fault, isCancelled)) in plan.enumerated() {
                if index >= 64, let outcome = await group.next() { outcomes[outcome, default: 0] += 1 }
                if index.isMultiple(of: 500) { server.forgetRequests() }
                group.addTask { await outcome(of: fault, isCancelled, client) }
            }
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
            return outcomes
        }
    }

    private func outcome(of fault: Int, _ isCancelled: Bool, _ client: Client) async -> String {
        let call = Task { try await client.fetch(Route<Json>.get("\(fault)")) }
        if isCancelled { call.cancel() }
        do {
            return "\(try await call.value)"
        } catch let error as CallError {
            return (error.underlyingError as? TransportError)?.kind.description ?? "status or mapping"
        } catch {
            return error is CancellationError ? "cancelled" : "another error"
        }
    }
}
