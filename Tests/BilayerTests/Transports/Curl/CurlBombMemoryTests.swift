#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The test runs in a process of its own, because other tests need memory, too.
@Suite("CurlTransport: the memory of a compressed bomb", .timeLimit(.minutes(10)))
struct CurlBombMemoryTests {
    /// The body of 512 MB ends at a limit of 10 MB, and the process never holds more than 64 MB for it.
    @Test func aRefusedBombIsNeverInMemory() async {
        await #expect(processExitsWith: .success) {
            let server = try await FaultServer.start()
            server.on(.get, "/bomb", .gzipBomb(of: 512 << 20))
            server.on(.get, "/small", .json("[1]"))
            let transport = try BuiltInTransport.curl.transport(maximumResponseBytes: 10 << 20)
            let bomb = HTTPRequest(url: server.url.appending(path: "bomb"))
            // The first call makes the connection and the caches of libraries.
            _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "small")))
            let before = ProcessResources.now
            for _ in 0..<3 {
                let error = await #expect(throws: TransportError.self) { try await transport.process(bomb) }
                #expect(error?.kind == .responseTooLarge)
            }
            let held = ProcessResources.now.peakKilobytes - before.kilobytes
            #expect(held < 64 * 1024, "\(before) before, \(held / 1024) MB more at the peak")
        }
    }
}
#endif
