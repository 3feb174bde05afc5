import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("What holds for a transport", .timeLimit(.minutes(5)))
struct TransportConformanceTests {
    /// The rows that are known not to hold: the test fails when one begins to hold, and when another stops.
    @Test func forURLSession() async throws {
        let report = try await TransportConformance.run(
            URLSessionTransport(),
            skipping: TransportConformance.endsURLSession,
            within: .seconds(3600)
        )
        #if os(Linux)
        #expect(report.deviations == ["gzip that is cut"], "\(report)")
        #else
        #expect(Set(report.deviations).isSubset(of: ["gzip that is cut"]), "\(report)")
        #endif
    }

    #if os(Linux)
    @Test func forCurl() async throws {
        // On a busy machine minutes may pass between two steps of a test.
        var settings = CurlSettings()
        settings.connectionIdleAge = .seconds(3600)
        let report = try await TransportConformance.run(CurlTransport(settings), within: .seconds(3600))
        #expect(report.deviations == ["gzip that is cut"], "\(report)")
    }

    /// When this fails, the platform has been mended, and the pages that warn of it are wrong.
    @Test func urlSessionEndsTheProcessAtACloseInsideTheHead() async throws {
        await #expect(processExitsWith: .failure) {
            let row = try #require(TransportConformance.rows.first { $0.name == "a close inside the head" })
            _ = await row.check(AnyNode(URLSessionTransport()))
        }
    }

    @Test func urlSessionEndsTheProcessAtTrailers() async throws {
        await #expect(processExitsWith: .failure) {
            let row = try #require(TransportConformance.rows.first { $0.name == "trailers are ignored" })
            _ = await row.check(AnyNode(URLSessionTransport()))
        }
    }
    #endif

    @Test func aTransportThatHangsIsFoundByTheLimit() async throws {
        let stopped = TestClock()
        let hanging = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
            // Not even a cancel ends the wait for another task.
            try await Task { try await stopped.sleep(for: .seconds(1)) }.value
            throw CancellationError()
        }
        let row = try #require(TransportConformance.rows.first)
        let clock = TestClock()
        async let outcome = row.check(hanging, within: .seconds(9), clock: clock)
        #expect(try await clock.advanceToNextSleeper() == .seconds(9))
        #expect(await outcome == .deviates("found no end within 9.0 seconds, expected an answer or an error"))
    }

    /// A suite that cannot fail would show nothing.
    @Test func aWrongTransportIsFound() async throws {
        let right = DefaultTransport()
        let wrong = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            var response = try await right.process(request, in: context)
            response.body = Data()
            return response
        }
        let report = try await TransportConformance.run(wrong, skipping: TransportConformance.endsURLSession)
        #expect(report.deviations.contains("a body of one byte"))
        #expect(report.deviations.contains("a chunked body"))
        #expect(!report.deviations.contains("an empty body"))
    }

    @Test func everyRowHasItsOwnName() {
        let names = TransportConformance.rows.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(TransportConformance.endsURLSession.isSubset(of: names))
    }
}
