import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// A cancel ends a call and its connection at once, wherever the exchange stands still.
@Suite("The outcome table: a cancel at every fault that stays open", .timeLimit(.minutes(5)))
struct OutcomeCancelTests {
    /// Faults that never end by themselves.
    static let faults: [OutcomeRow] = [
        .fails("silence on accept", .hold, at: .accept, .other),
        .fails("no answer", .hold, .other),
        .fails("stall in the head", .stallInHead, .other),
        .fails("silence after 103 Early Hints", .interim(103, then: .hold), .other),
        .fails("stall in the body", .stallInBody(after: 1), .other),
        .fails("stall in the chunks", Reply(.chunkHead, .body("3\r\n[1,\r\n"), .hold), .other),
        .fails(
            "body of one byte a tenth of a second",
            .json(String(repeating: " ", count: 9_000)).throttled(to: 1),
            .other
        ),
        .fails("redirect to silence", .redirect(to: "/b"), .other) {
            $0.requests = 2
            $0.further = { server, _ in server.on(.get, "/b", .hold) }
        },
        .fails("redirect with a body that stops", .stalledRedirect, .other),
        .fails("silence during the upload", .hold, at: .upload(after: 1_000), .other) {
            ($0.method, $0.requestBody) = (.post, Data(repeating: 65, count: 20_000))
        },
        // The server does not read the upload, so it does not see the end of the connection behind the unread bytes.
        .fails("upload that nobody reads", .hold, at: .upload(after: 1_000), .other) {
            ($0.method, $0.requestBody) = (.post, Data(repeating: 65, count: 8_000_000))
        },
    ]

    /// Cancels one call as soon as the server has the request, and another one 30 ms later, when the client has
    /// received the sent part of the answer.
    @Test(arguments: faults, BuiltInTransport.allCases)
    func aCancelEndsTheCallAndItsConnection(at row: OutcomeRow, over choice: BuiltInTransport) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for stack in OutcomeStack.allCases {
                for wait in [Duration.zero, .milliseconds(30)] {
                    group.addTask { try await cancel(row, under: stack, over: choice, after: wait) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func cancel(
        _ row: OutcomeRow,
        under stack: OutcomeStack,
        over choice: BuiltInTransport,
        after wait: Duration
    ) async throws {
        let server = try await FaultServer.start()
        row.script(server, server)
        let transport = stack.around(try choice.transport())
        let request = row.request(to: server)
        let isUnread = request.body?.length ?? 0 > 1_000_000
        let call = Task { try await transport.process(request) }
        try await server.engine.state.wait { state in
            let arrived = if case .accept = row.place { state.connections } else { state.requests.count }
            return arrived >= row.requests ? () : nil
        }
        if wait > .zero { try await Task.sleep(for: wait) }
        call.cancel()
        await #expect(throws: CancellationError.self, "\(stack)") { try await call.value }
        if isUnread { server.stop() }
        // At most the listener's thread is left: no connection is.
        try await server.engine.state.wait { $0.threads <= 1 ? () : nil }
        #expect(row.arrived(at: server) == row.requests, "\(stack)")
    }
}

extension Reply.Action {
    fileprivate static let chunkHead = head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
}

extension Reply {
    fileprivate static let stalledRedirect = Reply(
        .head("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n"),
        .body("["),
        .hold
    )
}
