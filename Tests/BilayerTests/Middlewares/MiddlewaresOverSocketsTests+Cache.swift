import Bilayer
import BilayerTesting
import Foundation
import Testing

// Rules of RFC 9111 that a server can see. The table of all rules is `CacheRow`.
extension MiddlewaresOverSocketsTests {
    /// A cache with a clock that the test sets, in front of a server.
    private struct CachedServer {
        let server: FaultServer
        let clock = CacheDates(CacheRow.start)
        private let transport: AnyNode<HTTPRequest, HTTPResponse>

        init(over choice: BuiltInTransport) async throws {
            server = try await FaultServer.start()
            let cache = HTTPCache(MemoryCacheStore(maximumBytes: 1 << 20), now: { [clock] in clock.now })
            transport = try choice.transport().wrapped(by: .cache(cache)).erased()
        }

        /// The response as a text: its status, its body, and its cache status.
        func ask(_ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:]) async throws -> String {
            let request = HTTPRequest(method: method, url: server.url.appending(path: "users"), headers: headers)
            let response = try await transport.process(request)
            let origin = response.cacheStatus?.description ?? "no cache"
            return "\(response.status.code) \(String(decoding: response.body, as: UTF8.self)) \(origin)"
        }
    }

    @Test("§4.2: while a response is fresh, nothing is sent", arguments: BuiltInTransport.allCases)
    func freshResponses(over choice: BuiltInTransport) async throws {
        let bench = try await CachedServer(over: choice)
        bench.server.on(.get, "/users", .json("[1]", headers: [.cacheControl: "max-age=60"]), .json("[2]"))
        #expect(try await bench.ask() == "200 [1] miss")
        bench.clock.advance(by: 59)
        #expect(try await bench.ask() == "200 [1] hit")
        #expect(bench.server.requests.count == 1)
        bench.clock.advance(by: 2)
        #expect(try await bench.ask() == "200 [2] miss")
        #expect(bench.server.requests.count == 2)
    }

    @Test(
        "§4.3: a stale response is validated by its ETag, and a 304 makes it fresh",
        arguments: BuiltInTransport.allCases
    )
    func staleResponses(over choice: BuiltInTransport) async throws {
        let bench = try await CachedServer(over: choice)
        let headers: HTTPHeaders = [.eTag: "\"one\"", .cacheControl: "max-age=60"]
        bench.server.on(.get, "/users") { request in
            request.headers[.ifNoneMatch] == "\"one\"" ? .status(304, headers: headers) : .json("[1]", headers: headers)
        }
        #expect(try await bench.ask() == "200 [1] miss")
        bench.clock.advance(by: 61)
        #expect(try await bench.ask() == "200 [1] revalidated")
        #expect(try await bench.ask() == "200 [1] hit")
        #expect(bench.server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"one\""])
    }

    @Test("§5.2.2.5: a response with no-store is not stored", arguments: BuiltInTransport.allCases)
    func unstoredResponses(over choice: BuiltInTransport) async throws {
        let bench = try await CachedServer(over: choice)
        let headers: HTTPHeaders = [.cacheControl: "no-store, max-age=60", .eTag: "\"one\""]
        bench.server.on(.get, "/users", .json("[1]", headers: headers), .json("[2]", headers: headers))
        #expect(try await bench.ask() == "200 [1] miss")
        #expect(try await bench.ask() == "200 [2] miss")
        #expect(bench.server.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test("§4.1: each value of the fields in Vary has its own response", arguments: BuiltInTransport.allCases)
    func variants(over choice: BuiltInTransport) async throws {
        let bench = try await CachedServer(over: choice)
        bench.server.on(.get, "/users") { request in
            .text(
                request.headers[.acceptLanguage] ?? "none",
                headers: ["Vary": "Accept-Language", .cacheControl: "max-age=60"]
            )
        }
        for origin in ["miss", "hit"] {
            for language in ["de", "en"] {
                #expect(try await bench.ask(.get, [.acceptLanguage: language]) == "200 \(language) \(origin)")
            }
        }
        #expect(bench.server.requests.count == 2)
    }

    @Test("§4.4: a request with an unsafe method invalidates the response", arguments: BuiltInTransport.allCases)
    func invalidatedResponses(over choice: BuiltInTransport) async throws {
        let bench = try await CachedServer(over: choice)
        let headers: HTTPHeaders = [.cacheControl: "max-age=60"]
        bench.server.on(.get, "/users", .json("[1]", headers: headers), .json("[2]", headers: headers))
        bench.server.on(.post, "/users", .status(500), .status(204))
        #expect(try await bench.ask() == "200 [1] miss")
        // The `POST` is refused, so it invalidates nothing.
        #expect(try await bench.ask(.post) == "500  bypass")
        #expect(try await bench.ask() == "200 [1] hit")
        #expect(try await bench.ask(.post) == "204  bypass")
        #expect(try await bench.ask() == "200 [2] miss")
        #expect(try await bench.ask() == "200 [2] hit")
        #expect(bench.server.requests.map(\.method) == [.get, .post, .post, .get])
    }
}
