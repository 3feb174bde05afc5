import Bilayer
import BilayerTesting
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls over loopback: a client with its default transport and one with `URLSessionTransport`, compared with
/// `URLSession` and a `JSONDecoder`.
///
/// The calls are made one after the other on an open connection, and 64 at a time. Real time and processor time are
/// measured. The server runs in this process, so each time includes its share.
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

/// Makes calls, at most `width` at a time.
/// - Parameters:
///   - count: The number of calls.
///   - width: The number of calls at a time.
///   - call: Makes a call and returns the nights of the visit.
/// - Returns: Whether the nights of all calls add up to the expected number.
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

/// Starts a server in the first run, and returns its address.
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
