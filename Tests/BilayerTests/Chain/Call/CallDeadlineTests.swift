import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A node that waits until it is cancelled, and reports that it has begun.
private func hold<Value: Sendable>(_ begun: Signal) -> @Sendable (Value, CallContext) async throws -> Value {
    { value, _ in
        begun.raise()
        try await Task.sleep(for: .seconds(3_600))
        return value
    }
}

/// A signal that is raised once, and for which a test waits.
private struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func raise() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

private struct RowEntry: Codable, Sendable, RawDecodable {
    let id: Int
}

private struct Row: DTODecodable, Sendable {
    let id: Int

    static func from(dto: RowEntry) -> Row { Row(id: dto.id) }
}

private let rows = Route<[Row]>.get("rows")

@Suite("A deadline as an option covers the whole call", .timeLimit(.minutes(5)))
struct CallDeadlineTests {
    private let clock = TestClock()

    private func client(_ limit: Duration = .seconds(20), _ transport: StubTransport = .rows) -> Client {
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
        client.options[Deadline.self] = Deadline(limit)
        return client
    }

    private func error(of call: Task<[Row], any Error>) async throws -> CallError {
        try #require(await #expect(throws: CallError.self) { try await call.value })
    }

    enum Place: CaseIterable { case request, transport, raw, entry, model }

    @Test(arguments: Place.allCases)
    func aStageThatWaitsIsEndedByName(place: Place) async throws {
        let begun = Signal()
        var client = client(.seconds(20), place == .transport ? StubTransport(.hold) : .rows)
        var route = rows
        switch place {
        case .request: client.request.append(hold(begun))
        case .transport: begun.raise()
        case .raw: client.raw.append(hold(begun))
        case .entry, .model:
            route =
                place == .entry ? rows.adding(entry: AnyNode(hold(begun))) : rows.adding(model: AnyNode(hold(begun)))
        }
        let (asked, sent) = (client, route)
        let call = Task { try await asked.fetch(sent) }
        await begun.wait()
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try await error(of: call)
        let stages: [Place: CallStage] = [
            .request: .requestEncoding, .transport: .transport, .raw: .rawMapping, .entry: .rawMapping,
            .model: .dtoConversion,
        ]
        #expect(error.stage == stages[place])
        let reason = try #require(error.underlyingError as? TransportError)
        #expect(reason.kind == .timedOut)
        #expect(reason.detail == "deadline of the call: expected a response within 20.000 s, found none")
        #expect((error.request == nil) == (place == .request))
        #expect(clock.sleepers == 0)
    }

    /// Mapping is not cancelled, but the next stage does not begin.
    @Test func afterALateStageTheNextOneDoesNotBegin() async throws {
        var client = client()
        client.raw.append { [clock] json, _ in
            clock.advance(by: .seconds(20))
            while !Task.isCancelled { await Task.yield() }
            return json
        }
        let asked = client
        let error = try await error(of: Task { try await asked.fetch(rows.adding(model: AnyNode { _, _ in [] })) })
        #expect(error.stage == .dtoConversion)
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(error.response?.status == 200)
    }

    @Test func theModelOfALateLastStageIsReturned() async throws {
        let late = rows.adding(
            model: AnyNode { [clock] rows, _ in
                clock.advance(by: .seconds(20))
                while !Task.isCancelled { await Task.yield() }
                return rows
            }
        )
        #expect(try await client().fetch(late).map(\.id) == [1, 2])
    }

    @Test func aCallInTimeLeavesNoSleeper() async throws {
        #expect(try await client().fetch(rows).map(\.id) == [1, 2])
        #expect(clock.sleepers == 0)
    }

    /// The clocks of the standard library would end the process for such a long time.
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max), .seconds(1e12)])
    func aDeadlineWithoutAnEndIsNone(limit: Duration) async throws {
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: StubTransport.rows.wrapped(by: .attemptDeadline(limit)).wrapped(by: .deadline(limit))
        )
        #expect(try await client.fetch(rows).map(\.id) == [1, 2])
        client.options[Deadline.self] = Deadline(limit)
        #expect(try await client.fetch(rows).map(\.id) == [1, 2])
        #expect("\(Deadline(limit))".hasPrefix("Deadline("))
    }

    @Test func anErrorInTimeIsThrownAsItIs() async throws {
        let stub = StubTransport(.failure(TransportError(.cannotConnect)))
        let error = try await error(of: Task { try await client(.seconds(20), stub).fetch(rows) })
        #expect((error.underlyingError as? TransportError)?.kind == .cannotConnect)
    }

    @Test func aCancelledCallerGetsACancellationError() async throws {
        let begun = Signal()
        var client = client()
        client.raw.append(hold(begun))
        let asked = client
        let call = Task { try await asked.fetch(rows) }
        await begun.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func withoutTimeNothingIsSent(limit: Duration) async throws {
        let stub = StubTransport.rows
        let error = try await error(of: Task { try await client(limit, stub).fetch(rows) })
        #expect(error.stage == .requestEncoding)
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(stub.requests.isEmpty)
    }

    /// The option replaces the limit of the transport's own middleware: the call has one limit.
    @Test func itReplacesTheDeadlineOfTheTransport() async throws {
        let stub = StubTransport(.hold)
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: stub.wrapped(by: .deadline(.seconds(5))),
            clock: clock
        )
        client.options[Deadline.self] = Deadline(.seconds(20))
        let asked = client
        let call = Task { try await asked.fetch(rows) }
        try await stub.waitForRequests(count: 1)
        #expect(clock.sleepers == 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        #expect(try await error(of: call).stage == .transport)
    }

    /// A call inside of another one has its own limit. Here it has none, so the limit of the outer call ends both.
    @Test func aCallInsideIsEndedWithIt() async throws {
        let inner = StubTransport(.hold)
        let tokens = Client(baseURL: URL("https://login.example.com"), transport: inner, clock: clock)
        var client = client()
        client.request.append { request, _ in
            _ = try await tokens.fetch(rows)
            return request
        }
        let asked = client
        let call = Task { try await asked.fetch(rows) }
        try await inner.waitForRequests(count: 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try await error(of: call)
        #expect(error.stage == .requestEncoding)
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
    }

    @Test func aStreamWithoutAHeadIsEnded() async throws {
        let stub = StubTransport(.hold)
        let stream = client(.seconds(20), stub).stream(Route<Row>.get("rows"), as: .array)
        let reading = Task { for try await _ in stream {} }
        try await stub.waitForRequests(count: 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try #require(await #expect(throws: CallError.self) { try await reading.value })
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(clock.sleepers == 0)
    }

    /// A transport whose responses have this body.
    private func streaming(_ body: AsyncThrowingStream<Data, any Error>) -> StubTransport {
        StubTransport { _, _ in
            var response = HTTPResponse(status: 200)
            response.stream = .stream { body }
            return response
        }
    }

    @Test func aStreamsDeadlineEndsWithTheHead() async throws {
        let (body, chunks) = AsyncThrowingStream<Data, any Error>.makeStream()
        let stream = client(.seconds(20), streaming(body)).stream(Route<Row>.get("rows"), as: .lines)
        var rows = stream.makeAsyncIterator()
        chunks.yield(Data("{\"id\":1}\n".utf8))
        let first = try await rows.next()
        #expect(first?.id == 1)
        #expect(clock.sleepers == 0)
        clock.advance(by: .seconds(3_600))
        chunks.yield(Data("{\"id\":2}\n".utf8))
        chunks.finish()
        let second = try await rows.next()
        #expect(second?.id == 2)
        let end = try await rows.next()
        #expect(end == nil)
    }

    @Test func aDownloadsDeadlineEndsWithTheHead() async throws {
        try await withFolder { folder in
            let (body, chunks) = AsyncThrowingStream<Data, any Error>.makeStream()
            let place = folder.appendingPathComponent("rows")
            var steps = 0
            chunks.yield(Data("12".utf8))
            for try await event in client(.seconds(20), streaming(body)).download(Route<Void>.get("rows"), to: place) {
                guard case .progress = event else { continue }
                steps += 1
                if steps > 1 { continue }
                #expect(clock.sleepers == 0)
                clock.advance(by: .seconds(3_600))
                chunks.yield(Data("34".utf8))
                chunks.finish()
            }
            #expect(steps > 0)
            #expect(try Data(contentsOf: place) == Data("1234".utf8))
        }
    }
}

extension StubTransport {
    fileprivate static var rows: StubTransport { StubTransport(.json(#"[{"id": 1}, {"id": 2}]"#)) }
}
