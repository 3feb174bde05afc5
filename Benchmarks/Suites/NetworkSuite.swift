import Bilayer
import BilayerTesting
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls over loopback: a client with its default transport and one with `URLSessionTransport`, beside a bare
/// `URLSession` with a `JSONDecoder`.
///
/// One after the other on a kept connection, and 64 at a time, each by the time that passes and by the processor time
/// of the process. The server is a part of this process, and takes its share of all.
func networkCases() throws -> [Case] {
    let body = Data(#"{"id":7,"place":"Kyoto","nights":3}"#.utf8)
    let server = LoopbackServer(answering: body)
    let session = URLSession(configuration: .ephemeral)
    let transports = (DefaultTransport(), URLSessionTransport())
    let decoder = JSONDecoder()
    return [1, 64]
        .flatMap { width in
            [Stopwatch.Clock.wall, .processor]
                .map { clock in
                    Case(
                        suite: .network,
                        corpus: "\(width)-at-a-time-\(clock)",
                        byteCount: body.count,
                        clock: clock,
                        contenders: [
                            Contender(engine: .foundation) { count in
                                let url = try await server.url().appending(path: "visits/7")
                                return try await calls(count, width) {
                                    let (data, response) = try await session.data(from: url)
                                    guard (response as? HTTPURLResponse)?.statusCode == 200 else { return 0 }
                                    return try decoder.decode(VisitEntry.self, from: data).nights
                                }
                            },
                            Contender(engine: .bilayerChain) { count in
                                let client = Client(baseURL: try await server.url(), transport: transports.0)
                                return try await calls(count, width) { try await client.fetch(visit).nights }
                            },
                            Contender(engine: .bilayerURLSession) { count in
                                let client = Client(baseURL: try await server.url(), transport: transports.1)
                                return try await calls(count, width) { try await client.fetch(visit).nights }
                            },
                        ]
                    )
                }
        }
}

private let visit = Route<Visit>.get("visits/7")

/// Makes calls, some at a time.
/// - Parameters:
///   - count: All calls.
///   - width: How many at a time.
///   - call: Returns the nights of a visit.
/// - Returns: Whether each call has brought the visit.
/// - Throws: The error of a call.
private func calls(
    _ count: Int,
    _ width: Int,
    _ call: @escaping @Sendable () async throws -> Int
) async throws -> Bool {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for place in 0..<min(width, count) {
            group.addTask {
                var nights = 0
                for _ in stride(from: place, to: count, by: width) { nights += try await call() }
                return nights
            }
        }
        return try await group.reduce(0, +) == 3 * count
    }
}

/// A server that is started by the first run.
private actor LoopbackServer {
    private let body: Data
    private var server: FaultServer?

    init(answering body: Data) { self.body = body }

    func url() async throws -> URL {
        if let server {
            server.forgetRequests()
            return server.url
        }
        let server = try await FaultServer.start()
        server.on(.get, "/visits/7", .data(body, contentType: "application/json"))
        self.server = server
        return server.url
    }
}
