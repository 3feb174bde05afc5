import Foundation
import Testing

@testable import Bilayer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("SessionTransfer")
struct SessionTransferTests {
    private let session = URLSession(configuration: .ephemeral)
    private let url = URL(filePath: "/")

    @Test func aCancelBeforeTheStartMakesNoTask() async {
        let transfer = SessionTransfer(limit: 10, hasBody: true)
        transfer.cancel()
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(continuation) {
                    Issue.record("a task was made")
                    return session.dataTask(with: url)
                }
            }
        }
    }

    @Test func aCancelWhileTheTaskIsMadeReachesTheTask() async {
        let transfer = SessionTransfer(limit: 10, hasBody: true)
        let task = session.dataTask(with: url)
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(continuation) {
                    transfer.cancel()
                    return task
                }
            }
        }
        #expect(task.state != .running && task.state != .suspended)
    }

    @Test func finishedWorkStaysFinished() async throws {
        let response = try await run { transfer in
            transfer.receive(head(200))
            transfer.receive(Data("ok".utf8))
            transfer.complete(nil)
            transfer.cancel()
        }
        #expect(response.body == Data("ok".utf8))
    }

    @Test func cancelledWorkStaysCancelled() async {
        await #expect(throws: CancellationError.self) {
            try await run { transfer in
                transfer.receive(head(200))
                transfer.cancel()
                transfer.receive(Data("ok".utf8))
                transfer.complete(nil)
                transfer.complete(URLError(.cancelled))
            }
        }
    }

    @Test func aSecondHeadTakesThePlaceOfTheFirst() async throws {
        let response = try await run { transfer in
            transfer.receive(head(200))
            transfer.receive(Data("first".utf8))
            transfer.receive(head(201))
            transfer.receive(Data("second".utf8))
            transfer.complete(nil)
        }
        #expect(response.status == 201)
        #expect(response.body == Data("second".utf8))
    }

    @Test func aRejectedChallengeIsTheAnswerThatCame() async throws {
        let response = try await run { transfer in
            transfer.receive(head(401))
            transfer.receive(Data("who?".utf8))
            transfer.rejectChallenge()
            transfer.complete(URLError(.cancelled))
        }
        #expect(response.status == 401)
        #expect(response.body == Data("who?".utf8))
    }

    @Test func aCancelByTheSessionIsNotOneOfTheCaller() async {
        let error = await #expect(throws: TransportError.self) {
            try await run { transfer in
                transfer.receive(head(200))
                transfer.complete(URLError(.cancelled))
            }
        }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test func anAnswerWithoutHttpIsMalformed() async {
        let error = await #expect(throws: TransportError.self) {
            try await run { transfer in
                transfer.receive(plainResponse)
                transfer.complete(nil)
            }
        }
        #expect(error?.kind == .malformedResponse)
    }

    @Test(arguments: [(3, "response too large: found more, expected at most 2 bytes"), (2, "200 OK, 2 B")])
    func theLimitIsExact(count: Int, outcome: String) async {
        let result = await Task {
            try await run(limit: 2) { transfer in
                transfer.receive(head(200))
                for _ in 0..<count { transfer.receive(Data([65])) }
                transfer.complete(nil)
            }
        }
        .result
        switch result {
        case .success(let response): #expect(response.description == outcome)
        case .failure(let error): #expect("\(error)" == outcome)
        }
    }

    /// On Linux the first head can be the answer of a proxy to `CONNECT`, so the transfer waits for a byte or the end.
    @Test(arguments: [true, false])
    func aStreamHasTheHeadBeforeItsFirstByte(endsWithoutByte: Bool) async throws {
        let transfer = SessionTransfer(limit: 10, hasBody: true, isStreamed: true, headMayBeOfProxy: true)
        let response = try await run(transfer) { transfer in
            transfer.receive(head(200))
            transfer.receive(head(201))
            if endsWithoutByte { return transfer.complete(nil) }
            transfer.receive(Data("o".utf8))
            transfer.receive(Data("k".utf8))
            transfer.complete(nil)
        }
        #expect(response.status == 201)
        let body = try await transfer.opening(response).collected().body
        #expect(body == Data((endsWithoutByte ? "" : "ok").utf8))
    }

    @Test func aServerThatRefusesAStreamBehindAProxyIsTheResponse() async throws {
        let transfer = SessionTransfer(limit: 10, hasBody: true, isStreamed: true, headMayBeOfProxy: true)
        let response = try await run(transfer) { transfer in
            transfer.receive(head(200))
            transfer.receive(head(404))
            transfer.receive(Data("none".utf8))
            transfer.complete(nil)
        }
        #expect(response.status == 404)
        #expect(response.body == Data("none".utf8))
    }

    private var plainResponse: URLResponse {
        URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }

    private func head(_ status: Int) -> URLResponse {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: [:]) ?? plainResponse
    }

    /// Starts a transfer on a task that is never resumed, and lets the events happen.
    private func run(limit: Int = 10, _ events: (SessionTransfer) -> Void) async throws -> HTTPResponse {
        try await run(SessionTransfer(limit: limit, hasBody: true), events)
    }

    private func run(_ transfer: SessionTransfer, _ events: (SessionTransfer) -> Void) async throws -> HTTPResponse {
        let task = session.dataTask(with: url)
        task.suspend()
        return try await withCheckedThrowingContinuation { continuation in
            transfer.start(continuation) { task }
            events(transfer)
        }
    }
}
