import BilayerTesting
import Foundation

@testable import Bilayer

/// The error of a refresh.
struct RefreshFailure: Error {}

/// Middlewares in a random order around a transport.
struct RandomStack: CustomStringConvertible {
    private(set) var node: AnyNode<HTTPRequest, HTTPResponse>
    private(set) var caches: [HTTPCache] = []
    private(set) var deduplications: [Deduplication] = []
    private(set) var tokens: [BearerTokens] = []
    private var names: [String] = []
    private let clock: any Clock<Duration>
    private let bases: [URL]

    /// The names of the middlewares, from the innermost to the outermost.
    var description: String { names.joined(separator: " < ") }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// - Parameters:
    ///   - transport: The transport.
    ///   - clock: The clock of middlewares that have one of their own.
    ///   - bases: The addresses of a failover.
    ///   - random: Chooses the middlewares, their order and their settings.
    init(
        around transport: AnyNode<HTTPRequest, HTTPResponse>,
        clock: any Clock<Duration>,
        bases: [URL] = [RandomServer.eu, RandomServer.us],
        _ random: inout SplitMix64
    ) {
        node = transport
        self.clock = clock
        self.bases = bases
        for _ in 0..<random.next(below: 9) { add(&random) }
    }

    private mutating func add(_ random: inout SplitMix64) {
        switch random.next(below: 15) {
        case 0, 1: wrap("retry", .retry(Self.policy(&random)))
        case 2: wrap("deadline", .deadline(.milliseconds(random.next(below: 20_000))))
        case 3: wrap("attemptDeadline", .attemptDeadline(.milliseconds(random.next(below: 5_000))))
        case 4, 5: addAuthentication(&random)
        case 6, 7:
            let deduplication = Deduplication()
            deduplications.append(deduplication)
            wrap("deduplication", deduplication)
        case 8, 9:
            let cache = HTTPCache(.memory(maximumBytes: 1 << 20), isShared: random.next(below: 4) == 0)
            caches.append(cache)
            wrap("cache", .cache(cache))
        case 10: wrap("concurrency", .concurrency(perHost: 1 + random.next(below: 3)))
        case 11: wrap("rate", .rate(1 + random.next(below: 5), per: .seconds(1), clock: clock))
        case 12:
            let failures = 1 + random.next(below: 3)
            wrap("circuit", .circuitBreaker(failures: failures, pause: .milliseconds(500), clock: clock))
        case 13: addHeaders(&random)
        default: wrap("failover", .failover(bases))
        }
    }

    private mutating func wrap(_ name: String, _ middleware: some Middleware<HTTPRequest, HTTPResponse>) {
        node = node.wrapped(by: middleware).erased()
        names.append(name)
    }

    private mutating func addAuthentication(_ random: inout SplitMix64) {
        let shared = Locked(SplitMix64(seed: random.next()))
        let tokens = BearerTokens(
            BearerToken("\(RandomServer.secret)-0", expiresIn: .seconds(random.next(below: 3))),
            limit: 1 + random.next(below: 20),
            clock: clock
        ) { [clock] _ in
            let (wait, fails, life) = shared.withLock { ($0.next(below: 3), $0.next(below: 5), $0.next(below: 4)) }
            if wait == 0 { try await clock.sleep(for: .milliseconds(20)) }
            await Task.yield()
            if fails == 0 { throw RefreshFailure() }
            return BearerToken("\(RandomServer.secret)-1", expiresIn: life == 0 ? nil : .seconds(life))
        }
        self.tokens.append(tokens)
        wrap("authentication", .authentication(tokens))
    }

    private mutating func addHeaders(_ random: inout SplitMix64) {
        switch random.next(below: 4) {
        case 0: wrap("headers", HeaderProvider { _ in ["X-Api-Key": RandomServer.secret] })
        case 1:
            wrap(
                "signing",
                Signing { request in
                    var request = request
                    request.headers["X-Signature"] = RandomServer.secret
                    return request
                }
            )
        case 2: wrap("basic", .basicAuthentication(user: "ada", password: RandomServer.secret))
        default: wrap("trace", .tracePropagation)
        }
    }

    static func policy(_ random: inout SplitMix64) -> RetryPolicy {
        let shared = Locked(SplitMix64(seed: random.next()))
        var policy = RetryPolicy.exponential(
            attempts: 1 + random.next(below: 4),
            firstWait: .milliseconds(random.next(below: 30)),
            totalTime: random.next(below: 3) == 0 ? .milliseconds(random.next(below: 300)) : nil,
            jitter: RetryJitter { longest in longest * shared.withLock { $0.next(below: 100) } / 100 }
        )
        if random.next(below: 3) == 0 {
            policy.makeIdempotencyKey = { "key-\(shared.withLock { $0.next() })" }
        }
        return policy
    }
}

/// One call: its request, its options, and whether it is cancelled.
struct CallPlan: CustomStringConvertible {
    let number: Int
    let method: HTTPMethod
    let path: String
    let user: String
    let options: CallOptions
    let yieldsBeforeCancel: Int?
    private let body: Int

    var description: String { "call \(number): \(method) \(path) of \(user)" }

    init(number: Int, cancels: Bool, _ random: inout SplitMix64) {
        self.number = number
        let methods: [HTTPMethod] = [.get, .get, .get, .get, .post, .put]
        method = methods[random.next(below: methods.count)]
        path = "r/\(random.next(below: 2))"
        user = ["ada", "bob"][random.next(below: 2)]
        body = random.next(below: 3)
        yieldsBeforeCancel = cancels || random.next(below: 3) == 0 ? random.next(below: 60) : nil
        var options = CallOptions()
        let policies: [CachePolicy?] = [
            nil, nil, .standard, .revalidate, .networkOnly, .cacheOnly, .cacheElseNetwork, .networkElseCache,
        ]
        options[CachePolicy.self] = policies[random.next(below: policies.count)]
        if random.next(below: 6) == 0 { options[RetryPolicy.self] = RandomStack.policy(&random) }
        if random.next(below: 8) == 0 { options[Deadline.self] = Deadline(.milliseconds(random.next(below: 9_000))) }
        if random.next(below: 8) == 0 { options[AttemptDeadline.self] = AttemptDeadline(.milliseconds(700)) }
        if random.next(below: 4) == 0 { options[CallPriority.self] = .high }
        if random.next(below: 4) == 0 { options[RedirectPolicy.self] = .follow(limit: random.next(below: 3)) }
        self.options = options
    }

    /// A plain call that shows whether the stack still sends requests.
    init(probe number: Int) {
        self.number = number
        (method, path, user, body, yieldsBeforeCancel) = (.get, "r/0", "ada", 0, nil)
        var options = CallOptions()
        options[CachePolicy.self] = .networkOnly
        self.options = options
    }

    var route: Route<Json> {
        var headers: HTTPHeaders = ["X-User": user]
        // Equal `GET`s are shared, so they must not have different numbers.
        if method != .get { headers["X-Call"] = "\(number)" }
        return .method(method)(path, headers: headers)
    }

    /// The request with its body: bytes, or a stream that can be read once.
    func withBody(_ request: HTTPRequest) -> HTTPRequest {
        guard method != .get, body > 0 else { return request }
        var request = request
        let bytes = Data("body".utf8)
        request.body = body == 1 ? .data(bytes) : .stream(length: bytes.count) { OneChunk(bytes: bytes) }
        return request
    }
}

private struct OneChunk: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var bytes: Data?

    func makeAsyncIterator() -> OneChunk { self }

    mutating func next() async throws -> Data? {
        defer { bytes = nil }
        return bytes
    }
}
