import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Trace context")
struct TracePropagationTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    @Test(
        "a field of the specification is read, and of no other form",
        arguments: [
            ("00-\(trace)-b7ad6b7169203331-01", true), ("00-\(trace)-b7ad6b7169203331-00", true),
            ("cc-\(trace)-b7ad6b7169203331-01-more", true), ("00-\(trace)-b7ad6b7169203331-01-more", false),
            ("ff-\(trace)-b7ad6b7169203331-01", false), ("00-\(trace.uppercased())-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-\(trace)-0000000000000000-01", false), ("00-\(trace)-b7ad6b716920333-01", false),
            ("00-\(trace)-b7ad6b7169203331-0", false), ("00-\(trace)-b7ad6b7169203331-0g", false), ("", false),
            ("00-\(trace)", false), ("-\(trace)-b7ad6b7169203331-01", false),
        ]
    )
    func reading(text: String, isValid: Bool) {
        #expect((TraceParent(text) != nil) == isValid)
        #expect(TraceParent(text)?.isSampled == (isValid ? text.contains("-01") : nil))
    }

    @Test func everyAttemptContinuesTheTraceOfTheCallWithItsOwnID() async throws {
        let recording = RecordingTransport(StubTransport(.json("[]")))
        let client = Client(
            baseURL: URL("https://api.example.com"),
            transport: recording.wrapped(by: .tracePropagation)
        )
        let incoming = try #require(TraceParent("00-\(Self.trace)-b7ad6b7169203331-01"))
        for _ in 0..<2 { _ = try await client.fetch(Route<Json>.get("a").with(option: incoming)) }
        _ = try await client.fetch(Route<Json>.get("a"))
        let sent = try recording.exchanges.map {
            try #require($0.request.headers["traceparent"].flatMap { TraceParent($0) })
        }
        #expect(sent.map(\.traceID).prefix(2) == [Self.trace, Self.trace])
        #expect(sent[2].traceID != Self.trace)
        #expect(Set(sent.map(\.parentID) + [incoming.parentID]).count == 4)
    }

    @Test func idsAreNeverZero() {
        #expect(TraceParent { 0 }.fieldValue == "00-00000000000000010000000000000001-0000000000000001-01")
    }
}
