import Bilayer
import BilayerTesting
import Foundation
import Testing

private let start = "Sun, 06 Nov 1994 08:49:37 GMT"

/// The wait before the second attempt, if there is one, after a response with these headers.
private func wait(_ headers: HTTPHeaders, totalTime: Duration? = nil) async throws -> Duration? {
    let policy = RetryPolicy.exponential(attempts: 2, firstWait: .seconds(1), totalTime: totalTime, jitter: .none)
    let stub = StubTransport(.status(429, headers: headers))
    let clock = TestClock()
    let first = Task { try await clock.advanceToNextSleeper() }
    let response = try await stub.wrapped(by: .retry(policy))
        .process(
            HTTPRequest(url: URL("https://api.example.com/users")),
            in: CallContext(clock: clock)
        )
    #expect(response.status == 429)
    first.cancel()
    return stub.requests.count == 1 ? nil : try await first.value
}

@Suite("Retry-After (RFC 9110 §10.2.3)", .timeLimit(.minutes(5)))
struct RetryAfterTests {
    @Test(arguments: [("0", 0), ("5", 5), (" 7\t", 7), ("007", 7), ("60", 60)]) func secondsAreWaited(
        text: String,
        seconds: Int
    ) async throws {
        // The policy's own wait of one second is added.
        #expect(try await wait([.retryAfter: text]) == .seconds(seconds + 1))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
    ]) func aDateIsMeasuredAgainstTheResponsesDate(text: String, seconds: Int) async throws {
        #expect(try await wait([.retryAfter: text, .date: start]) == .seconds(seconds + 1))
    }

    @Test(arguments: [
        "", "soon", "-5", "+5", "1.5", "5s", "1e3", "٣", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:47 CET",
    ]) func rubbishIsIgnored(text: String) async throws {
        #expect(try await wait([.retryAfter: text, .date: start]) == .seconds(1))
    }

    @Test(arguments: [[:], [.date: "rubbish"]] as [HTTPHeaders]) func aDateWithoutADateIsIgnored(
        headers: HTTPHeaders
    ) async throws {
        var headers = headers
        headers[.retryAfter] = "Sun, 06 Nov 1994 08:49:47 GMT"
        #expect(try await wait(headers) == .seconds(1))
    }

    @Test(arguments: [
        "61", "99999999999999999999999999", "9223372036854775807", "Sun, 06 Nov 1994 08:50:38 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ]) func aWaitThatIsTooLongEndsTheRetries(text: String) async throws {
        #expect(try await wait([.retryAfter: text, .date: start]) == nil)
    }

    /// A retry after the wait would miss the deadline, so the call returns the response at once.
    @Test(arguments: [true, false]) func aWaitBeyondTheDeadlineEndsTheRetries(isOption: Bool) async throws {
        let clock = TestClock()
        let stub = StubTransport(.json(#"{"code":"slow_down"}"#, status: 429, headers: [.retryAfter: "30"]))
        let retried = stub.wrapped(by: .retry(.exponential(attempts: 3))).wrapped(by: .deduplication)
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: isOption ? retried.erased() : retried.wrapped(by: .deadline(.seconds(20))).erased(),
            clock: clock
        )
        if isOption { client.options[Deadline.self] = Deadline(.seconds(20)) }
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("users")) }
        #expect(error?.status == 429)
        #expect(error?.response?.body == Data(#"{"code":"slow_down"}"#.utf8))
        #expect(stub.requests.count == 1)
    }

    @Test func aWaitBeyondTheTotalTimeEndsTheRetries() async throws {
        #expect(try await wait([.retryAfter: "10"], totalTime: .seconds(11)) == .seconds(11))
        #expect(try await wait([.retryAfter: "10"], totalTime: .seconds(10)) == nil)
    }
}
