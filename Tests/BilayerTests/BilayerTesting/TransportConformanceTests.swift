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
            skipping: TransportConformance.endsURLSession
        )
        #if os(Linux)
        #expect(report.deviations == ["gzip that is cut"], "\(report)")
        #else
        #expect(Set(report.deviations).isSubset(of: ["gzip that is cut"]), "\(report)")
        #endif
    }

    /// A suite that cannot fail would show nothing.
    @Test func aWrongTransportIsFound() async throws {
        let right = URLSessionTransport()
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
