import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Note: Codable, RawMappable, Sendable, Equatable {
    var title = "tea"
    var at = Date(timeIntervalSince1970: 1)
}

@Suite("Bodies of routes")
struct RouteBodyTests {
    private let transport = StubTransport(.json("{}"))
    private var client: Client { Client(baseURL: URL("https://example.com"), transport: transport) }

    private func sent(_ body: RouteBody, headers: HTTPHeaders = [:]) async throws -> HTTPRequest {
        _ = try await client.fetch(Route<Json>.post("notes", headers: headers, body: body))
        return try #require(transport.requests.last)
    }

    @Test func eachBodyHasItsMediaType() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).CSV")
        let bodies: [(RouteBody, String)] = [
            (.text("é"), "text/plain; charset=utf-8"),
            (.bytes(Data([0])), "application/octet-stream"),
            (.bytes(Data([0]), mediaType: "image/png"), "image/png"),
            (.json(["a": 1] as Json), "application/json"),
            (.json(["a": 1] as Json, mediaType: "application/vnd.api+json"), "application/vnd.api+json"),
            (.file(at: file), "text/csv"),
            (.mergePatch(from: ["a": 1] as Json, to: [:] as Json), "application/merge-patch+json"),
            (.jsonPatch(from: ["a": 1] as Json, to: [:] as Json), "application/json-patch+json"),
        ]
        for (body, type) in bodies { #expect(try await sent(body).headers[.contentType] == type) }
        #expect(
            try await sent(.text("x"), headers: [.contentType: "text/html"]).headers.values(for: .contentType) == [
                "text/html"
            ]
        )
        #expect(try await sent(.file(at: file)).body?.file == file)
        #expect(try await sent(.text("é")).body?.data == Data([0xC3, 0xA9]))
    }

    @Test func jsonHasLayoutAndConventions() async throws {
        var conventions = CodingConventions()
        conventions.scalars.register(Date.self, as: .unixSeconds)
        conventions.keys = KeyNaming { $0.uppercased() }
        let request = try await sent(.json(Note(), format: .sortedKeys, conventions: conventions))
        #expect(request.body?.data == Data(#"{"AT":1,"TITLE":"tea"}"#.utf8))
    }

    @Test("nothing in, nothing out: no body, no Content-Type, and the response is not read")
    func void() async throws {
        transport.on(.post, "/refresh", .json("{}"))
        transport.on(.delete, "/notes/1", .status(204))
        try await client.fetch(Route<Void>.post("refresh"))
        try await client.fetch(Route<Void>.delete("notes/1"))
        #expect(transport.requests.count == 2)
        for request in transport.requests {
            #expect(request.body == nil)
            #expect(request.headers[.contentType] == nil)
        }
    }

    @Test("a value in and nothing out, nothing in and a value out, values both ways")
    func combinations() async throws {
        transport.on(.put, "/note", .json(#"{"title":"tea","at":0}"#))
        transport.on(.post, "/note", .status(204))
        try await client.fetch(Route<Void>.post("note", body: Note()))
        #expect(transport.requests.last?.body != nil)
        let made: Note = try await client.fetch(Route.put("note"))
        #expect(transport.requests.last?.body == nil)
        let echoed: Note = try await client.fetch(Route.put("note", body: Note()))
        #expect(transport.requests.last?.body != nil)
        #expect(made == echoed)
        let absent: Note? = try await client.fetch(Route<Note?>.post("note", body: .text("x")))
        #expect(absent == nil)
    }

    @Test func compressionIsANode() async throws {
        let compress = CompressBody("rot", minimumBytes: 3) { body in
            .data(Data(try await body.collected().reversed()))
        }
        var client = client
        client.request.append(compress)
        _ = try await client.fetch(Route<Json>.post("x", headers: [.contentLength: "3"], body: .text("abc")))
        #expect(transport.requests.last?.body?.data == Data("cba".utf8))
        #expect(transport.requests.last?.headers[.contentEncoding] == "rot")
        #expect(transport.requests.last?.headers[.contentLength] == nil)
        _ = try await client.fetch(Route<Json>.post("x", body: .text("ab")))
        #expect(transport.requests.last?.headers[.contentEncoding] == nil)
        _ = try await client.fetch(Route<Json>.get("x"))
        #expect(transport.requests.last?.headers[.contentEncoding] == nil)
        let encoded: HTTPHeaders = [.contentEncoding: "gzip"]
        _ = try await client.fetch(Route<Json>.post("x", headers: encoded, body: .text("abc")))
        #expect(transport.requests.last?.body?.data == Data("abc".utf8))
    }
}
