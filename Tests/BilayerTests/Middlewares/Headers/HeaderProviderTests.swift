import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("HeaderProvider: fields for each request")
struct HeaderProviderTests {
    @Test func fieldsAreAddedOnEveryAttemptAndOwnOnesKept() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .status(503), .json("[]"))
        let transport =
            stub.wrapped(
                by: HeaderProvider { request in
                    await Task.yield()
                    return [.accept: "text/html", "X-Path": request.url.path]
                }
            )
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        let request = HTTPRequest(url: URL("https://api.example.com/users"), headers: [.accept: "application/json"])
        _ = try await transport.process(request)
        #expect(stub.requests.map { $0.headers["X-Path"] } == ["/users", "/users"])
        #expect(stub.requests.map { $0.headers[.accept] } == ["application/json", "application/json"])
    }

    @Test func anErrorOfTheClosureEndsTheCall() async throws {
        let stub = StubTransport(.json("[]"))
        await #expect(throws: CancellationError.self) {
            try await stub.wrapped(by: HeaderProvider { _ in throw CancellationError() })
                .process(HTTPRequest(url: URL("https://api.example.com")))
        }
        #expect(stub.requests.isEmpty)
    }
}
