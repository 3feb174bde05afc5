import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Calls that wait while another one changes the store.
@Suite("HTTP cache: waiting for the store", .timeLimit(.minutes(5)))
struct CacheWriteQueueTests {
    private let store = PausingStore()
    private let slow = URL("https://api.example.com/slow")
    private let users = URL("https://api.example.com/users")

    /// The call's response has come, and the write of another call does not end.
    @Test(arguments: [false, true])
    func aCancelledCallDoesNotWaitForAnotherWrite(byDeadline: Bool) async throws {
        let clock = TestClock()
        let cache = HTTPCache(store, now: { Date(timeIntervalSince1970: 0) })
        let stub = answering()
        let transport = stub.wrapped(by: .cache(cache))
        await store.pause(at: .beforeReplacing)
        let first = Task { [slow] in try await transport.process(HTTPRequest(url: slow)) }
        await store.waitUntilPaused()
        let context = CallContext(clock: clock)
        let limited = transport.wrapped(by: .deadline(.seconds(5)))
        let call = Task { [users] in try await limited.process(HTTPRequest(url: users), in: context) }
        try await stub.waitForRequests(count: 2)
        if byDeadline {
            clock.advance(by: .seconds(5))
        } else {
            call.cancel()
        }
        // The second call ends before the first one goes on.
        _ = await call.result
        await store.goOn()
        _ = try await first.value
        #expect(await store.log == ["1 stored"])
        #expect(cache.engine.keeper.inProgress.count == 0)
        // The queue goes on after a call has left it.
        _ = try await transport.process(HTTPRequest(url: users))
        #expect(await store.log == ["1 stored", "1 stored"])
    }

    /// A `DELETE` that has reached the server invalidates, also if its task was cancelled since then.
    @Test func aCancelledInvalidationIsNotLeftOut() async throws {
        let stub = answering()
        let transport = stub.wrapped(by: .cache(HTTPCache(store)))
        _ = try await transport.process(HTTPRequest(url: users))
        await store.pause(at: .beforeReplacing)
        let first = Task { [slow] in try await transport.process(HTTPRequest(url: slow)) }
        await store.waitUntilPaused()
        let delete = Task { [users] in try await transport.process(HTTPRequest(method: .delete, url: users)) }
        try await stub.waitForRequests(count: 3)
        delete.cancel()
        await store.goOn()
        _ = try await first.value
        _ = await delete.result
        #expect(await store.log == ["1 stored", "1 stored", "0 stored"])
    }

    /// Many calls wait to write their responses. A removal waits for the write in progress, but not for theirs.
    @Test func aRemovalGoesBeforeTheWritesThatWait() async throws {
        let cache = HTTPCache(store)
        let stub = answering()
        let transport = stub.wrapped(by: .cache(cache))
        await store.pause(at: .beforeReplacing)
        let first = Task { [slow] in try await transport.process(HTTPRequest(url: slow)) }
        await store.waitUntilPaused()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let url = users.appendingPathComponent("\(number)")
                group.addTask { _ = try await transport.process(HTTPRequest(url: url)) }
            }
            try await stub.waitForRequests(count: 21)
            let delete = Task { [slow] in try await transport.process(HTTPRequest(method: .delete, url: slow)) }
            let progress = cache.engine.keeper.inProgress
            while !progress.isInvalidated(HTTPCacheKey(slow), since: 0) { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            await store.goOn()
            try await group.waitForAll()
            _ = try await delete.value
        }
        _ = try await first.value
        #expect(await store.log == ["1 stored", "0 stored"] + Array(repeating: "1 stored", count: 20))
    }

    /// Equal calls receive their responses at the same time. Each reads the store twice: at its look-up, and once more
    /// before it writes.
    @Test func callsThatWaitReadTheStoreOnce() async throws {
        let stub = answering()
        let transport = stub.wrapped(by: .cache(HTTPCache(store)))
        await store.pause(at: .beforeReplacing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<30 {
                group.addTask { [users] in
                    let request = HTTPRequest(url: users, headers: ["Cache-Control": "no-cache"])
                    _ = try await transport.process(request)
                }
            }
            await store.waitUntilPaused()
            try await stub.waitForRequests(count: 30)
            await store.goOn()
            try await group.waitForAll()
        }
        #expect(await store.readings == 60)
    }

    private func answering() -> StubTransport {
        StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
    }
}
