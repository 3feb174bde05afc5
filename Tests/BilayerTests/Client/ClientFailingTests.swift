import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("A client declares the type of its server's error bodies once")
struct ClientFailingTests {
    private struct FaultEntry: Codable, RawMappable, Sendable { let code: Int }
    private struct OtherFaultEntry: Codable, RawMappable, Sendable { let reason: String }

    private struct Fault: DTODecodable, Hashable, Sendable {
        let code: Int
        static func from(dto: FaultEntry) -> Fault { Fault(code: dto.code) }
    }

    private let stub = StubTransport()

    private func client() throws -> Client {
        Client(baseURL: try #require(URL(string: "https://a.example")), transport: stub)
    }

    private func error(_ route: Route<Json>, by client: Client) async -> CallError? {
        await #expect(throws: CallError.self) { try await client.fetch(route) }
    }

    @Test func everyFailedCallHasTheEntry() async throws {
        stub.on(.get, "/a", .json(#"{"code":7}"#, status: 404))
        stub.on(.post, "/b", .json(#"{"code":8}"#, status: 500))
        let client = try client().failing(with: FaultEntry.self)
        #expect(await error(.get("a"), by: client)?.failure(as: FaultEntry.self)?.code == 7)
        #expect(await error(.post("b"), by: client)?.failure(as: FaultEntry.self)?.code == 8)
        #expect(await error(.get("a"), by: try self.client())?.failure(as: FaultEntry.self) == nil)
    }

    @Test func aModelIsMadeFromTheEntry() async throws {
        stub.on(.get, "/a", .json(#"{"code":7}"#, status: 404))
        let client = try client().failing(with: Fault.self)
        #expect(await error(.get("a"), by: client)?.failure(as: Fault.self) == Fault(code: 7))
    }

    @Test func theTypeOfARouteReplacesTheClients() async throws {
        stub.on(.get, "/a", .json(#"{"code":7,"reason":"r"}"#, status: 404))
        let client = try client().failing(with: Fault.self)
        let found = await error(.get("a").failing(with: OtherFaultEntry.self), by: client)
        #expect(found?.failure(as: OtherFaultEntry.self)?.reason == "r")
        #expect(found?.failure(as: Fault.self) == nil)
    }

    @Test("another body keeps the status, and says why it could not be read")
    func anotherBody() async throws {
        stub.on(.get, "/a", .text("<html>", status: 502))
        let found = await error(.get("a"), by: try client().failing(with: Fault.self))
        #expect(found?.status == 502)
        #expect(found?.failure(as: Fault.self) == nil)
        #expect((found?.underlyingError as? StatusError)?.unreadable != nil)
        #expect(found?.response?.body == Data("<html>".utf8))
    }

    @Test func streamsHaveTheTypeToo() async throws {
        stub.on(.get, "/a", .json(#"{"code":7}"#, status: 404))
        let client = try client().failing(with: Fault.self)
        let found = await #expect(throws: CallError.self) {
            for try await _ in client.stream(Route<Json>.get("a"), as: .lines) {}
        }
        #expect(found?.failure(as: Fault.self) == Fault(code: 7))
    }
}
