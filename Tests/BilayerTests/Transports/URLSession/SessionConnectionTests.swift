import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("SessionConnection", .timeLimit(.minutes(5)))
struct SessionConnectionTests {
    @Test func theSessionEndsWithTheLastCopyOfItsTransport() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        weak var delegate: TransferDelegate?
        weak var connection: SessionConnection?
        do {
            let transport = URLSessionTransport()
            let copy = transport
            connection = transport.connection
            delegate = transport.connection.delegate
            _ = try await copy.process(HTTPRequest(url: server.url.appending(path: "x")))
        }
        #expect(connection == nil)
        while delegate != nil { await Task.yield() }
    }

    @Test func aCallOutlivesItsTransport() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .held(then: .json("1")))
        let url = server.url.appending(path: "x")
        async let response = URLSessionTransport().process(HTTPRequest(url: url))
        try await server.waitForRequests(count: 1)
        server.release()
        #expect(try await response.status == 200)
    }
}
