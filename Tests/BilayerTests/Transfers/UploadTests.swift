import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Upload: progress, then the answer", .timeLimit(.minutes(5)))
struct UploadTests {
    private static let bytes = Data(repeating: 7, count: 3_000_000)

    @Test(arguments: BuiltInTransport.allCases)
    func progressGrowsToTheWholeAndTheAnswerIsLast(with choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .json(#"{"id":1}"#))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        var progress: [TransferProgress] = []
        var answers: [Json] = []
        for try await event in client.upload(Route<Json>.post("pictures", body: Self.bytes)) {
            switch event {
            case .progress(let step):
                #expect(answers.isEmpty)
                progress.append(step)
            case .answer(let answer): answers.append(answer)
            }
        }
        #expect(answers == [["id": 1]])
        #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
        #expect(progress.allSatisfy { $0.total == 3_000_000 && $0.bytes <= 3_000_000 })
        #expect(server.requests.first?.body == Self.bytes)
    }

    @Test func aTransportOfTheAppReportsWhatItHasSent() async throws {
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            context.recordSent(request)
            context.recordSending(TransferProgress(bytes: 2, total: 8))
            context.recordSending(TransferProgress(bytes: 8, total: 8))
            return HTTPResponse(status: 200, body: Data("7".utf8))
        }
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        var progress: [TransferProgress] = []
        for try await event in client.upload(Route<Json>.post("pictures", body: Data(repeating: 7, count: 8))) {
            if case .progress(let step) = event { progress.append(step) }
        }
        #expect(progress.last == TransferProgress(bytes: 8, total: 8))
        #expect(progress.allSatisfy { $0.total == 8 })
    }

    @Test("progress counts the bytes of a body without a length, each once", arguments: BuiltInTransport.allCases)
    func unknownLength(with choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .json(#"{"id":1}"#))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let body = HTTPBody.stream(isReplayable: true) {
            AsyncStream<Data> { stream in
                for _ in 0..<300 { stream.yield(Data(repeating: 7, count: 10_000)) }
                stream.finish()
            }
        }
        var progress: [Int] = []
        let route = Route<Json>.post("pictures", body: .content(body, mediaType: "image/png"))
        for try await event in client.upload(route) {
            if case .progress(let step) = event { progress.append(step.bytes) }
        }
        #expect(progress == Set(progress).sorted())
        #expect(progress.last == 3_000_000)
        #expect(server.requests.first?.body == Self.bytes)
    }

    @Test(
        "the error of an upload has the body of the app, not the bytes that were read",
        arguments: BuiltInTransport.allCases
    )
    func errorsKeepStreams(with choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .text("no", status: 413))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let rows = AsyncStream<Data> { stream in
            stream.yield(Data("s3cr3t".utf8))
            stream.finish()
        }
        let body = HTTPBody.stream { rows }
        let error = await #expect(throws: CallError.self) {
            try await client.upload(Route<Json>.post("pictures", body: .content(body, mediaType: "text/csv"))).answer()
        }
        #expect(error?.request?.body == body)
        #expect(error?.request?.isReplayable == false)
    }

    @Test func theAnswerCanBeAwaitedAlone() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .json(#"{"id":1}"#))
        let client = Client(baseURL: server.url)
        #expect(try await client.upload(Route<Json>.post("pictures", body: Self.bytes)).answer() == ["id": 1])
    }

    @Test func anErrorOfTheCallEndsTheLoop() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .text("no", status: 413))
        let client = Client(baseURL: server.url)
        let error = await #expect(throws: CallError.self) {
            for try await _ in client.upload(Route<Json>.post("pictures", body: Self.bytes)) {}
        }
        #expect(error?.status == 413)
    }

    @Test func anIterationEndsWithTheErrorOfTheCall() async throws {
        let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.status(500)))
        var events = client.upload(Route<Json>.post("pictures", body: Self.bytes)).makeAsyncIterator()
        var errors: [any Error] = []
        for _ in 0..<3 {
            do {
                while try await events.next() != nil {}
            } catch {
                errors.append(error)
            }
        }
        #expect(errors.count == 1)
        #expect(errors.first is CallError)
    }

    @Test func aCancelledLoopThrowsAndCancelsTheCall() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/pictures", .held())
        let client = Client(baseURL: server.url)
        let loop = Task { for try await _ in client.upload(Route<Json>.post("pictures", body: Self.bytes)) {} }
        try await server.waitForRequests(count: 1)
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
    }
}
