import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private struct ShotEntry: Codable, RawMappable, Sendable {
    let size: Int
    let takenAt: String?
}

private struct Shot: DTODecodable, Sendable {
    let size: Int
    let takenAt: String?

    static func from(dto: ShotEntry) throws -> Shot {
        if dto.size == 1 { _ = try dto.takenAt.require("takenAt") }
        return Shot(size: dto.size, takenAt: dto.takenAt)
    }
}

/// The place that refuses a photo. Each place refuses one size, which is its raw value.
private enum Place: Int, CaseIterable {
    case conversion = 1
    case rawNode, clientEntry, routeEntry, clientModel, routeModel, mappingInNode
}

private struct CheckEntry: PassthroughNode {
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        if let entry = value as? ShotEntry, entry.size == Place.clientEntry.rawValue {
            _ = try entry.takenAt.require("takenAt")
        }
        return value
    }
}

private struct CheckModel: PassthroughNode {
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        if let photo = value as? Shot, photo.size == Place.clientModel.rawValue {
            _ = try photo.takenAt.require("takenAt")
        }
        return value
    }
}

private struct CheckRouteEntry: Node {
    func process(_ entry: ShotEntry, in context: CallContext) async throws -> ShotEntry {
        if entry.size == Place.routeEntry.rawValue { _ = try entry.takenAt.require("takenAt") }
        return entry
    }
}

private struct CheckRouteModel: Node {
    func process(_ photo: Shot, in context: CallContext) async throws -> Shot {
        if photo.size == Place.routeModel.rawValue { _ = try photo.takenAt.require("takenAt") }
        if photo.size == Place.mappingInNode.rawValue {
            _ = try context.mapping { try photo.takenAt.require("takenAt") }
        }
        return photo
    }
}

@Suite("Errors of the app's nodes have whole paths, as those of the conversion")
struct NodeErrorPathsTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private func client(named: Bool = false) -> Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        if named { client.conventions.keys = .snakeCase }
        client.reporter = collected
        client.entry.append(CheckEntry())
        client.model.append(CheckModel())
        client.raw.append { json, _ in
            for photo in [json] + Array(json.elements) where photo["size"]?.int == Place.rawNode.rawValue {
                _ = try (photo["takenAt"] ?? photo["taken_at"]).require(named ? "taken_at" : "takenAt")
            }
            return json
        }
        return client
    }

    private var route: Route<Shot> {
        Route<Shot>.get("shots").adding(model: CheckRouteModel()).adding(entry: CheckRouteEntry())
    }

    private static let objects = Place.allCases.map { #"{"size":\#($0.rawValue)}"# }

    private var paths: [String] { collected.issues.map(\.path.description).sorted() }

    @Test(
        "in a stream: with the element",
        arguments: [
            (StreamFormat.lines, objects.joined(separator: "\n"), "$"),
            (StreamFormat.array(at: "d.l"), #"{"d":{"l":[\#(objects.joined(separator: ","))]}}"#, "$.d.l"),
        ],
        [false, true]
    )
    func streams(case stream: (StreamFormat, String, String), named: Bool) async throws {
        stub.on(.get, "/shots", .text(stream.1))
        for try await _ in client(named: named).stream(route, as: stream.0, onInvalid: .skip) {}
        let key = named ? "taken_at" : "takenAt"
        #expect(paths == Place.allCases.map { "\(stream.2)[\($0.rawValue - 1)].\(key)" })
    }

    @Test("of a route at a path: with the path", arguments: Place.allCases, [false, true])
    private func parts(place: Place, named: Bool) async {
        stub.on(.get, "/shots", .json(#"{"d":{"l":{"size":\#(place.rawValue)}}}"#))
        let error = await #expect(throws: (any Error).self) {
            _ = try await client(named: named).fetch(route.at("d.l"))
            // A node for the JSON receives the whole document, not the part at the path, so it finds no photo to refuse.
            if place == .rawNode { throw CancellationError() }
        }
        if place == .rawNode { return }
        let key = named ? "taken_at" : "takenAt"
        #expect((error as? CallError)?.issues.map(\.path.description) == ["$.d.l.\(key)"])
        #expect(paths == ["$.d.l.\(key)"])
    }

    @Test("in an envelope: with the path of the value", arguments: [Place.routeEntry, .routeModel, .mappingInNode])
    private func envelopes(place: Place) async {
        stub.on(.get, "/shots", .json(#"{"n":1,"d":{"size":\#(place.rawValue)}}"#))
        let error = await #expect(throws: CallError.self) {
            _ = try await client().fetch(route.at("d", in: Json.self))
        }
        #expect(error?.issues.map(\.path.description) == ["$.d.takenAt"])
    }

    @Test("of messages of a WebSocket: with the number of the message")
    func messages() async throws {
        let peer = StubWebSocket()
        stub.on(.get, "/shots", .webSocket(peer))
        for object in Self.objects { peer.push(.text(object)) }
        peer.end(.normalClosure)
        let socket = try await client().webSocket(route, sending: Json.self, onInvalid: .skip)
        for try await _ in socket {}
        #expect(paths == Place.allCases.map { "$[\($0.rawValue - 1)].takenAt" })
    }

    private struct ExtraEntry: Codable, RawMappable, Sendable { let extra: Json }

    @Test("of a mapping in a node: with the path of the JSON that it reads", arguments: [true, false])
    func partsOfAMapping(hasReporter: Bool) async {
        stub.on(.get, "/extra", .json(#"{"d":{"l":{"extra":{"price":"x"}}}}"#))
        var client = client()
        if !hasReporter { client.reporter = nil }
        let route = Route<ExtraEntry>.get("extra").at("d.l")
            .adding(
                model: AnyNode { entry, context in
                    _ = try context.mapping { try entry.extra.decode("price") as Int }
                    return entry
                }
            )
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.exactDescription) == ["$.d.l.extra.price"])
    }

    @Test("of a mapping in a node that prepends components to the path", arguments: [true, false])
    func composedPaths(hasReporter: Bool) async {
        stub.on(.get, "/shots", .json(#"{"d":[{"size":0},{"size":0}]}"#))
        var client = client()
        if !hasReporter { client.reporter = nil }
        let route = Route<[Shot]>.get("shots").at("d")
            .adding(
                model: AnyNode { shots, context in
                    do {
                        _ = try context.mapping { try shots[1].takenAt.require("takenAt") }
                    } catch {
                        throw MappingError.located(error, at: .index(1))
                    }
                    return shots
                }
            )
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.d[1].takenAt"])
    }

    private struct Unsent: DTOEncodable {
        let name: String?
        func toDTO() throws -> ShotEntry { ShotEntry(size: 1, takenAt: try name.require("name")) }
    }

    @Test("of a request: without the path of an earlier response of the same context")
    func requests() async throws {
        stub.on(.get, "/shots", .json(#"{"d":{"size":0}}"#))
        let context = CallContext(mapping: .strict)
        _ = try await client().pipeline(for: route.at("d")).process((), in: context)
        let second = client().pipeline(for: Route<Json>.post("shots", body: Unsent(name: nil)))
        let error = await #expect(throws: CallError.self) { try await second.process((), in: context) }
        #expect(error?.stage == .requestEncoding)
        #expect(error?.issues.map(\.path.description) == ["$.name"])
    }

    @Test("a warning of a mapping in a node: with the element, too")
    func warnings() async throws {
        stub.on(.get, "/sizes", .text("1\n2"))
        let sizes = Route<Int>.get("sizes")
            .adding(
                model: AnyNode { size, context in
                    try context.mapping { try Json(["price": "7"]).decode("price", ifInvalid: size) }
                }
            )
        var found: [Int] = []
        for try await size in client().stream(sizes, as: .lines) { found.append(size) }
        #expect(found == [1, 2])
        #expect(paths == ["$[0].price", "$[1].price"])
    }

    @Test("after the policy left elements out: with the indices of the JSON")
    func indices() async {
        stub.on(.get, "/shots", .json(#"{"d":[{"size":"no"},{"size":0},{"size":0}]}"#))
        let photos = Route<[Shot]>.get("shots").at("d")
            .adding(
                model: AnyNode { photos, _ in
                    _ = try photos[1].takenAt.require("[1].takenAt")
                    return photos
                }
            )
        let error = await #expect(throws: CallError.self) {
            _ = try await client().fetch(photos, mapping: .salvaging)
        }
        #expect(error?.issues.map(\.path.description) == ["$.d[2].takenAt"])
    }

    @Test("a transport's error that a node before the request throws has no response of another server")
    func foreignResponse() async {
        var client = client()
        client.request.append { _, _ in
            throw TransportError(.connectionLost, response: HTTPResponse(status: 200))
        }
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.stage == .requestEncoding && error?.response == nil && error?.status == nil)
    }
}
