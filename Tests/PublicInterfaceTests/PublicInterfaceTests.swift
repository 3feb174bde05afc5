// This file is written as an app would write it, without `@testable` and package access. If an app cannot reach
// something that it needs, this file does not compile.

import Bilayer
import BilayerTesting
import Foundation
import Testing

// MARK: Both model layers

struct OrderEntry: Codable, RawMappable {
    let id: String
    let total: Decimal
    let note: String?
}

struct PointEntry: RawMappable {
    let x: Double
    let label: String?

    static func from(raw: Json) throws -> PointEntry {
        try PointEntry(x: raw.decode("x"), label: raw.decodeIfPresent("label"))
    }
    func toRaw() throws -> Json { ["x": try x.toRaw(), "label": try label.toRaw()] }
}

struct Order: DTOConvertible, Equatable {
    let id: String
    let total: Decimal

    static func from(dto: OrderEntry) throws -> Order { Order(id: dto.id, total: dto.total) }
    func toDTO() throws -> OrderEntry { OrderEntry(id: id, total: total, note: nil) }
}

extension Route where Response == [Order] {
    static var orders: Route { .get("orders") }
}

// MARK: A node, a middleware, a node for every type, a transport

struct AddHeader: Node, CustomStringConvertible {
    let name: HTTPHeaders.Name
    let value: String
    var description: String { "AddHeader(\(name))" }

    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
        var request = request
        request.headers[name] = value
        return request
    }
}

struct Stopwatch<Input, Output>: Middleware {
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output {
        let start = ContinuousClock.now
        defer { context.note("took \(start.duration(to: .now))") }
        return try await next.process(input, in: context)
    }
}

struct EntryCheck: PassthroughNode {
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { value }
}

struct FixedTransport: Transport {
    let body: Data
    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        context.recordSent(request)
        return HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: body)
    }
}

@Suite("What an app can write with public names alone")
struct PublicInterfaceTests {
    private let base = URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/")
    private let transport = FixedTransport(body: Data(#"[{"id":"a","total":12.30}]"#.utf8))

    @Test func aClientWithNodesAtEveryBoundary() async throws {
        var client = Client(baseURL: base, transport: transport.wrapped(by: Stopwatch()))
        client.request.append(AddHeader(name: "X-App", value: "1"))
        client.raw.append { json, _ in json["data"] ?? json }
        client.entry.append(EntryCheck())
        client.model.append(EntryCheck())
        let answer = try await client.send(.orders)
        #expect(answer.value == [Order(id: "a", total: Decimal(string: "12.3") ?? 0)])
        #expect(answer.events.count == 1)
    }

    @Test func aPipelineWithAnotherTransport() async throws {
        let pipeline = Client(baseURL: base, transport: transport).pipeline(for: .orders)
        let offline = pipeline.replacing(
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) }
        )
        #expect(try await offline.process() == [])
    }

    @Test func aChainByHand() async throws {
        let parse = ParseJson().then(MapRaw<[OrderEntry]>()).then(ConvertDTO<[Order]>())
        let orders = try await parse.process(HTTPResponse(status: 200, body: transport.body), in: CallContext())
        #expect(orders.map(\.id) == ["a"])
    }

    @Test func aPipelineByHand() async throws {
        let address = base
        let pipeline = Pipeline(
            requestEncoding: AnyNode<String, HTTPRequest> { path, _ in
                HTTPRequest(method: .get, url: address.appendingPathComponent(path))
            },
            transport: transport,
            rawMapping: CheckStatus().then(ParseJson()).then(MapRaw<[OrderEntry]>()),
            dtoConversion: ConvertDTO<[Order]>()
        )
        #expect(try await pipeline.process("orders").count == 1)
    }

    @Test func anEntryByHandGoesBothWays() throws {
        let json = try Json(parsing: Data(#"{"x":1.5,"label":null}"#.utf8))
        let point = try PointEntry.from(raw: json)
        #expect(point.x == 1.5 && point.label == nil)
        #expect(try point.toRaw() == json)
    }

    @Test func errorsCanBeMadeAndRead() {
        let issue = MappingIssue(.invalidValue, path: [.key("a")], expected: "a total above zero")
        let error = CallError(MappingError(issue), in: .dtoConversion, of: CallContext())
        #expect(error.issues.first?.path.description == "$.a")
        #expect(error.description.contains("expected a total above zero"))
    }
}
