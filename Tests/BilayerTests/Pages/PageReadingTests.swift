import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("Pages: faults, cancellation and concurrent iterations", .timeLimit(.minutes(5)))
struct PageReadingTests {
    private let server: FaultServer
    private let client: Client

    init() async throws {
        server = try await FaultServer.start()
        client = Client(baseURL: server.url)
    }

    private var numbers: Route<[Int]> { .get("numbers") }

    /// Serves a list of numbers in pages of different sizes.
    private func serve(_ count: Int, sizes: [Int]) {
        server.on(.get, "/numbers") { request in
            let offset = request.query.flatMap { Int($0.dropFirst("offset=".count)) } ?? 0
            let size = sizes[offset % sizes.count]
            return .json("\(Array(min(offset, count)..<min(offset + size, count)))")
        }
    }

    @Test("a page that fails is read again: none is lost, none is doubled", arguments: [true, false])
    func faults(isPrefetching: Bool) async throws {
        server.on(.get, "/numbers?page=1", .json("[1,2]"))
        server.on(.get, "/numbers?page=2", .resetInBody(after: 10), .closeBeforeAnswer, .status(503), .json("[3]"))
        server.on(.get, "/numbers?page=3", .truncatedBody(sent: 1, declared: 10), .json("[4]"))
        server.on(.get, "/numbers?page=4", .json("[]"))
        let pages = client.pages(of: numbers, by: .pageNumber())
        let iterator = (isPrefetching ? pages.prefetching() : pages).makeAsyncIterator()
        var found: [Int] = []
        var failed: [Int] = []
        while true {
            do {
                guard let page = try await iterator.next() else { break }
                found += page.value
            } catch let error as PageError {
                failed.append(error.page)
            }
        }
        #expect(found == [1, 2, 3, 4])
        #expect(failed.first == 2)
        #expect(failed.last == 3)
    }

    @Test("a retry around the transport keeps the position")
    func retry() async throws {
        server.on(.get, "/numbers?page=1", .json("[1]"))
        server.on(.get, "/numbers?page=2", .status(503), .json("[2]"))
        server.on(.get, "/numbers?page=3", .json("[]"))
        var policy = RetryPolicy.exponential(attempts: 3)
        policy.firstWait = .milliseconds(1)
        var client = client
        client.transport = AnyNode(DefaultTransport().wrapped(by: .retry(policy)))
        var found: [Int] = []
        for try await number in client.pages(of: numbers, by: .pageNumber()).elements { found.append(number) }
        #expect(found == [1, 2])
        #expect(server.requests.count == 4)
    }

    @Test(
        "a cancelled iteration ends at once with CancellationError, also with a page fetched ahead",
        arguments: [true, false]
    )
    func cancel(isPrefetching: Bool) async throws {
        server.on(.get, "/numbers?page=1", .json("[1]"))
        server.on(.get, "/numbers?page=2", .hold)
        let pages = client.pages(of: numbers, by: .pageNumber())
        let task = Task {
            for try await _ in isPrefetching ? pages.prefetching() : pages {}
        }
        try await server.waitForRequests(count: 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a page is fetched ahead on request, while the caller uses the one before it")
    func prefetches() async throws {
        serve(3, sizes: [1])
        let iterator = client.pages(of: numbers, by: .offset()).prefetching().makeAsyncIterator()
        #expect(try await iterator.next()?.value == [0])
        try await server.waitForRequests(count: 2)
        #expect(try await iterator.next()?.value == [1])
        #expect(try await iterator.next()?.value == [2])
    }

    @Test("shared pages are fetched ahead, whichever was said first", arguments: [true, false])
    func prefetchesShared(isSharedFirst: Bool) async throws {
        serve(3, sizes: [1])
        let pages = client.pages(of: numbers, by: .offset())
        let both = isSharedFirst ? pages.shared().prefetching() : pages.prefetching().shared()
        #expect(try await both.makeAsyncIterator().next()?.value == [0])
        try await server.waitForRequests(count: 2)
        #expect(try await both.makeAsyncIterator().next()?.value == [1])
        #expect(try await both.makeAsyncIterator().next()?.value == [2])
    }

    @Test("without a request for it no page is fetched ahead")
    func fetchesOnDemand() async throws {
        serve(3, sizes: [1])
        let iterator = client.pages(of: numbers, by: .offset()).makeAsyncIterator()
        #expect(try await iterator.next()?.value == [0])
        #expect(try await iterator.next()?.value == [1])
        #expect(server.requests.count == 2)
    }

    @Test("shared pages go to one iteration each", arguments: [true, false])
    func sharing(isPrefetching: Bool) async throws {
        serve(100, sizes: [3, 1, 2])
        let pages = client.pages(of: numbers, by: .offset())
        let shared = (isPrefetching ? pages.prefetching() : pages).shared()
        let found = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var mine: [Int] = []
                    for try await number in shared.elements { mine.append(number) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(found.sorted() == Array(0..<100))
        #expect(Set(server.requests.map(\.target)).count == server.requests.count)
    }

    @Test("a cancelled iteration of shared pages leaves its page to the others")
    func sharedCancel() async throws {
        server.on(.get, "/numbers?page=1", .hold, .json("[1]"))
        server.on(.get, "/numbers?page=2", .json("[]"))
        let shared = client.pages(of: numbers, by: .pageNumber()).shared()
        let iterator = shared.makeAsyncIterator()
        let first = Task { try await iterator.next()?.value }
        try await server.waitForRequests(count: 1)
        let second = Task { try await shared.makeAsyncIterator().next()?.value }
        while iterator.reader.semaphore.waiting(for: 0) == 0 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == [1])
    }

    @Test("every list arrives whole and in order", arguments: [1, 7, 23] as [UInt64])
    func property(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5 {
            let count = Int.random(in: 0...30, using: &random)
            serve(count, sizes: (0..<5).map { _ in Int.random(in: 1...7, using: &random) })
            var found: [Int] = []
            for try await number in client.pages(of: numbers, by: .offset()).elements { found.append(number) }
            #expect(found == Array(0..<count))
        }
    }
}
