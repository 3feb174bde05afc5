import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// One case of RFC 9111: a first exchange, some time, perhaps another request, a second exchange, and where the second
/// response must come from.
struct CacheRow: Sendable, CustomTestStringConvertible {
    /// The time of the first request.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    enum Outcome: Sendable, Hashable {
        /// A response with this cache status and status code.
        case response(CacheStatus, HTTPStatus = 200)
        case failure
    }

    let section: String
    let rule: String
    var isShared = false
    /// The first request's fields.
    var asking: HTTPHeaders = [:]
    /// The first response.
    var status: HTTPStatus = 200
    var with: HTTPHeaders = [:]
    /// How long the server takes for the first response.
    var taking: TimeInterval = 0
    /// A request between both, with the response's status and fields.
    var between: (HTTPMethod, HTTPStatus, HTTPHeaders)?
    /// The time from the first response to the second request.
    var after: TimeInterval = 0
    /// The second request.
    var method: HTTPMethod = .get
    var thenAsking: HTTPHeaders = [:]
    /// The second response of the server; `nil` for an error.
    var thenStatus: HTTPStatus? = 200
    var thenWith: HTTPHeaders = [:]

    let expected: Outcome
    /// Fields that the second request has at the server; an empty text for a field that it must not have.
    var sends: [HTTPHeaders.Name: String] = [:]
    /// Fields that the second response has for the caller; an empty text for a field that it must not have.
    var returns: [HTTPHeaders.Name: String] = [:]

    var testDescription: String { "§\(section) \(rule)" }

    static func date(_ offset: TimeInterval) -> String { HTTPDate.text(of: start + offset) }
}

/// A cache with a clock that the test sets, around a server whose answers the test sets.
struct CacheBench: Sendable {
    let clock = CacheDates(CacheRow.start)
    let stub = StubTransport()
    let store = MemoryCacheStore(maximumBytes: 1 << 20)
    let cache: HTTPCache
    let url = URL("https://api.example.com/users")

    /// The number of addresses with an exchange in progress.
    var exchanges: Int { cache.engine.keeper.inProgress.count }

    init(isShared: Bool = false) {
        cache = HTTPCache(store, isShared: isShared, now: { [clock] in clock.now })
    }

    func ask(
        _ method: HTTPMethod = .get,
        _ headers: HTTPHeaders = [:],
        policy: CachePolicy? = nil
    ) async throws -> HTTPResponse {
        var options = CallOptions()
        options[CachePolicy.self] = policy
        let request = HTTPRequest(method: method, url: url, headers: headers)
        return try await stub.wrapped(by: .cache(cache)).process(request, in: CallContext(options: options))
    }

    func reply(_ method: HTTPMethod = .get, _ status: HTTPStatus?, _ headers: HTTPHeaders, _ body: String) {
        let clock = clock
        let answer = StubTransport.Answer { _, _ in
            guard let status else { throw TransportError(.connectionLost) }
            var headers = headers
            if headers[.date] == nil { headers[.date] = HTTPDate.text(of: clock.now) }
            if headers[.date] == "-" { headers[.date] = nil }
            return HTTPResponse(status: status, headers: headers, body: status == 304 ? Data() : Data(body.utf8))
        }
        stub.on(method, "/users", answer)
    }
}

/// Dates that a test sets.
// Sendable: `date` is only accessed under `lock`.
final class CacheDates: @unchecked Sendable {
    private let lock = NSLock()
    private var date: Date

    init(_ date: Date) { self.date = date }

    var now: Date { lock.withLock { date } }

    func advance(by seconds: TimeInterval) { lock.withLock { date += seconds } }
}
