import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("FaultServer: throttling on the wire", .timeLimit(.minutes(5)))
struct FaultServerThrottleTests {
    /// A slow client receives fewer bytes in the same time, never more, so no machine is too slow for this test.
    @Test(arguments: [100, 1_000]) func noMomentHasSeenMoreBytesThanTheRateAllows(rate: Int) async throws {
        let server = try await FaultServer.start()
        let body = String(repeating: "x", count: rate / 4)
        server.on(.get, "/slow", Reply(.body(body), .close).throttled(to: rate))
        let client = try RawClient(server)
        let start = ContinuousClock.now
        try client.send(get("/slow"))
        var count = 0
        while case let bytes = try client.read(), !bytes.isEmpty {
            count += bytes.count
            // The first piece comes without a pause before it.
            let seconds: Double = (ContinuousClock.now - start) / .seconds(1)
            let allowed = Double(rate) * seconds + Double(rate / 10)
            #expect(Double(count) <= allowed)
        }
        #expect(count == body.utf8.count)
        // The last pause is before the close.
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
}
