import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("What holds for a transport", .timeLimit(.minutes(5)))
struct TransportConformanceTests {
    /// The transport is known to deviate in one row of the report, "gzip that is cut". On Linux it must deviate there,
    /// on other platforms it may. A deviation in any other row fails the test.
    @Test func forURLSession() async throws {
        let report = try await TransportConformance.run(
            URLSessionTransport(),
            skipping: TransportConformance.endsURLSession,
            within: .seconds(3600)
        )
        #if os(Linux)
        #expect(report.deviations == ["gzip that is cut"], "\(report)")
        #expect(try documentedLines(of: "URLSessionTransport") == report.lines.map(\.documented), "\(report)")
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
        #expect(try documentedLines(of: "CurlTransport") == report.lines.map(\.documented), "\(report)")
    }

    /// If this test fails, the platform is mended, and the pages that warn of this defect are wrong.
    @Test func urlSessionEndsTheProcessAtACloseInsideTheHead() async throws {
        await #expect(processExitsWith: .failure) {
            guard let row = TransportConformance.rows.first(where: { $0.name == "a close inside the head" }) else {
                exit(EXIT_SUCCESS)
            }
            _ = await row.check(AnyNode(URLSessionTransport()))
        }
    }

    @Test func urlSessionEndsTheProcessAtTrailers() async throws {
        await #expect(processExitsWith: .failure) {
            guard let row = TransportConformance.rows.first(where: { $0.name == "trailers are ignored" }) else {
                exit(EXIT_SUCCESS)
            }
            _ = await row.check(AnyNode(URLSessionTransport()))
        }
    }

    /// The lines of the documentation's table: a row and what it says of a transport.
    private func documentedLines(of transport: String) throws -> [String] {
        let page = Compiler.repository.appending(path: "Sources/Bilayer/Bilayer.docc/Transports.md")
        let lines = try String(contentsOf: page, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("| row |") }.prefix { $0.hasPrefix("|") }
            .map { line in
                line.split(separator: "|").map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
            }
        let column = try #require(table.first?.firstIndex(of: transport))
        return try table.dropFirst(2)
            .map { cells in
                try #require(cells.count == 3)
                return "\(cells[0]): \(cells[column])"
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

    /// A suite that could not fail would show nothing.
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

#if os(Linux)
extension TransportConformance.Report.Line {
    /// The line as the documentation has it. The tests skip the rows that end the process.
    fileprivate var documented: String {
        switch outcome {
        case .holds: "\(row): holds"
        case .deviates: "\(row): does not hold"
        case .skipped: "\(row): ends the process"
        }
    }
}
#endif
