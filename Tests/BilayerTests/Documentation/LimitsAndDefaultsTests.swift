import Foundation
import Testing

@testable import Bilayer

/// Checks that rows of the article "Limits and defaults" have the values of the code.
@Suite("Limits and defaults in the documentation")
struct LimitsAndDefaultsTests {
    @Test(arguments: rows)
    func theRowHasTheValue(row: (what: String, value: String)) throws {
        let page = try String(contentsOf: Compiler.repository.appending(path: Self.path), encoding: .utf8)
        #expect(page.contains("| \(row.what) | \(row.value) |"), "\(row.what): the code has \(row.value)")
    }

    private static let path = "Sources/Bilayer/Bilayer.docc/LimitsAndDefaults.md"
    private static let retry = RetryPolicy.exponential(attempts: 3)
    private static let again = Reconnection.afterLoss()

    private static let rows: [(what: String, value: String)] = [
        ("largest body of a response", bytes(URLSessionTransport().maximumResponseBytes)),
        ("redirects of a request", "\(RedirectPolicy.follow().limit)"),
        ("events that a call keeps", "\(eventsKept)"),
        ("depth of a text", "\(Json.ParsingOptions().maximumDepth)"),
        ("issues that a report keeps", "\(MappingPolicy.standard.issueLimit)"),
        ("longest wait before the second attempt", "\(Int(retry.firstWait / .milliseconds(1))) ms"),
        ("longest wait before a later attempt", seconds(retry.longestWait)),
        ("longest `Retry-After` that is waited for", seconds(retry.longestRetryAfter)),
        ("attempts to open a stream again, in a row", "\(again.attempts)"),
        ("first wait before a stream is opened again", seconds(again.firstWait)),
        ("longest wait before a stream is opened again", seconds(again.longestWait)),
        ("longest `Retry-After` before a stream is opened again", seconds(again.longestWait)),
        ("bytes of one element of a stream", bytes(StreamFormat.maximumElementBytes)),
    ]

    private static var eventsKept: Int {
        let call = CallContext()
        for number in 0..<1_000 { call.note("\(number)") }
        return call.events.count
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    private static func bytes(_ count: Int) -> String { "\(count >> 20) MiB" }
}
