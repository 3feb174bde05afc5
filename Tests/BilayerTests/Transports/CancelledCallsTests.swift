#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Each test runs in a process of its own, because other tests open descriptors and threads, too.
@Suite("Cancelled calls leave no descriptor and no thread", .timeLimit(.minutes(10)), .serialized)
struct CancelledCallsTests {
    @Test func overCurl() async { await #expect(processExitsWith: .success) { try await cancelCalls(over: .curl) } }

    @Test func overURLSession() async {
        await #expect(processExitsWith: .success) { try await cancelCalls(over: .urlSession) }
    }

    /// If `URLSession` got the file itself, it would crash the process, because it goes on with an exchange that is
    /// over.
    @Test func uploadsOfFilesOverURLSession() async {
        await #expect(processExitsWith: .success) { try await breakUploads(over: .urlSession) }
    }

    @Test func uploadsOfFilesOverCurl() async {
        await #expect(processExitsWith: .success) { try await breakUploads(over: .curl) }
    }
}

/// Cancels calls after at most 300 microseconds: at once, while connecting, before the answer, at a redirect, in head
/// and body. With `BILAYER_STORMS=8` it cancels a thousand calls of each kind, four thousand at a redirect.
///
/// The first half of the calls shows what the transport keeps for later calls. The function returns when the process
/// has at most 32 more descriptors and 32 more threads than after that half.
private func cancelCalls(over choice: BuiltInTransport) async throws {
    let transport = try choice.transport()
    let server = try await FaultServer.start()
    server.on(.get, "/answered", .json("[1]"))
    server.on(.get, "/held", .hold)
    server.on(.get, "/moved", .redirect(to: "/held"))
    server.on(.get, "/head", .stallInHead)
    server.on(.get, "/stalled", .stallInBody(after: 5))
    let requests = ["answered", "held", "moved", "head", "moved", "stalled", "moved", "moved"]
        .map { HTTPRequest(url: server.url.appending(path: $0)) }
    let seed = UInt64.random(in: 0...UInt64.max)
    try await cancel(requests, over: transport, seed)
    let before = ProcessResources.now
    try await cancel(requests, over: transport, seed &+ 8)
    // Connections are closed after the call.
    while true {
        let now = ProcessResources.now
        if now.descriptors <= before.descriptors + 32, now.threads <= before.threads + 32 { return }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Makes and cancels 512 calls, eight at a time. `BILAYER_STORMS=8` makes eight times as many.
private func cancel(
    _ requests: [HTTPRequest],
    over transport: AnyNode<HTTPRequest, HTTPResponse>,
    _ seed: UInt64
) async throws {
    let storms = ProcessInfo.processInfo.environment["BILAYER_STORMS"].flatMap { Int($0) } ?? 1
    try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
            group.addTask {
                var random = SplitMix64(seed: seed &+ UInt64(worker))
                for round in 0..<64 * storms {
                    let request = requests[round % requests.count]
                    let call = Task { try await transport.process(request) }
                    let end = ContinuousClock.now + .microseconds(Int64.random(in: 0...300, using: &random))
                    while ContinuousClock.now < end {}
                    call.cancel()
                    guard case .failure(let error) = await call.result, !(error is CancellationError) else { continue }
                    print("found \(error), expected a response or a CancellationError; seed \(seed)")
                    throw error
                }
            }
        }
        try await group.waitForAll()
    }
}

/// Uploads of a file that end early: by a cancel at any time, or by a server that closes or answers before it has all.
private func breakUploads(over choice: BuiltInTransport) async throws {
    let transport = try choice.transport()
    let server = try await FaultServer.start()
    server.on(.post, "/held", .hold)
    server.onUpload(.post, "/closed", after: 1_000, .closeBeforeAnswer)
    server.onUpload(.post, "/reset", after: 100_000, .resetBeforeAnswer)
    server.onUpload(.post, "/refused", after: 1_000, .status(413))
    let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
    try Data(repeating: 65, count: 1_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let requests = ["held", "closed", "reset", "refused"]
        .map { path in
            var request = HTTPRequest(method: .post, url: server.url.appending(path: path), body: .file(at: file))
            // On Linux a session sometimes goes on for ever with an upload that was answered early.
            request.timeout = .seconds(3)
            return request
        }
    let seed = UInt64.random(in: 0...UInt64.max)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
            group.addTask {
                var random = SplitMix64(seed: seed &+ UInt64(worker))
                for round in 0..<50 {
                    let call = Task { try await transport.process(requests[round % requests.count]) }
                    let end = ContinuousClock.now + .microseconds(Int64.random(in: 0...3000, using: &random))
                    while ContinuousClock.now < end {}
                    if round % requests.count == 0 || round % 3 == 0 { call.cancel() }
                    guard case .failure(let error) = await call.result else { continue }
                    if error is CancellationError || error is TransportError { continue }
                    print("found \(error), expected a TransportError or a CancellationError; seed \(seed)")
                    throw error
                }
            }
        }
        try await group.waitForAll()
    }
}
#endif
